import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import { isJsonObject, type JsonObject } from '../aspect/json.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const column = `urn:li:schemaField:(${orders},id)`;
const assertion = 'urn:li:assertion:a';
const value = { value: { value: '5', type: 'NUMBER' } };
const parameters = { value: { value: '5', type: 'NUMBER' }, minValue: null, maxValue: null };

const selection = `type description note externalUrl entityUrn lastUpdated { time actor } source { type created { time actor } }
  customProperties { key value }
  datasetAssertion { datasetUrn scope fields { urn path } aggregation operator
    parameters { value { value type } minValue { value type } maxValue { value type } } nativeType nativeParameters { key value } logic }
  freshnessAssertion { entityUrn type schedule { type cron { cron timezone } fixedInterval { unit multiple } } filter { type sql } }
  volumeAssertion { entityUrn type filter { type sql } rowCountTotal { operator parameters { value { value type } } }
    rowCountChange { type operator parameters { value { value type } } } }
  sqlAssertion { type entityUrn statement changeType operator parameters { value { value type } } }
  fieldAssertion { type entityUrn filter { type sql }
    fieldValuesAssertion { field { path type nativeType } transform { type } operator parameters { value { value type } }
      failThreshold { type value } excludeNulls }
    fieldMetricAssertion { field { path type nativeType } metric operator parameters { value { value type } } } }
  schemaAssertion { entityUrn compatibility fields { path type nativeType } }
  customAssertion { type entityUrn field { urn path } logic }`;

async function infoOf(model: ReadModel, assertionInfo: JsonObject): Promise<JsonObject> {
  await model.seed(assertion, { assertionInfo });
  const { data, errors } = await model.ask(
    `{ assertion(urn: "${assertion}") { dataset { urn } info { ${selection} } } }`,
  );
  assert.equal(errors, undefined);
  const read = data?.['assertion'];
  assert.ok(isJsonObject(read) && isJsonObject(read['info']));
  assert.deepEqual(read['dataset'], { urn: orders });
  const { info } = read;
  return Object.fromEntries(Object.entries(info).filter(([, member]) => member !== null));
}

const definitions: {
  readonly [member: string]: readonly [type: string, stored: JsonObject, read: JsonObject];
} = {
  datasetAssertion: [
    'DATASET',
    {
      dataset: orders,
      scope: 'DATASET_COLUMN',
      fields: [column],
      aggregation: 'IDENTITY',
      operator: 'EQUAL_TO',
      parameters: value,
      nativeType: 'expect',
      nativeParameters: { column: 'id' },
    },
    {
      datasetUrn: orders,
      scope: 'DATASET_COLUMN',
      fields: [{ urn: column, path: 'id' }],
      aggregation: 'IDENTITY',
      operator: 'EQUAL_TO',
      parameters,
      nativeType: 'expect',
      nativeParameters: [{ key: 'column', value: 'id' }],
      logic: null,
    },
  ],
  freshnessAssertion: [
    'FRESHNESS',
    {
      entity: orders,
      type: 'DATASET_CHANGE',
      schedule: { type: 'FIXED_INTERVAL', fixedInterval: { unit: 'HOUR', multiple: 6 } },
      filter: { type: 'SQL', sql: 'x > 1' },
    },
    {
      entityUrn: orders,
      type: 'DATASET_CHANGE',
      schedule: { type: 'FIXED_INTERVAL', cron: null, fixedInterval: { unit: 'HOUR', multiple: 6 } },
      filter: { type: 'SQL', sql: 'x > 1' },
    },
  ],
  volumeAssertion: [
    'VOLUME',
    {
      entity: orders,
      type: 'ROW_COUNT_TOTAL',
      rowCountTotal: { operator: 'GREATER_THAN', parameters: value },
    },
    {
      entityUrn: orders,
      type: 'ROW_COUNT_TOTAL',
      filter: null,
      rowCountTotal: { operator: 'GREATER_THAN', parameters: { value: parameters.value } },
      rowCountChange: null,
    },
  ],
  sqlAssertion: [
    'SQL',
    { entity: orders, type: 'METRIC', statement: 'select 1', operator: 'EQUAL_TO', parameters: value },
    {
      entityUrn: orders,
      type: 'METRIC',
      statement: 'select 1',
      changeType: null,
      operator: 'EQUAL_TO',
      parameters: { value: parameters.value },
    },
  ],
  fieldAssertion: [
    'FIELD',
    {
      entity: orders,
      type: 'FIELD_METRIC',
      fieldMetricAssertion: {
        field: { path: 'id', type: 'NUMBER', nativeType: 'int' },
        metric: 'NULL_COUNT',
        operator: 'EQUAL_TO',
        parameters: value,
      },
    },
    {
      entityUrn: orders,
      type: 'FIELD_METRIC',
      filter: null,
      fieldValuesAssertion: null,
      fieldMetricAssertion: {
        field: { path: 'id', type: 'NUMBER', nativeType: 'int' },
        metric: 'NULL_COUNT',
        operator: 'EQUAL_TO',
        parameters: { value: parameters.value },
      },
    },
  ],
  schemaAssertion: [
    'DATA_SCHEMA',
    {
      entity: orders,
      compatibility: 'SUPERSET',
      schema: {
        fields: [
          {
            fieldPath: 'id',
            nativeDataType: 'int',
            type: { type: { 'com.linkedin.schema.NumberType': {} } },
          },
        ],
      },
    },
    {
      entityUrn: orders,
      compatibility: 'SUPERSET',
      fields: [{ path: 'id', type: 'NUMBER', nativeType: 'int' }],
    },
  ],
  customAssertion: [
    'CUSTOM',
    { entity: orders, type: 'mine', field: column, logic: 'so' },
    { entityUrn: orders, type: 'mine', field: { urn: column, path: 'id' }, logic: 'so' },
  ],
};

for (const [member, [type, stored, read]] of Object.entries(definitions)) {
  test(`an assertion of type ${type} is read with what it checks and what it is about`, async () => {
    await using model = await openReadModel();
    const info = await infoOf(model, { type, [member]: stored });
    assert.deepEqual(info, { type, entityUrn: orders, [member]: read });
  });
}

test('an assertion is read with where it comes from and what was noted', async () => {
  await using model = await openReadModel();
  const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };
  const { datasetAssertion, ...rest } = await infoOf(model, {
    type: 'DATASET',
    datasetAssertion: { dataset: orders, operator: 'made up', scope: 'made up' },
    description: 'd',
    note: { content: 'mind this' },
    externalUrl: 'https://example.org/a',
    customProperties: { suite: 's' },
    source: { type: 'EXTERNAL', created: stamp },
    lastUpdated: stamp,
  });
  assert.deepEqual(rest, {
    type: 'DATASET',
    entityUrn: orders,
    description: 'd',
    note: 'mind this',
    externalUrl: 'https://example.org/a',
    customProperties: [{ key: 'suite', value: 's' }],
    source: { type: 'EXTERNAL', created: stamp },
    lastUpdated: stamp,
  });
  const { operator, scope } = datasetAssertion as JsonObject;
  assert.deepEqual(
    [operator, scope],
    ['_NATIVE_', 'UNKNOWN'],
    'values that are not known are the most general ones',
  );
});

test('an assertion of which nothing is stored has a platform and nothing else', async () => {
  await using model = await openReadModel();
  const { data, errors } = await model.ask(
    `{ assertion(urn: "${assertion}") { exists info { type } dataset { urn } tags { tags { tag { urn } } } status { removed }
       platform { urn } runEvents { total } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    assertion: {
      exists: false,
      info: null,
      dataset: null,
      tags: null,
      status: null,
      platform: { urn: 'urn:li:dataPlatform:unknown' },
      runEvents: { total: 0 },
    },
  });
});

function run(timestampMillis: number, type: string, more: JsonObject = {}): JsonObject {
  return {
    timestampMillis,
    runId: `r${timestampMillis}`,
    asserteeUrn: orders,
    assertionUrn: assertion,
    status: 'COMPLETE',
    result: { type, nativeResults: { seen: '1' } },
    ...more,
  };
}

test('the runs of an assertion are read, the latest first, in the time and number that is asked for', async () => {
  await using model = await openReadModel();
  const runs = [
    run(30, 'SUCCESS'),
    run(10, 'FAILURE', { result: { type: 'FAILURE', actualAggValue: 1.5, rowCount: 3 } }),
    run(20, 'ERROR', {
      result: { type: 'ERROR', error: { type: 'SOURCE_QUERY_FAILED', properties: { message: 'no' } } },
    }),
    run(40, 'SUCCESS', { status: 'STARTED' }),
    run(20, 'ERROR', {
      result: { type: 'ERROR', error: { type: 'SOURCE_QUERY_FAILED', properties: { message: 'yes' } } },
    }),
  ];
  for (const assertionRunEvent of runs) await model.seed(assertion, { assertionRunEvent });
  const events = 'total failed succeeded errored runEvents { timestampMillis';
  const { data, errors } = await model.ask(
    `{ assertion(urn: "${assertion}") {
       all: runEvents(status: COMPLETE) { ${events} runId status asserteeUrn assertionUrn
         result { type actualAggValue rowCount nativeResults { key value } error { type displayMessage } } } }
       some: runEvents(startTimeMillis: 10, endTimeMillis: 20, limit: 1) { ${events} } }
       failed: runEvents(filter: {and: [{field: "result.type", values: ["FAILURE"]}]}) { ${events} } } } }`,
  );
  assert.equal(errors, undefined);
  const common = { status: 'COMPLETE', asserteeUrn: orders, assertionUrn: assertion };
  const nothing = { actualAggValue: null, rowCount: null, nativeResults: null, error: null };
  const error = { type: 'SOURCE_QUERY_FAILED', displayMessage: 'yes' };
  assert.deepEqual(data?.['assertion'], {
    all: {
      total: 3,
      failed: 1,
      succeeded: 1,
      errored: 1,
      runEvents: [
        {
          timestampMillis: 30,
          runId: 'r30',
          ...common,
          result: { ...nothing, type: 'SUCCESS', nativeResults: [{ key: 'seen', value: '1' }] },
        },
        { timestampMillis: 20, runId: 'r20', ...common, result: { ...nothing, type: 'ERROR', error } },
        {
          timestampMillis: 10,
          runId: 'r10',
          ...common,
          result: { ...nothing, type: 'FAILURE', actualAggValue: 1.5, rowCount: 3 },
        },
      ],
    },
    some: { total: 1, failed: 0, succeeded: 0, errored: 1, runEvents: [{ timestampMillis: 20 }] },
    failed: { total: 1, failed: 1, succeeded: 0, errored: 0, runEvents: [{ timestampMillis: 10 }] },
  });
});

test('measurements are refused where they cannot be filtered so', async () => {
  await using model = await openReadModel();
  await model.seed(assertion, { assertionRunEvent: run(1, 'SUCCESS') });
  const { errors } = await model.ask(
    `{ assertion(urn: "${assertion}") { runEvents(filter: {and: [{field: "runId", condition: CONTAIN, values: ["r"]}]}) { total } } }`,
  );
  assert.match(
    errors?.[0]?.message ?? '',
    /^Measurements cannot be filtered by runId CONTAIN; use EQUAL, IN or EXISTS\.$/,
  );
});

test('the assertions about a dataset are read page by page, without those that are removed', async () => {
  await using model = await openReadModel();
  for (const id of ['a', 'b', 'c']) {
    await model.seed(`urn:li:assertion:${id}`, {
      assertionInfo: { type: 'CUSTOM', customAssertion: { type: 'mine', entity: orders } },
      status: { removed: id === 'b' },
    });
  }
  const { data, errors } = await model.ask(
    `{ dataset(urn: "${orders}") {
       all: assertions { start count total assertions { urn } }
       second: assertions(start: 1, count: 1) { start count total assertions { urn } }
       removed: assertions(includeSoftDeleted: true) { total } } }`,
  );
  assert.equal(errors, undefined);
  const [a, c] = [{ urn: 'urn:li:assertion:a' }, { urn: 'urn:li:assertion:c' }];
  assert.deepEqual(data?.['dataset'], {
    all: { start: 0, count: 2, total: 2, assertions: [a, c] },
    second: { start: 1, count: 1, total: 2, assertions: [c] },
    removed: { total: 3 },
  });
});
