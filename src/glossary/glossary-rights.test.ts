import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Caller } from '../auth/caller.ts';
import { callerWith, readPolicies } from '../auth/standing.ts';
import type { Command } from '../command/command.ts';
import { updateDescription } from '../description/update-description.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { addRelatedTerms } from './add-related-terms.ts';
import { createGlossaryNode } from './create-glossary-node.ts';
import { createGlossaryTerm } from './create-glossary-term.ts';
import { deleteGlossaryEntity } from './delete-glossary-entity.ts';
import { updateName } from './update-name.ts';
import { updateParentNode } from './update-parent-node.ts';

const actor = parseUrn('urn:li:corpuser:steward');
const node = (id: string): string => `urn:li:glossaryNode:${id}`;
const term = (id: string): string => `urn:li:glossaryTerm:${id}`;

function policyOn(nodeUrn: string, privilege: string): JsonObject {
  return {
    displayName: 'p',
    description: '',
    type: 'METADATA',
    state: 'ACTIVE',
    privileges: [privilege],
    actors: { users: [actor], resourceOwners: false, allUsers: false, allGroups: false },
    resources: { filter: { criteria: [{ field: 'URN', values: [nodeUrn], condition: 'EQUALS' }] } },
  };
}

describe('rights on a glossary node', () => {
  let catalogue: TestCatalogue;
  let direct: Caller;
  let all: Caller;

  before(async () => {
    catalogue = await openTestCatalogue();
    const info = (parentNode?: string): JsonObject => ({
      name: 'n',
      definition: '',
      ...(parentNode === undefined ? {} : { parentNode }),
    });
    const termInfo = (parentNode?: string): JsonObject => ({ ...info(parentNode), termSource: 'INTERNAL' });
    await catalogue.seed(node('top'), { glossaryNodeInfo: info() });
    await catalogue.seed(node('below'), { glossaryNodeInfo: info(node('top')) });
    await catalogue.seed(node('beside'), { glossaryNodeInfo: info() });
    await catalogue.seed(term('direct'), { glossaryTermInfo: termInfo(node('top')) });
    await catalogue.seed(term('deep'), { glossaryTermInfo: termInfo(node('below')) });
    await catalogue.seed(term('beside'), { glossaryTermInfo: termInfo(node('beside')) });
    await catalogue.seed(term('root'), { glossaryTermInfo: termInfo() });
    const callerBy = async (privilege: string): Promise<Caller> => {
      await catalogue.seed('urn:li:dataHubPolicy:p', { dataHubPolicyInfo: policyOn(node('top'), privilege) });
      const standing = { actor, groups: [], roles: [] };
      return callerWith(standing, await readPolicies(catalogue.store), undefined);
    };
    direct = await callerBy('MANAGE_GLOSSARY_CHILDREN');
    all = await callerBy('MANAGE_ALL_GLOSSARY_CHILDREN');
  });
  after(() => catalogue.close());

  async function isLet<Input>(
    command: Command<Input, unknown>,
    input: Input,
    caller: Caller,
  ): Promise<boolean> {
    try {
      await catalogue.execute(command, input, caller);
      return true;
    } catch (error) {
      assert.ok(error instanceof PostilError && error.code === 'FORBIDDEN', String(error));
      return false;
    }
  }

  async function whereLet(caller: Caller): Promise<readonly string[]> {
    const found = [];
    let number = 0;
    for (const place of ['top', 'below', 'beside', undefined]) {
      number += 1;
      const parentNode = place === undefined ? null : node(place);
      if (await isLet(createGlossaryTerm, { name: `t${caller === all}${number}`, parentNode }, caller)) {
        found.push(`term in ${place}`);
      }
      if (await isLet(createGlossaryNode, { name: `n${caller === all}${number}`, parentNode }, caller)) {
        found.push(`node in ${place}`);
      }
    }
    for (const id of ['direct', 'deep', 'beside', 'root']) {
      const resourceUrn = term(id);
      if (await isLet(updateName, { urn: resourceUrn, name: `renamed ${id}` }, caller))
        found.push(`rename ${id}`);
      if (await isLet(updateDescription, { description: 'd', resourceUrn }, caller))
        found.push(`describe ${id}`);
      const related = { urn: resourceUrn, termUrns: [term('root')], relationshipType: 'isA' } as const;
      if (id !== 'root' && (await isLet(addRelatedTerms, related, caller))) found.push(`relate ${id}`);
    }
    return found;
  }

  it('MANAGE_GLOSSARY_CHILDREN is for what is directly in the node', async () => {
    assert.deepEqual(await whereLet(direct), [
      'term in top',
      'node in top',
      'rename direct',
      'describe direct',
      'relate direct',
    ]);
  });

  it('MANAGE_ALL_GLOSSARY_CHILDREN is for everything below the node', async () => {
    assert.deepEqual(await whereLet(all), [
      'term in top',
      'node in top',
      'term in below',
      'node in below',
      'rename direct',
      'describe direct',
      'relate direct',
      'rename deep',
      'describe deep',
      'relate deep',
    ]);
  });

  it('moving needs the right in both places', async () => {
    const move = (id: string, parent: string | null, caller: Caller): Promise<boolean> =>
      isLet(updateParentNode, { resourceUrn: term(id), parentNode: parent }, caller);
    assert.equal(await move('direct', node('beside'), all), false);
    assert.equal(await move('direct', null, all), false);
    assert.equal(await move('beside', node('top'), all), false);
    assert.equal(await move('direct', node('below'), direct), false);
    assert.equal(await move('direct', node('below'), all), true);
  });

  it('deleting is as changing', async () => {
    const del = (id: string, caller: Caller): Promise<boolean> =>
      isLet(deleteGlossaryEntity, { urn: term(id) }, caller);
    assert.equal(await del('beside', all), false);
    assert.equal(await del('deep', direct), false);
    assert.equal(await del('deep', all), true);
  });

  it('who has the right for all nodes has it in none at the root', async () => {
    const caller: Caller = { actor, privileges: new Set(['MANAGE_GLOSSARY_CHILDREN']), tokenId: undefined };
    assert.equal(
      await isLet(createGlossaryTerm, { name: 'everywhere', parentNode: node('beside') }, caller),
      true,
    );
    assert.equal(await isLet(createGlossaryTerm, { name: 'at the root' }, caller), false);
    assert.equal(await isLet(updateName, { urn: term('root'), name: 'x' }, caller), false);
  });
});
