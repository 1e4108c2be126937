import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrn } from '../../urn/urn.ts';
import { patched, reversed, type AssociationPatch } from './association-patch.ts';

test('the owners by type follow the owners, there and back', () => {
  const [ana, bo] = ['urn:li:corpuser:ana', 'urn:li:corpuser:bo'];
  const steward = 'urn:li:ownershipType:__system__data_steward';
  const owner = (urn: string): object => ({ owner: urn, type: 'DATA_STEWARD', typeUrn: steward });
  const stamp = { time: 1, actor: 'urn:li:corpuser:editor' };
  const body = { owners: [{ ...owner(ana) }], ownerTypes: { [steward]: [ana] }, lastModified: stamp };
  const patch: AssociationPatch = {
    urn: parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)'),
    aspect: 'ownership',
    op: 'add',
    list: 'owners',
    member: 'owner',
    value: bo,
    elements: [{ ...owner(bo) }],
  };
  const added = patched(body, patch, stamp);
  assert.deepEqual(added['ownerTypes'], { [steward]: [ana, bo] });
  assert.deepEqual(patched(added, reversed(patch, added), stamp), body);
});
