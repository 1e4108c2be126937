import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../aspect/json.ts';
import { withColumnRecord } from '../entity/column.ts';
import { editedColumns, effectiveDescription } from './edited-columns.ts';

const value = '[version=2.0].[type=Event].[type=string].id';
const key = '[version=2.0].[key=True].[type=Key].[type=string].id';

function edited(paths: readonly string[], ...records: readonly JsonObject[]): Record<string, unknown> {
  const schema = { fields: paths.map((fieldPath) => ({ fieldPath })) };
  const found = editedColumns(schema, { editableSchemaFieldInfo: records });
  return Object.fromEntries([...found].map(([path, record]) => [path, record['description']]));
}

describe('what people set on a column is found', () => {
  it('under exactly its path', () => {
    assert.deepEqual(edited(['id', 'name'], { fieldPath: 'id', description: 'a' }), { id: 'a' });
  });

  it('under the simple form of a version 2 path, and the other way round', () => {
    assert.deepEqual(edited([value], { fieldPath: 'id', description: 'a' }), { [value]: 'a' });
    assert.deepEqual(edited(['id'], { fieldPath: value, description: 'a' }), { id: 'a' });
  });

  it('under its own path before another spelling', () => {
    const records = [
      { fieldPath: 'id', description: 'simple' },
      { fieldPath: value, description: 'exact' },
    ];
    assert.deepEqual(edited([value], ...records), { [value]: 'exact' });
  });

  it('at the value column where key and value share a name, unless the key is meant', () => {
    assert.deepEqual(edited([key, value], { fieldPath: 'id', description: 'a' }), { [value]: 'a' });
    assert.deepEqual(edited([key, value], { fieldPath: key, description: 'a' }), { [key]: 'a' });
    assert.deepEqual(edited([key, value], { fieldPath: '[version=2.0].[key=True].id', description: 'a' }), {
      [key]: 'a',
    });
  });

  it('nowhere when several columns could be meant or none is', () => {
    const other = '[version=2.0].[type=Event].[type=int].id';
    assert.deepEqual(edited([value, other], { fieldPath: 'id', description: 'a' }), {});
    assert.deepEqual(edited(['name'], { fieldPath: 'id', description: 'a' }), {});
  });

  it('at the column whose exact path it has, not at others of the same simple form', () => {
    assert.deepEqual(edited([key, 'id'], { fieldPath: 'id', description: 'a' }), { id: 'a' });
  });

  it('together from several spellings: what the exact one does not say the others do', () => {
    const schema = { fields: [{ fieldPath: value }] };
    const terms = (urn: string): JsonObject => ({ glossaryTerms: { terms: [{ urn }] } });
    const found = editedColumns(schema, {
      editableSchemaFieldInfo: [
        { fieldPath: 'id', description: 'simple', ...terms('urn:li:glossaryTerm:a') },
        { fieldPath: value, ...terms('urn:li:glossaryTerm:b') },
      ],
    });
    assert.deepEqual(found.get(value), {
      fieldPath: value,
      description: 'simple',
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:b' }, { urn: 'urn:li:glossaryTerm:a' }] },
    });
  });
});

it('what is written to a column is read back at that column, and no other changes', () => {
  const path = fc.constantFrom(
    'id',
    'x.id',
    value,
    key,
    '[version=2.0].[type=Event].[type=int].id',
    '[version=2.0].[type=Event]',
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { minLength: 1 }),
      fc.array(fc.record({ fieldPath: path, description: fc.constantFrom('a', 'b') })),
      fc.nat(),
      (paths, records, chosen) => {
        const column = paths[chosen % paths.length] ?? '';
        const schema = { fields: paths.map((fieldPath) => ({ fieldPath })) };
        const before = { editableSchemaFieldInfo: records };
        const after = withColumnRecord(before, schema, column, (record) => ({
          ...record,
          description: 'new',
        }));
        const was = editedColumns(schema, before);
        const is = editedColumns(schema, after);
        for (const each of paths) {
          const expected = each === column ? 'new' : was.get(each)?.['description'];
          assert.equal(is.get(each)?.['description'], expected);
        }
      },
    ),
  );
});

it('an edited description comes before the ingested one, unless it is empty', () => {
  assert.equal(effectiveDescription({ description: 'ingested' }, { description: 'edited' }), 'edited');
  assert.equal(effectiveDescription({ description: 'ingested' }, { description: '' }), 'ingested');
  assert.equal(effectiveDescription({ description: 'ingested' }, undefined), 'ingested');
  assert.equal(effectiveDescription(undefined, { description: 'edited' }), 'edited');
  assert.equal(effectiveDescription({ description: 7 }, {}), null);
});
