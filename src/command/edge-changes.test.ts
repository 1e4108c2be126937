import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Relationship } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import { edgesOf } from '../relationship/edges.ts';
import { edgeChanges } from './edge-changes.ts';

const ofTerms = (body: JsonObject): readonly Relationship[] => edgesOf('editableSchemaMetadata', body);
const keysOf = (edges: readonly Relationship[]): Set<string> =>
  new Set(edges.map(({ kind, destination, path }) => `${kind} ${destination} ${path}`));

/** Columns that bodies may share as objects, as a decision shares what it does not change. */
const columns: readonly JsonObject[] = ['a', 'b', 'a', 'c', 'b'].map((fieldPath, index) => ({
  fieldPath,
  glossaryTerms: { terms: [{ urn: `urn:li:glossaryTerm:${index % 3}` }, { urn: 'urn:li:glossaryTerm:all' }] },
}));
const body = fc
  .array(fc.tuple(fc.constantFrom(...columns), fc.boolean()), { maxLength: 7 })
  .map((chosen) => ({
    editableSchemaFieldInfo: chosen.map(([column, isCopied]) => (isCopied ? { ...column } : column)),
  }));

test('edges that begin and end lead from what was stored to what is, whatever the bodies share', () => {
  const stored = fc.option(body, { nil: undefined });
  const property = fc.property(stored, stored, (before, after) => {
    const edges = keysOf(before === undefined ? [] : ofTerms(before));
    const wanted = keysOf(after === undefined ? [] : ofTerms(after));
    const { added, removed } = edgeChanges(ofTerms, before, after);
    for (const key of keysOf(removed)) assert.ok(edges.delete(key), 'only what was there ends');
    for (const key of keysOf(added)) edges.add(key);
    assert.deepEqual(edges, wanted);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('a member that is named __proto__ lends nothing to the body it is in', () => {
  const terms = '[{"urn":"urn:li:glossaryTerm:a"}]';
  const before = JSON.parse(`{"__proto__":{"terms":${terms}}}`) as JsonObject;
  const after = JSON.parse(`{"terms":${terms}}`) as JsonObject;
  const { added, removed } = edgeChanges((each) => edgesOf('glossaryTerms', each), before, after);
  assert.deepEqual([added.length, removed.length], [1, 0]);
});
