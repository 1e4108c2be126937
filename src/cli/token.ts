import { type AccessToken, readTokens } from '../access-token/access-token.ts';
import { createAccessToken } from '../access-token/create-access-token.ts';
import { firstAdministrator, newToken } from '../access-token/prepare-first-administrator.ts';
import { revokeAccessToken } from '../access-token/revoke-access-token.ts';
import { tokenDurations } from '../access-token/token-duration.ts';
import { assignRole } from '../access-token/assign-role.ts';
import { isRole } from '../auth/privilege.ts';
import { readConfig } from '../config.ts';
import { openCatalogue } from '../catalogue.ts';
import { systemCaller } from '../auth/system-caller.ts';
import { storeFlag, storeOption } from './backup.ts';
import {
  type Arguments,
  type CliCommand,
  exitCodes,
  type ExitCode,
  type Terminal,
  UsageError,
} from './command-line.ts';
import { requireExistingStore } from './existing-store.ts';
import { requestGraphql } from './request-graphql.ts';

const durationDefault = 'THREE_MONTHS';

/** What the three actions need, whether they work on a store or on a server. */
type Tokens = {
  create(input: NewToken): Promise<string>;
  list(): Promise<readonly TokenRow[]>;
  revoke(id: string): Promise<void>;
  close(): Promise<void>;
};

type NewToken = {
  readonly actor: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly isService: boolean;
  /** `undefined`: never expires. */
  readonly duration: string | undefined;
  readonly role: string | undefined;
};

type TokenRow = Pick<
  AccessToken,
  'id' | 'name' | 'actorUrn' | 'createdAt' | 'lastFour' | 'expiresAt' | 'lastUsedAt'
>;

export const token: CliCommand = {
  name: 'token',
  summary: 'Create, list or revoke access tokens.',
  usage: 'token create|list|revoke [ID] [--store WHERE | --server URL --token TOKEN] [OPTIONS]',
  help: [
    'create prints a new token, once. list shows what is known of all tokens. revoke ID ends one at once.',
    'Works on a store that no server holds (--store), or through a running server (--server and a token that may ' +
      'manage tokens). Without --role, a user keeps the role it has; a user without any may read.',
  ],
  options: [
    storeOption,
    { name: 'server', value: 'URL', description: 'A running server, such as http://127.0.0.1:8080.' },
    {
      name: 'token',
      value: 'TOKEN',
      description: 'The token to call the server with. Default: $POSTIL_TOKEN.',
    },
    {
      name: 'actor',
      value: 'URN',
      description: `The user the token speaks for. Default: ${firstAdministrator}.`,
    },
    { name: 'name', value: 'NAME', description: 'A name to tell it from others. Default: command line.' },
    { name: 'description', value: 'TEXT', description: 'What it is for.' },
    { name: 'service', description: 'A token for a program instead of a person.' },
    {
      name: 'duration',
      value: 'HOW_LONG',
      description: `${Object.keys(tokenDurations).join(', ')}. Default: ${durationDefault}.`,
    },
    { name: 'no-expiry', description: 'A token that never expires (only with --store).' },
    {
      name: 'role',
      value: 'ROLE',
      description: 'Give the user a role: Admin, Editor or Reader (only with --store).',
    },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    const [action, id, ...more] = given.positionals;
    if (action !== 'create' && action !== 'list' && action !== 'revoke') {
      throw new UsageError(token, 'Say what to do: create, list or revoke.');
    }
    if (more.length > 0 || (action === 'revoke') !== (id !== undefined)) {
      throw new UsageError(token, 'revoke takes one token id; create and list take none.');
    }
    const tokens = await openTokens(given, action);
    try {
      return await act(action, id ?? '', tokens, given, terminal);
    } finally {
      await tokens.close();
    }
  },
};

async function act(
  action: 'create' | 'list' | 'revoke',
  id: string,
  tokens: Tokens,
  given: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const isJson = given.isSet('json');
  if (action === 'revoke') {
    await tokens.revoke(id);
    terminal.out(isJson ? `${JSON.stringify({ revoked: id })}\n` : `Revoked ${id}\n`);
    return exitCodes.done;
  }
  if (action === 'create') {
    const text = await tokens.create(newTokenOf(given));
    terminal.out(isJson ? `${JSON.stringify({ token: text })}\n` : `${text}\n`);
    return exitCodes.done;
  }
  const rows = await tokens.list();
  if (isJson) terminal.out(`${JSON.stringify(rows)}\n`);
  else {
    const time = (milliseconds: number | null | undefined, otherwise: string): string =>
      typeof milliseconds === 'number' ? new Date(milliseconds).toISOString().slice(0, 16) : otherwise;
    for (const row of rows) {
      terminal.out(
        `${row.id}\n  ${row.name}, for ${row.actorUrn}, ends in ${row.lastFour}, made ${time(row.createdAt, '?')}, ` +
          `expires ${time(row.expiresAt, 'never')}, last used ${time(row.lastUsedAt, 'never')}\n`,
      );
    }
    terminal.out(`${rows.length} tokens\n`);
  }
  return exitCodes.done;
}

function newTokenOf(given: Arguments): NewToken {
  const duration = given.value('duration') ?? durationDefault;
  if (!Object.hasOwn(tokenDurations, duration)) {
    throw new UsageError(token, `${duration} is none of ${Object.keys(tokenDurations).join(', ')}.`);
  }
  const role = given.value('role');
  if (role !== undefined && !isRole(role)) throw new UsageError(token, `There is no role ${role}.`);
  if (given.value('server') !== undefined && (role !== undefined || given.isSet('no-expiry'))) {
    throw new UsageError(token, '--role and --no-expiry work on a store, not through a server.');
  }
  return {
    actor: given.value('actor') ?? firstAdministrator,
    name: given.value('name') ?? 'command line',
    description: given.value('description'),
    isService: given.isSet('service'),
    duration: given.isSet('no-expiry') ? undefined : duration,
    role,
  };
}

async function openTokens(given: Arguments, action: 'create' | 'list' | 'revoke'): Promise<Tokens> {
  const server = given.value('server');
  const config = readConfig({
    ...storeFlag(given.value('store')),
    ...(given.value('token') === undefined ? {} : { token: given.value('token') ?? '' }),
  });
  if (server === undefined) {
    if (action !== 'create') requireExistingStore(config.store);
    return storeTokens(config.store);
  }
  if (config.token === undefined)
    throw new UsageError(token, 'A server wants a token: --token or $POSTIL_TOKEN.');
  return serverTokens(server, config.token);
}

async function storeTokens(location: string): Promise<Tokens> {
  const { store, engine } = await openCatalogue(location);
  return {
    async create(input) {
      const { text, id, lastFour } = newToken(input.isService ? 'service' : 'personal');
      if (input.role !== undefined && isRole(input.role)) {
        await engine.execute(assignRole, { actor: input.actor, role: input.role }, systemCaller);
      }
      const durationMs = input.duration === undefined ? undefined : tokenDurations[input.duration];
      await engine.execute(
        createAccessToken,
        {
          id,
          lastFour,
          kind: input.isService ? 'service' : 'personal',
          actorUrn: input.actor,
          name: input.name,
          description: input.description,
          durationMs,
        },
        systemCaller,
      );
      return text;
    },
    list: () => readTokens(store),
    revoke: async (tokenId) => void (await engine.execute(revokeAccessToken, { tokenId }, systemCaller)),
    close: () => store.close(),
  };
}

function serverTokens(server: string, authorization: string): Tokens {
  const request = <Data>(query: string, variables: object): Promise<Data> =>
    requestGraphql<Data>(server, authorization, query, variables);
  return {
    async create(input) {
      const data = await request<{ createAccessToken: { accessToken: string } }>(
        'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken } }',
        {
          input: {
            type: input.isService ? 'SERVICE_ACCOUNT' : 'PERSONAL',
            actorUrn: input.actor,
            duration: input.duration,
            name: input.name,
            description: input.description,
          },
        },
      );
      return data.createAccessToken.accessToken;
    },
    async list() {
      const data = await request<{ listAccessTokens: { tokens: readonly TokenRow[] } }>(
        `query ($input: ListAccessTokenInput!) { listAccessTokens(input: $input) {
          tokens { id name actorUrn createdAt expiresAt lastUsedAt lastFour } } }`,
        { input: { start: 0, count: 1_000 } },
      );
      return data.listAccessTokens.tokens;
    },
    async revoke(tokenId) {
      await request('mutation ($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }', { tokenId });
    },
    close: () => Promise.resolve(),
  };
}
