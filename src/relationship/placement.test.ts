import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseUrn } from '../urn/urn.ts';
import { placementAspects, placementOf } from './placement.ts';

const term = parseUrn('urn:li:glossaryTerm:Shop.Customer');

test('a term stands below its node under its own name', () => {
  const parent = parseUrn('urn:li:glossaryNode:Shop');
  const placement = placementOf(term, { glossaryTermInfo: { name: 'A customer', parentNode: parent } });
  assert.deepEqual(placement, { urn: term, parent, name: 'A customer' });
});

test('a term without a name bears the last part of its id, also when only its key is known', () => {
  const expected = { urn: term, parent: undefined, name: 'Customer' };
  assert.deepEqual(placementOf(term, { glossaryTermInfo: { definition: '' } }), expected);
  assert.deepEqual(placementOf(term, { glossaryTermInfo: { name: '', parentNode: 'no urn' } }), expected);
  assert.deepEqual(placementOf(term, { glossaryTermKey: { name: 'Shop.Customer' } }), expected);
  const dot = parseUrn('urn:li:glossaryTerm:etc.');
  assert.equal(placementOf(dot, { glossaryTermInfo: {} })?.name, 'etc.');
});

test('a container takes its name from one aspect and its parent from another', () => {
  const schema = parseUrn('urn:li:container:schema');
  const database = parseUrn('urn:li:container:database');
  assert.deepEqual(placementAspects('container'), ['containerKey', 'containerProperties', 'container']);
  assert.deepEqual(
    placementOf(schema, { containerProperties: { name: 'public' }, container: { container: database } }),
    { urn: schema, parent: database, name: 'public' },
  );
  assert.equal(placementOf(schema, { container: { container: database } })?.name, 'schema');
});

test('nodes and domains have a place, an entity that is not there has none', () => {
  const node = parseUrn('urn:li:glossaryNode:a.b');
  const domain = parseUrn('urn:li:domain:a.b');
  assert.deepEqual(placementOf(node, { glossaryNodeInfo: { definition: '' } })?.name, 'b');
  assert.deepEqual(placementOf(domain, { domainProperties: { parentDomain: 'urn:li:domain:x' } }), {
    urn: domain,
    parent: 'urn:li:domain:x',
    name: 'a.b',
  });
  assert.equal(placementOf(term, {}), undefined);
  assert.equal(placementOf(term, { glossaryTermInfo: undefined }), undefined);
});

test('types that form no tree have no place', () => {
  assert.deepEqual(placementAspects('dataset'), []);
  assert.equal(placementOf(parseUrn('urn:li:tag:x'), { tagProperties: { name: 'x' } }), undefined);
});

test('half a character in a name is replaced, as it is in every store', () => {
  const container = parseUrn('urn:li:container:c');
  const placement = placementOf(container, { containerProperties: { name: 'n\udc00' } });
  assert.equal(placement?.name, 'n\ufffd');
});
