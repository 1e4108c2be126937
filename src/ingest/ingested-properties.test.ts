import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { orders } from '../../test/sample-metadata.ts';
import { startTestServer, type Answer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import { ingestProposals } from './ingest-proposals.ts';

let server: TestServer;

const propertyOf = (id: string): string => `urn:li:structuredProperty:${id}`;
const typeOf = (name: string): string => `urn:li:dataType:datahub.${name}`;

function definition(valueType: string, others: JsonObject = {}): JsonObject {
  return {
    qualifiedName: 'q',
    displayName: 'A property',
    valueType: typeOf(valueType),
    entityTypes: ['urn:li:entityType:datahub.dataset'],
    cardinality: 'SINGLE',
    ...others,
  };
}

const definitions: Readonly<Record<string, JsonObject>> = {
  text: definition('string'),
  texts: definition('string', { cardinality: 'MULTIPLE' }),
  number: definition('number'),
  date: definition('date'),
  person: definition('urn', { typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.corpuser'] } }),
  level: definition('string', {
    allowedValues: [{ value: { string: 'low' } }, { value: { string: 'high' } }],
  }),
  once: definition('string', { immutable: true }),
  terms: definition('string', { entityTypes: ['urn:li:entityType:datahub.glossaryTerm'] }),
};

before(async () => {
  server = await startTestServer({ keepsVerdicts: false });
  for (const [id, body] of Object.entries(definitions)) {
    await server.ingest(propertyOf(id), 'propertyDefinition', body);
  }
});

after(() => server.close());

let datasets = 0;
const newDataset = (): string => orders.replace('orders', `orders_${(datasets += 1)}`);

const given = (values: Readonly<Record<string, readonly JsonObject[]>>): JsonObject => ({
  properties: Object.entries(values).map(([id, each]) => ({ propertyUrn: propertyOf(id), values: each })),
});

function proposal(entityUrn: string, body: JsonObject | undefined, changeType = 'UPSERT'): JsonObject {
  return {
    entityType: entityUrn.split(':')[2] ?? '',
    entityUrn,
    aspectName: 'structuredProperties',
    changeType,
    ...(body === undefined
      ? {}
      : { aspect: { value: JSON.stringify(body), contentType: 'application/json' } }),
  };
}

function send(proposals: readonly JsonObject[]): Promise<Answer> {
  return server.send('POST', '/aspects?action=ingestProposalBatch', { body: { proposals } });
}

async function stored(urn: string): Promise<JsonObject | undefined> {
  const aspects = await server.catalogue.store.read(parseUrn(urn), ['structuredProperties']);
  return aspects.get('structuredProperties')?.body;
}

const wrong: readonly (readonly [string, readonly JsonObject[], RegExp])[] = [
  ['text', [{ double: 1 }], /cannot be 1: its values have to be a text/],
  ['text', [{ string: 'a' }, { string: 'b' }], /takes one value, but 2 were given/],
  ['number', [{ string: 'many' }], /cannot be \\"many\\": its values have to be a number/],
  ['date', [{ string: '2026-02-30' }], /its values have to be a day/],
  ['person', [{ string: 'urn:li:corpGroup:a' }], /its values are urns of type corpuser/],
  ['level', [{ string: 'medium' }], /the allowed values are \\"low\\", \\"high\\"/],
  ['terms', [{ string: 'a' }], /it is for entities of type glossaryTerm, not dataset/],
];

test('ingested values that do not fit their definition are refused, over every door', async () => {
  const dataset = newDataset();
  await server.ingest(dataset, 'structuredProperties', given({ texts: [{ string: 'kept' }] }));
  for (const [id, values, message] of wrong) {
    const before = await server.lastSequence();
    const snapshot = {
      'com.linkedin.metadata.snapshot.DatasetSnapshot': {
        urn: dataset,
        aspects: [{ 'com.linkedin.structured.StructuredProperties': given({ [id]: values }) }],
      },
    };
    const answers = [
      await send([proposal(dataset, given({ text: [{ string: 'a' }], [id]: values }))]),
      await send([proposal(dataset, given({ [id]: values }), 'RESTATE')]),
      await server.send('POST', '/aspects?action=ingestProposal', {
        body: { proposal: proposal(newDataset(), given({ [id]: values }), 'CREATE') },
      }),
      await server.send('POST', '/entities?action=ingest', { body: { entity: { value: snapshot } } }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 422, `${id}: ${answer.text}`);
      assert.match(answer.text, message);
      assert.match(answer.text, /The aspect structuredProperties of urn:li:dataset/);
    }
    assert.equal(await server.lastSequence(), before);
  }
});

test('values that fit are stored as they came, and a repeat changes nothing', async () => {
  const dataset = newDataset();
  const body = given({
    text: [{ string: 'a' }],
    texts: [{ string: 'a' }, { string: 'b' }],
    number: [{ double: 1.5 }],
    date: [{ string: '2026-11-22' }],
    person: [{ string: 'urn:li:corpuser:ana' }],
    level: [{ string: 'low' }],
    once: [{ string: 'a' }],
  });
  assert.equal((await send([proposal(dataset, body)])).status, 200);
  assert.deepEqual(await stored(dataset), body);
  const sequence = await server.lastSequence();
  assert.equal((await send([proposal(dataset, body)])).status, 200);
  assert.equal(await server.lastSequence(), sequence);
});

test('an immutable property is ingested once; it is neither changed nor taken away', async () => {
  const dataset = newDataset();
  const body = given({ once: [{ string: 'a' }] });
  await server.ingest(dataset, 'structuredProperties', body);
  const others = [
    proposal(dataset, given({ once: [{ string: 'b' }] })),
    proposal(dataset, given({ text: [{ string: 'b' }] })),
    proposal(dataset, given({ once: [] })),
    proposal(dataset, undefined, 'DELETE'),
  ];
  for (const each of others) {
    const answer = await send([each]);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /is immutable/);
  }
  assert.deepEqual(await stored(dataset), body);
  const more = given({ once: [{ string: 'a' }], text: [{ string: 'b' }] });
  assert.equal((await send([proposal(dataset, more)])).status, 200);
  const deletion = await server.send('POST', '/entities?action=delete', { body: { urn: dataset } });
  assert.equal(deletion.status, 200);
});

test('values are checked against the definition that the same batch brings, and against none that is not there', async () => {
  const [dataset, property] = [newDataset(), propertyOf('later')];
  assert.equal((await send([proposal(dataset, given({ later: [{ string: 'any' }] }))])).status, 200);
  const define = (others: JsonObject): JsonObject => ({
    entityType: 'structuredProperty',
    entityUrn: property,
    aspectName: 'propertyDefinition',
    changeType: 'UPSERT',
    aspect: { value: JSON.stringify(definition('number', others)), contentType: 'application/json' },
  });
  const refusal = await send([proposal(dataset, given({ later: [{ string: 'b' }] })), define({})]);
  assert.equal(refusal.status, 422, refusal.text);
  assert.deepEqual(await stored(dataset), given({ later: [{ string: 'any' }] }));
  assert.equal((await send([define({}), proposal(dataset, given({ later: [{ double: 3 }] }))])).status, 200);
});

test('what was stored before a definition came stays, and does not stand in the way of other changes', async () => {
  const dataset = newDataset();
  await server.ingest(dataset, 'structuredProperties', given({ early: [{ string: 'a' }] }));
  await server.ingest(propertyOf('early'), 'propertyDefinition', definition('number'));
  const more = given({ early: [{ string: 'a' }], text: [{ string: 'b' }] });
  const answer = await send([proposal(dataset, more)]);
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await send([proposal(dataset, given({ early: [{ string: 'b' }] }))])).status, 422);
});

test('a property is named once for each source that says something of it', async () => {
  const assignment = (source?: string): JsonObject => ({
    propertyUrn: propertyOf('text'),
    values: [{ string: source ?? 'a' }],
    ...(source === undefined ? {} : { attribution: { time: 1, actor: 'urn:li:corpuser:ana', source } }),
  });
  const source = 'urn:li:dataHubAction:copying';
  const twice = await send([proposal(newDataset(), { properties: [assignment(), assignment()] })]);
  assert.match(twice.text, /is given twice/);
  const bySource = { properties: [assignment(), assignment(source)] };
  assert.equal((await send([proposal(newDataset(), bySource)])).status, 200);
});

test('an undo takes no definition away from its values, and widens one again', async () => {
  const property = propertyOf('widened');
  const undo = async (): Promise<string | undefined> => {
    const [newest] = await server.catalogue.store.changesOf({ urn: parseUrn(property), count: 1 });
    const answer = await server.graphql(`mutation { undoChange(sequence: ${newest?.sequence}) { urn } }`);
    return answer.errors?.[0]?.message;
  };
  await server.ingest(property, 'status', { removed: false });
  await server.ingest(property, 'propertyDefinition', definition('string'));
  assert.match((await undo()) ?? 'not refused', /deleteStructuredProperty takes its values along/);
  const allowedValues = [{ value: { string: 'low' } }];
  await server.ingest(property, 'propertyDefinition', definition('string', { allowedValues }));
  assert.equal(await undo(), undefined);
  assert.match((await undo()) ?? 'not refused', /cannot be narrowed/);
});

test('an undo gives no value that the definition does not take by now, and narrows no definition', async () => {
  const [dataset, property] = [newDataset(), propertyOf('narrow')];
  await server.ingest(dataset, 'structuredProperties', given({ narrow: [{ string: 'a' }] }));
  await server.ingest(dataset, 'structuredProperties', given({}));
  await server.ingest(property, 'propertyDefinition', definition('number'));
  await server.ingest(property, 'propertyDefinition', definition('number', { cardinality: 'MULTIPLE' }));
  for (const [urn, aspect, message] of [
    [dataset, 'structuredProperties', /its values have to be a number/],
    [property, 'propertyDefinition', /cannot be narrowed/],
  ] as const) {
    const changes = await server.catalogue.store.changesOf({ urn: parseUrn(urn), count: 10 });
    const sequence = changes.find((change) => change.aspect === aspect)?.sequence;
    const { errors } = await server.graphql(`mutation { undoChange(sequence: ${sequence}) { urn } }`);
    assert.match(errors?.[0]?.message ?? 'not refused', message);
  }
});

test('of requests that arrive together, each is held to the definition as those before it left it', async () => {
  await using catalogue = await openTestCatalogue();
  const property = parseUrn(propertyOf('changing'));
  const write = (urn: string, aspect: string, body: JsonObject): Promise<number> =>
    catalogue.execute(ingestProposals, [{ urn: parseUrn(urn), aspect, changeType: 'UPSERT', body }]);
  const assign = (value: JsonObject): Promise<number> =>
    write(newDataset(), 'structuredProperties', given({ changing: [value] }));
  await write(property, 'propertyDefinition', definition('string'));
  const outcomes = await Promise.allSettled([
    assign({ string: 'a' }),
    assign({ double: 1 }),
    write(property, 'propertyDefinition', definition('number')),
    assign({ string: 'a' }),
    assign({ double: 1 }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  );
});
