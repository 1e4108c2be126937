import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseRecord } from './file-records.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

function snapshotRecord(aspects: readonly JsonObject[], others: JsonObject = {}): string {
  const snapshot = { urn: orders, aspects };
  return JSON.stringify({
    auditHeader: null,
    proposedSnapshot: { 'com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot': snapshot },
    proposedDelta: null,
    ...others,
  });
}

function refused(text: string, code: string, ...words: string[]): void {
  assert.throws(
    () => parseRecord(text),
    (error) => {
      assert.ok(error instanceof PostilError, String(error));
      assert.equal(error.code, code, error.message);
      for (const word of words) assert.ok(error.message.includes(word), error.message);
      return true;
    },
  );
}

test('a snapshot gives one proposal for each aspect, with what only files write taken out', () => {
  const text = snapshotRecord(
    [
      { 'com.linkedin.pegasus2avro.common.Status': { removed: { boolean: false } } },
      {
        'com.linkedin.pegasus2avro.dataset.DatasetProperties': {
          description: { string: 'One row per order' },
          uri: null,
          customProperties: { string: 'stays' },
        },
      },
      { 'com.linkedin.pegasus2avro.metadata.key.DatasetKey': { name: 'something else' } },
    ],
    { systemMetadata: { runId: 'r1', pipelineName: null } },
  );
  const rest = { urn: orders, changeType: 'UPSERT', systemMetadata: { runId: 'r1' } };
  assert.deepEqual(parseRecord(text), [
    { ...rest, aspect: 'status', body: { removed: false } },
    {
      ...rest,
      aspect: 'datasetProperties',
      body: { description: 'One row per order', customProperties: { string: 'stays' } },
    },
    {
      ...rest,
      aspect: 'datasetKey',
      body: { platform: 'urn:li:dataPlatform:hive', name: 'shop.orders', origin: 'PROD' },
    },
  ]);
});

test('real unions keep their key, without pegasus2avro', () => {
  const field = (prefix: string): JsonObject => ({
    fieldPath: 'id',
    type: { type: { [`com.linkedin.${prefix}schema.StringType`]: {} } },
    nativeDataType: 'string',
  });
  const schema = (prefix: string): JsonObject => ({
    schemaName: 'orders',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { [`com.linkedin.${prefix}schema.OtherSchema`]: { rawSchema: '' } },
    fields: [field(prefix)],
  });
  const [proposal] = parseRecord(
    snapshotRecord([{ 'com.linkedin.pegasus2avro.schema.SchemaMetadata': schema('pegasus2avro.') }]),
  );
  assert.deepEqual(proposal?.body, schema(''));
});

test('proposals are read with their aspect as JSON and as text', () => {
  const proposal = (aspect: JsonObject): string =>
    JSON.stringify({
      entityType: 'dataset',
      entityUrn: orders,
      changeType: 'UPSERT',
      aspectName: 'status',
      aspect,
    });
  const expected = [{ urn: orders, aspect: 'status', changeType: 'UPSERT', body: { removed: true } }];
  assert.deepEqual(parseRecord(proposal({ json: { removed: true } })), expected);
  const value = '{"removed":true}';
  assert.deepEqual(parseRecord(proposal({ value, contentType: 'application/json' })), expected);
});

test('numbers keep their text in snapshots and proposals', () => {
  const inSnapshot = snapshotRecord([{ 'com.linkedin.pegasus2avro.dataset.DatasetProperties': {} }]).replace(
    '{}',
    '{"uri":null,"score":{"double":60.0},"n":[1.50, 2]}',
  );
  assert.equal(parseRecord(inSnapshot)[0]?.text, '{"score":{"double":60.0},"n":[1.50,2]}');
  const inProposal = `{"entityUrn":"${orders}","changeType":"UPSERT","aspectName":"datasetProfile",
    "aspect":{"json":{"nullProportion": 0.0}}}`;
  assert.equal(parseRecord(inProposal)[0]?.text, '{"nullProportion":0.0}');
});

test('what cannot be read is named', () => {
  refused('{"a":1', 'BAD_REQUEST', 'not valid JSON');
  refused('[]', 'BAD_REQUEST', 'no JSON object');
  refused('{"bucket":1}', 'BAD_REQUEST', 'proposedSnapshot');
  refused(
    snapshotRecord([{ 'com.linkedin.pegasus2avro.common.Nothing': {} }]),
    'UNKNOWN_ASPECT',
    'Nothing',
    orders,
  );
  refused(
    snapshotRecord([{ 'com.linkedin.pegasus2avro.chart.ChartInfo': {} }]),
    'UNKNOWN_ASPECT',
    'chartInfo',
  );
  refused(snapshotRecord([{ status: {}, ownership: {} }]), 'BAD_REQUEST', 'Aspect 1', orders);
  refused(snapshotRecord([], { proposedDelta: {} }), 'BAD_REQUEST', 'proposedDelta');
  refused(
    '{"proposedSnapshot":{"com.linkedin.x.TagSnapshot":{"urn":"tag","aspects":[]}}}',
    'INVALID_URN',
    '"tag"',
  );
});

test('a record that is nested too deep is refused as a record, whatever its numbers', () => {
  for (const number of ['1', '1.0']) {
    const deep = `${'['.repeat(20_000)}${number}${']'.repeat(20_000)}`;
    const text = `{"entityUrn":"urn:li:tag:a","aspectName":"tagProperties","changeType":"UPSERT","aspect":{"json":${deep}}}`;
    assert.throws(() => parseRecord(text), /nested more than 500 levels deep/);
    const wire = JSON.stringify({
      entityUrn: 'urn:li:tag:a',
      aspectName: 'tagProperties',
      changeType: 'UPSERT',
      aspect: { value: `{"name":"a","x":${deep}}`, contentType: 'application/json' },
    });
    assert.throws(() => parseRecord(wire), /nested more than 500 levels deep/);
  }
});

test('a snapshot without aspects says that the entity is there', () => {
  const [only, ...others] = parseRecord(snapshotRecord([], { systemMetadata: { runId: 'r' } }));
  assert.deepEqual(others, []);
  assert.equal(only?.aspect, 'datasetKey');
  assert.equal(only.body?.['name'], 'shop.orders');
  assert.deepEqual(only.systemMetadata, { runId: 'r' });
});
