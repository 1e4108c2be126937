import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthenticator, type Authenticator } from '../auth/authenticator.ts';
import { systemCaller } from '../auth/system-caller.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { readToken, readTokens } from './access-token.ts';
import { assignRole } from './assign-role.ts';
import { createAccessToken, type CreateAccessTokenInput } from './create-access-token.ts';
import { noteTokenUse } from './note-token-use.ts';
import { firstAdministrator, newToken, prepareFirstAdministrator } from './prepare-first-administrator.ts';
import { revokeAccessToken } from './revoke-access-token.ts';

const hourMs = 3_600_000;

function inputFor(
  actorUrn: string,
  parts: Partial<CreateAccessTokenInput> = {},
): CreateAccessTokenInput & { text: string } {
  const { text, id, lastFour } = newToken('personal');
  return {
    text,
    id,
    lastFour,
    kind: 'personal',
    actorUrn,
    name: 'notebook',
    description: undefined,
    durationMs: hourMs,
    ...parts,
  };
}

function authenticatorOf(catalogue: TestCatalogue, now: () => number): Authenticator {
  const authenticator = createAuthenticator({
    reader: catalogue.store,
    exclusive: true,
    now,
    noteUse: () => undefined,
  });
  catalogue.engine.onCommit((changes) => authenticator.forget(changes));
  return authenticator;
}

test('a created token authenticates its actor with the privileges of the actor’s role', async () => {
  await using catalogue = await openTestCatalogue();
  const authenticator = authenticatorOf(catalogue, Date.now);
  const input = inputFor(catalogue.admin.actor);
  await catalogue.execute(assignRole, { actor: catalogue.admin.actor, role: 'Admin' }, systemCaller);
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  const caller = await authenticator.authenticate(`Bearer ${input.text}`);
  assert.equal(caller?.actor, catalogue.admin.actor);
  assert.ok(caller.privileges.has('MANAGE_ACCESS_TOKENS'));
});

test('an actor without a role may read and nothing else', async () => {
  await using catalogue = await openTestCatalogue();
  const authenticator = authenticatorOf(catalogue, Date.now);
  const input = inputFor('urn:li:corpuser:somebody');
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  const caller = await authenticator.authenticate(`bearer ${input.text}`);
  assert.ok(caller);
  assert.equal(caller.privileges.has('EDIT_ENTITY'), false);
});

test('the secret is nowhere in the store', async () => {
  await using catalogue = await openTestCatalogue();
  const input = inputFor(catalogue.admin.actor);
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  for await (const row of catalogue.store.scrub()) {
    assert.ok(!(row.value?.text ?? '').includes(input.text) && !row.urn.includes(input.text));
  }
});

test('a revoked token is refused from the moment the revocation is answered', async () => {
  await using catalogue = await openTestCatalogue();
  const authenticator = authenticatorOf(catalogue, Date.now);
  const input = inputFor(catalogue.editor.actor);
  await catalogue.execute(createAccessToken, input, catalogue.editor);
  assert.ok(await authenticator.authenticate(`Bearer ${input.text}`));
  assert.equal(await catalogue.execute(revokeAccessToken, { tokenId: input.id }), true);
  assert.equal(await authenticator.authenticate(`Bearer ${input.text}`), undefined);
  assert.equal(await readToken(catalogue.store, input.id), undefined);
});

test('an expired token is refused, also when it was remembered', async () => {
  await using catalogue = await openTestCatalogue({ now: () => 1_000 });
  let time = 1_000;
  const authenticator = authenticatorOf(catalogue, () => time);
  const input = inputFor(catalogue.editor.actor);
  await catalogue.execute(createAccessToken, input);
  assert.ok(await authenticator.authenticate(`Bearer ${input.text}`));
  time += hourMs;
  assert.equal(await authenticator.authenticate(`Bearer ${input.text}`), undefined);
});

test('taking a role away takes the privileges of remembered callers', async () => {
  await using catalogue = await openTestCatalogue();
  const authenticator = authenticatorOf(catalogue, Date.now);
  const input = inputFor('urn:li:corpuser:temp');
  await catalogue.execute(assignRole, { actor: input.actorUrn, role: 'Editor' }, systemCaller);
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  assert.ok((await authenticator.authenticate(`Bearer ${input.text}`))?.privileges.has('EDIT_ENTITY'));
  await catalogue.execute(assignRole, { actor: input.actorUrn, role: 'Reader' }, systemCaller);
  assert.equal(
    (await authenticator.authenticate(`Bearer ${input.text}`))?.privileges.has('EDIT_ENTITY'),
    false,
  );
});

test('where other processes write, a policy counts after a second, and is gone after a second', async () => {
  await using catalogue = await openTestCatalogue();
  let time = Date.now();
  const authenticator = createAuthenticator({
    reader: catalogue.store,
    exclusive: false,
    now: () => time,
    noteUse: () => undefined,
  });
  const input = inputFor('urn:li:corpuser:temp');
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  const mayManageTags = async (): Promise<boolean | undefined> =>
    (await authenticator.authenticate(`Bearer ${input.text}`))?.privileges.has('MANAGE_TAGS');
  assert.equal(await mayManageTags(), false);
  const actors = { users: [input.actorUrn], resourceOwners: false, allUsers: false, allGroups: false };
  const dataHubPolicyInfo = { type: 'PLATFORM', state: 'ACTIVE', privileges: ['MANAGE_TAGS'], actors };
  await catalogue.seed('urn:li:dataHubPolicy:p', { dataHubPolicyInfo });
  time += 1_000;
  assert.equal(await mayManageTags(), true);
  await catalogue.seed('urn:li:dataHubPolicy:p', {
    dataHubPolicyInfo: { ...dataHubPolicyInfo, state: 'INACTIVE' },
  });
  time += 1_000;
  assert.equal(await mayManageTags(), false);
});

test('the tokens of a user who is deleted, removed or suspended are dead at once', async () => {
  for (const [aspect, body] of [
    ['corpUserKey', undefined],
    ['status', { removed: true }],
    ['corpUserStatus', { status: 'SUSPENDED', lastModified: { time: 0, actor: 'urn:li:corpuser:x' } }],
  ] as const) {
    await using catalogue = await openTestCatalogue();
    const authenticator = authenticatorOf(catalogue, Date.now);
    const input = inputFor('urn:li:corpuser:gone');
    await catalogue.execute(createAccessToken, input, catalogue.admin);
    assert.ok(await authenticator.authenticate(`Bearer ${input.text}`));
    const end: Command<null, void> = {
      name: 'endUser',
      demands: () => [],
      decide: () =>
        Promise.resolve({ writes: [{ urn: parseUrn(input.actorUrn), aspect, body }], result: undefined }),
    };
    await catalogue.execute(end, null, catalogue.admin);
    assert.equal(await authenticator.authenticate(`Bearer ${input.text}`), undefined, aspect);
  }
});

test('a missing, malformed or unknown credential is nobody', async () => {
  await using catalogue = await openTestCatalogue();
  const authenticator = authenticatorOf(catalogue, Date.now);
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer nobody-ever-made-this-token',
  ]) {
    assert.equal(await authenticator.authenticate(header), undefined, String(header));
  }
});

test('making a token for somebody else needs the right to manage tokens', async () => {
  await using catalogue = await openTestCatalogue();
  await catalogue.refuses(
    createAccessToken,
    inputFor(catalogue.admin.actor),
    { code: 'FORBIDDEN', message: /^Unauthorized to perform this action/ },
    catalogue.editor,
  );
});

test('revoking somebody else’s token needs the right to manage tokens', async () => {
  await using catalogue = await openTestCatalogue();
  const input = inputFor(catalogue.admin.actor);
  await catalogue.execute(createAccessToken, input, catalogue.admin);
  await catalogue.refuses(
    revokeAccessToken,
    { tokenId: input.id },
    { code: 'FORBIDDEN', message: /^Unauthorized/ },
    catalogue.editor,
  );
});

test('an actor has at most fifty live tokens', async () => {
  await using catalogue = await openTestCatalogue();
  for (let index = 0; index < 50; index += 1) {
    await catalogue.execute(createAccessToken, inputFor(catalogue.editor.actor));
  }
  await catalogue.refuses(createAccessToken, inputFor(catalogue.editor.actor), {
    code: 'LIMIT_EXCEEDED',
    message: /50 are the limit; revoke one first$/,
  });
});

test('noting the use of a token leaves neither a version nor a log entry', async () => {
  await using catalogue = await openTestCatalogue({ now: () => 42_000 });
  const input = inputFor(catalogue.editor.actor);
  await catalogue.execute(createAccessToken, input);
  await catalogue.changesNothing(noteTokenUse, { tokenId: input.id });
  assert.equal((await readToken(catalogue.store, input.id))?.lastUsedAt, 42_000);
});

test('the first start of a catalogue makes one administrator token, later starts none', async () => {
  await using catalogue = await openTestCatalogue();
  const prepare = (): Promise<{ readonly isMadeStored: boolean }> =>
    catalogue.execute(
      prepareFirstAdministrator,
      { chosen: undefined, made: newToken('bootstrap') },
      systemCaller,
    );
  assert.equal((await prepare()).isMadeStored, true);
  assert.equal((await prepare()).isMadeStored, false);
  const tokens = await readTokens(catalogue.store);
  assert.deepEqual(
    tokens.map((token) => token.actorUrn),
    [firstAdministrator],
  );
});

test('a newly chosen administrator token ends the one chosen before', async () => {
  await using catalogue = await openTestCatalogue();
  const [before, after] = [newToken('bootstrap'), newToken('bootstrap')];
  for (const chosen of [before, before, after]) {
    await catalogue.execute(prepareFirstAdministrator, { chosen, made: newToken('bootstrap') }, systemCaller);
  }
  const tokens = await readTokens(catalogue.store);
  assert.deepEqual(
    tokens.map((token) => token.id),
    [after.id],
  );
});

test('a role taken from the first administrator is not given back by a restart', async () => {
  await using catalogue = await openTestCatalogue();
  const chosen = newToken('bootstrap');
  const prepare = (): Promise<unknown> =>
    catalogue.execute(prepareFirstAdministrator, { chosen, made: newToken('bootstrap') }, systemCaller);
  await prepare();
  await catalogue.execute(assignRole, { actor: firstAdministrator, role: 'Reader' }, systemCaller);
  await prepare();
  const role = await catalogue.body(firstAdministrator, 'roleMembership');
  assert.deepEqual(role, { roles: ['urn:li:dataHubRole:Reader'] });
});
