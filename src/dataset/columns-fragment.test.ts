import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openReadModel } from '../../test/read-model.ts';
import type { FragmentProjection } from '../command/projection.ts';
import type { JsonObject } from '../aspect/json.ts';
import { columnsFragment } from './columns-fragment.ts';
import { editedColumns, effectiveDescription } from './edited-columns.ts';
import { columnsOf, schemaValue } from './schema-metadata.ts';
import { parseUrn } from '../urn/urn.ts';

const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const query = `query q($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields { fieldPath description } } } }`;

const name = fc.constantFrom('id', 'user', 'user.name', 'a b', 'ü"\\', '\u2028');
const marker = fc.constantFrom('[type=string]', '[type=com.acme.Rec]', '[type=union]', '[type=int]');
/** Few names and many spellings, so that paths meet: equal, equal in simple form only, key and value. */
const path = fc.oneof(
  name,
  fc
    .tuple(fc.boolean(), fc.array(fc.oneof(name, marker), { minLength: 1, maxLength: 4 }))
    .map(([isKey, tokens]) => `[version=2.0]${isKey ? '.[key=True]' : ''}.${tokens.join('.')}`),
);
/** No store takes U+0000. */
const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((each) => !each.includes('\0'));
const description = fc.option(fc.oneof(fc.constant(''), text), { nil: undefined });
const record = fc.record({ fieldPath: path, description });
const typed = { type: { type: { 'com.linkedin.schema.StringType': {} } }, nativeDataType: 'string' };

function schemaOf(columns: readonly JsonObject[]): JsonObject {
  return {
    schemaName: 'shop.orders',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: columns.map((column) => present({ ...typed, ...column })),
  };
}

function editsOf(records: readonly JsonObject[]): JsonObject {
  return { editableSchemaFieldInfo: records.map(present) };
}

/** Without undefined members, as it comes back from the store. */
function present(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

test('the fragment has the text that resolving has, whatever the columns and the edits', async () => {
  await using kept = await openReadModel();
  await using resolved = await openReadModel([]);
  let number = 0;
  const runs = fc.asyncProperty(
    fc.uniqueArray(record, { maxLength: 8, selector: (column) => column.fieldPath }),
    fc.option(fc.uniqueArray(record, { maxLength: 6, selector: ({ fieldPath }) => fieldPath }), {
      nil: undefined,
    }),
    async (columns, records) => {
      number += 1;
      const each = `urn:li:dataset:(urn:li:dataPlatform:hive,shop.t${number},PROD)`;
      const aspects = {
        schemaMetadata: schemaOf(columns),
        ...(records === undefined ? {} : { editableSchemaMetadata: editsOf(records) }),
      };
      await kept.seed(each, aspects);
      await resolved.seed(each, aspects);
      const text = await kept.askText(query, { urn: each });
      assert.equal(text, await resolved.askText(query, { urn: each }));
      const fragment = await kept.store.readFragment(parseUrn(each), 'columns');
      assert.ok(fragment !== undefined && text.includes(`"schemaMetadata":${fragment}`));
      assert.equal(await resolved.store.readFragment(parseUrn(each), 'columns'), undefined);
    },
  );
  await fc.assert(runs, { numRuns: 60 });
});

test('the fragment has the text that resolving has also where columns are stored twice or are no columns', () => {
  const odd = fc.oneof(
    record,
    fc.object({ maxDepth: 2, key: fc.constantFrom('fieldPath', 'description') }),
    fc.jsonValue(),
  );
  const list = fc.array(odd, { maxLength: 8 });
  fc.assert(
    fc.property(fc.oneof(list, fc.jsonValue()), fc.oneof(list, fc.jsonValue()), (fields, records) => {
      const schemaMetadata = JSON.parse(JSON.stringify({ fields })) as JsonObject;
      const editable = JSON.parse(JSON.stringify({ editableSchemaFieldInfo: records })) as JsonObject;
      const columns = columnsOf(schemaValue(urn, schemaMetadata, editable, 0)).map(
        ({ ingested, edited }) => ({
          fieldPath: ingested?.['fieldPath'],
          description: effectiveDescription(ingested, edited),
        }),
      );
      const text = columnsFragment.text({ schemaMetadata, editableSchemaMetadata: editable });
      assert.equal(text, JSON.stringify({ fields: columns }));
    }),
  );
});

test('exactly the selection of the specification is answered from the fragment', async () => {
  const marked: FragmentProjection = {
    ...columnsFragment,
    text: ({ schemaMetadata }) => (schemaMetadata === undefined ? undefined : '{"fields":[]}'),
  };
  await using model = await openReadModel([marked]);
  await model.seed(urn, { schemaMetadata: schemaOf([{ fieldPath: 'id', description: 'Key' }]) });
  const fields = async (selection: string): Promise<unknown> => {
    const { data } = await model.ask(`{ dataset(urn: "${urn}") { ${selection} } }`);
    return data?.['dataset'];
  };
  const stored = [{ fieldPath: 'id', description: 'Key' }];
  const fromFragment = { schemaMetadata: { fields: [] } };
  assert.deepEqual(await fields('schemaMetadata { fields { fieldPath description } }'), fromFragment);
  assert.deepEqual(
    await fields('schemaMetadata(version: 0) { fields { fieldPath description } }'),
    fromFragment,
  );
  assert.deepEqual(await fields('schemaMetadata(version: 1) { fields { fieldPath description } }'), {
    schemaMetadata: { fields: stored },
  });
  assert.deepEqual(await fields('schemaMetadata { fields { description fieldPath } }'), {
    schemaMetadata: { fields: stored },
  });
  assert.deepEqual(await fields('schemaMetadata { name fields { fieldPath description } }'), {
    schemaMetadata: { name: 'shop.orders', fields: stored },
  });
  assert.deepEqual(await fields('schemaMetadata { fields { fieldPath description: type } }'), {
    schemaMetadata: { fields: [{ fieldPath: 'id', description: 'STRING' }] },
  });
});

test('there is no fragment without a schema', () => {
  assert.equal(columnsFragment.text({ editableSchemaMetadata: editsOf([{ fieldPath: 'id' }]) }), undefined);
  assert.equal(editedColumns({}, undefined).size, 0);
});
