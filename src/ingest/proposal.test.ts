import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { decodeByteText } from './client-encodings.ts';
import { parseProposal } from './proposal.ts';
import { verbatimNumbersOf } from './verbatim-numbers.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

function sent(changes: JsonObject = {}): JsonObject {
  return {
    entityType: 'dataset',
    entityUrn: orders,
    changeType: 'UPSERT',
    aspectName: 'datasetProperties',
    aspect: { value: '{"description":"One row per order"}', contentType: 'application/json' },
    ...changes,
  };
}

function refuses(code: string, ...words: string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PostilError, String(error));
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
    return true;
  };
}

test('a proposal is read as clients send it', () => {
  const proposal = parseProposal(
    sent({
      systemMetadata: { runId: 'r1', lastObserved: 1, pipelineName: null },
      auditHeader: null,
      headers: null,
    }),
  );
  assert.deepEqual(proposal, {
    urn: orders,
    aspect: 'datasetProperties',
    changeType: 'UPSERT',
    body: { description: 'One row per order' },
    systemMetadata: { runId: 'r1', lastObserved: 1 },
  });
});

test('system metadata may be JSON text, as datahub put sends it', () => {
  assert.deepEqual(parseProposal(sent({ systemMetadata: '{"runId":"r2"}' })).systemMetadata, { runId: 'r2' });
});

test('the key record may stand in for the urn', () => {
  const key = { platform: 'urn:li:dataPlatform:hive', name: 'shop.orders', origin: 'PROD' };
  const entityKeyAspect = { value: JSON.stringify(key), contentType: 'application/json' };
  assert.equal(parseProposal(sent({ entityUrn: null, entityKeyAspect })).urn, orders);
});

test('a urn whose letters were escaped twice is repaired', () => {
  const proposal = parseProposal(
    sent({
      entityType: 'tag',
      entityUrn: 'urn:li:tag:gr\\u00fcn',
      aspectName: 'status',
      aspect: { json: { removed: true } },
    }),
  );
  assert.equal(proposal.urn, 'urn:li:tag:grün');
});

test('text that Java sends as one character per byte is read as UTF-8, other text as it is', () => {
  const value = JSON.stringify({ description: 'Größe in m²' });
  const byByte = Buffer.from(value, 'utf8').toString('latin1');
  for (const each of [value, byByte]) {
    const { body } = parseProposal(sent({ aspect: { value: each, contentType: 'application/json' } }));
    assert.deepEqual(body, { description: 'Größe in m²' });
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(decodeByteText(Buffer.from(text, 'utf8').toString('latin1')), text);
    }),
  );
});

test('null members are dropped, wherever they are', () => {
  const value = '{"description":null,"customProperties":{"a":"b"},"created":{"time":1,"actor":null}}';
  assert.deepEqual(parseProposal(sent({ aspect: { value, contentType: 'application/json' } })).body, {
    customProperties: { a: 'b' },
    created: { time: 1 },
  });
});

test('numbers keep their text where JavaScript would print them differently', () => {
  const aspectName = 'mlModelProperties';
  const entity = {
    entityType: 'mlModel',
    entityUrn: 'urn:li:mlModel:(urn:li:dataPlatform:x,m,PROD)',
    aspectName,
  };
  const value = '{"a":60.0,"big":12345678901234567890,"n":null}';
  const proposal = parseProposal(sent({ ...entity, aspect: { value, contentType: 'application/json' } }));
  assert.equal(proposal.text, '{"a":60.0,"big":12345678901234567890}');
  const plain = parseProposal(sent({ ...entity, aspect: { value: '{"v":"1.0","n":1.5}' } }));
  assert.equal(plain.text, undefined);
});

test('any JSON text is printed again with its own numbers', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.integer().map((integer) => `${integer}.0`),
    fc.bigInt().map(String),
    fc.constantFrom('1e3', '1E+2', '-0', '0.10', '1.0000001e-274', '1.000001e-200'),
  );
  const text = fc
    .array(fc.tuple(fc.string(), number))
    .map((members) => `[${members.map(([name, value]) => `[${JSON.stringify(name)},${value}]`).join(',')}]`);
  fc.assert(
    fc.property(text, (json) => {
      const numbers = verbatimNumbersOf(json);
      const printed = numbers?.print(numbers.tree) ?? JSON.stringify(JSON.parse(json));
      assert.equal(
        printed,
        json.replaceAll(/(?<=,)-0(?=\])/g, (zero) => (numbers === undefined ? '0' : zero)),
      );
    }),
    { numRuns: 500 },
  );
});

test('headers become preconditions', () => {
  const headers = { 'if-none-match': '*', 'If-Version-Match': '-1', 'X-DataHub-Sync-Index-Update': 'true' };
  assert.deepEqual(parseProposal(sent({ headers })).preconditions, { onlyIfAbsent: true, version: -1 });
  assert.throws(
    () => parseProposal(sent({ headers: { 'If-Version-Match': 'two' } })),
    refuses('BAD_REQUEST', 'If-Version-Match', '"two"'),
  );
});

test('what is wrong with a proposal is named', () => {
  const cases: readonly (readonly [JsonObject, string, ...string[]])[] = [
    [{ entityUrn: undefined }, 'BAD_REQUEST', 'entityUrn'],
    [{ entityUrn: 'orders' }, 'INVALID_URN', '"orders"'],
    [{ entityType: 'chart' }, 'BAD_REQUEST', '"chart"', orders],
    [{ aspectName: 'datasetPropertys' }, 'UNKNOWN_ASPECT', 'datasetPropertys', 'datasetProperties'],
    [{ aspectName: undefined }, 'BAD_REQUEST', 'aspectName', orders],
    [{ changeType: 'UPSET' }, 'BAD_REQUEST', '"UPSET"', 'UPSERT', orders],
    [{ changeType: undefined }, 'BAD_REQUEST', 'changeType', orders],
    [{ changeType: 'PATCH' }, 'BAD_REQUEST', 'PATCH', 'datasetProperties', orders],
    [{ aspect: undefined }, 'INVALID_ASPECT', 'datasetProperties', orders],
    [{ aspect: { value: '{"a":' } }, 'INVALID_ASPECT', 'not valid JSON', orders],
    [{ aspect: { value: '[1]' } }, 'INVALID_ASPECT', 'JSON object', orders],
    [{ aspect: { value: '{}', contentType: 'text/xml' } }, 'INVALID_ASPECT', 'text/xml'],
    [
      { aspect: { value: '[]', contentType: 'application/json-patch+json' } },
      'BAD_REQUEST',
      'patch',
      'UPSERT',
    ],
    [{ systemMetadata: 7 }, 'BAD_REQUEST', 'systemMetadata', orders],
  ];
  for (const [changes, code, ...words] of cases) {
    assert.throws(() => parseProposal(sent(changes)), refuses(code, ...words), JSON.stringify(changes));
  }
  assert.throws(() => parseProposal([]), refuses('BAD_REQUEST'));
  assert.throws(
    () => parseProposal(sent({ entityType: 'FOOBAR', entityUrn: 'urn:li:FOOBAR:x' })),
    refuses('UNKNOWN_ENTITY_TYPE', 'FOOBAR'),
  );
});
