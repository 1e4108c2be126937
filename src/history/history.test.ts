import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { orders, schemaOf } from '../../test/sample-metadata.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';

const pii = 'urn:li:tag:pii';
const term = 'urn:li:glossaryTerm:Shop.Customer';
const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' };
const timelineQuery = `query ($input: GetTimelineInput!) { getTimeline(input: $input) { changeTransactions {
  timestampMillis actor command lastSemanticVersion versionStamp changeType
  changes { urn category operation modifier description sequence auditStamp { actor } parameters { key value } } } } }`;

type Event = {
  readonly urn: string;
  readonly category: string;
  readonly operation: string;
  readonly modifier: string | null;
  readonly sequence: number;
};
type Transaction = {
  readonly lastSemanticVersion: string;
  readonly changeType: string;
  readonly command: string;
  readonly changes: readonly Event[];
};

describe('the history of an entity', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ keepsVerdicts: false });
    await server.ingest(term, 'glossaryTermInfo', {
      definition: 'Who buys',
      termSource: 'INTERNAL',
      name: 'Customer',
    });
    await server.ingest(pii, 'tagProperties', { name: 'pii' });
    await server.ingest(orders, 'schemaMetadata', schemaOf([{ fieldPath: 'id' }, { fieldPath: 'customer' }]));
  });
  after(() => server.close());

  async function timeline(
    urn: string,
    changeCategories?: readonly string[],
  ): Promise<readonly Transaction[]> {
    const input = { urn, ...(changeCategories === undefined ? {} : { changeCategories }) };
    const { getTimeline } = (await server.data(timelineQuery, { input })) as unknown as {
      getTimeline: { changeTransactions: readonly Transaction[] };
    };
    return getTimeline.changeTransactions;
  }

  const said = (transactions: readonly Transaction[]): readonly string[] =>
    transactions.flatMap(({ changes }) =>
      changes.map(({ category, operation, modifier }) => `${category} ${operation} ${modifier}`),
    );

  it('tells terms, tags, owners, descriptions, links and columns as they came and went', async () => {
    const editor = (query: string): Promise<JsonObject> => server.data(`mutation { ${query} }`);
    await editor(`addTerm(input: {termUrn: "${term}", resourceUrn: "${orders}"})`);
    await editor(
      `addTerm(input: {termUrn: "${term}", resourceUrn: "${orders}", subResourceType: DATASET_FIELD, subResource: "customer"})`,
    );
    await editor(`updateDescription(input: {description: "All orders", resourceUrn: "${orders}"})`);
    await editor(
      `addLink(input: {linkUrl: "https://wiki.example/orders", label: "Orders", resourceUrn: "${orders}"})`,
    );
    await editor(`removeTerm(input: {termUrn: "${term}", resourceUrn: "${orders}"})`);
    await server.ingest(orders, 'globalTags', { tags: [{ tag: pii }] });
    await server.ingest(orders, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }],
      lastModified: stamp,
    });
    await server.ingest(orders, 'schemaMetadata', schemaOf([{ fieldPath: 'id' }, { fieldPath: 'client' }]));
    const column = (path: string): string => `urn:li:schemaField:(${orders},${path})`;
    const transactions = await timeline(orders);
    assert.deepEqual(said(transactions), [
      `LIFECYCLE CREATE ${orders}`,
      `TECHNICAL_SCHEMA ADD ${column('id')}`,
      `TECHNICAL_SCHEMA ADD ${column('customer')}`,
      `GLOSSARY_TERM ADD ${term}`,
      `GLOSSARY_TERM ADD ${term}`,
      'DOCUMENTATION ADD null',
      'DOCUMENTATION ADD https://wiki.example/orders',
      `GLOSSARY_TERM REMOVE ${term}`,
      `TAG ADD ${pii}`,
      'OWNERSHIP ADD urn:li:corpuser:ana',
      `TECHNICAL_SCHEMA REMOVE ${column('customer')}`,
      `TECHNICAL_SCHEMA ADD ${column('client')}`,
    ]);
    assert.equal(transactions[2]?.changes[0]?.urn, column('customer'));
    assert.deepEqual(
      transactions.map(({ lastSemanticVersion }) => lastSemanticVersion),
      ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.3.2', '0.4.0', '0.5.0', '0.6.0', '1.0.0'],
    );
    assert.equal(transactions[3]?.command, 'updateDescription');
    assert.deepEqual(said(await timeline(orders, ['TAG', 'OWNERSHIP'])), [
      `TAG ADD ${pii}`,
      'OWNERSHIP ADD urn:li:corpuser:ana',
    ]);
  });

  it('is answered over HTTP as DataHub answers it', async () => {
    const path = `/openapi/v2/timeline/v1/${encodeURIComponent(orders)}`;
    const { body, status } = await server.send(
      'GET',
      `${path}?categories=TAG&categories=OWNERSHIP&startTime=-1`,
    );
    assert.equal(status, 200);
    const transactions = body as unknown as readonly { readonly changeEvents: readonly JsonObject[] }[];
    assert.deepEqual(
      transactions.flatMap(({ changeEvents }) => changeEvents.map(({ category }) => category)),
      ['TAG', 'OWNERSHIP'],
    );
    assert.equal((await server.send('GET', `${path}?categories=COLOUR`)).status, 400);
    assert.equal((await server.send('GET', `${path}?startTime=x`)).status, 400);
    assert.equal((await server.send('GET', '/openapi/v2/timeline/v1/orders')).status, 400);
    assert.equal((await server.send('GET', path, { token: null })).status, 401);
  });

  it('gives the value of an aspect as of a moment and as of a change', async () => {
    const changes = (await timeline(orders, ['TAG'])).flatMap((each) => each.changes);
    const sequence = changes[0]?.sequence ?? 0;
    const asOf = async (moment: string): Promise<JsonObject> => {
      const query = `{ aspectAsOf(urn: "${orders}", aspectName: "globalTags", ${moment}) { payload version sequence } }`;
      return (await server.data(query))['aspectAsOf'] as JsonObject;
    };
    await server.ingest(orders, 'globalTags', { tags: [] });
    assert.deepEqual(await asOf(`sequence: ${sequence}`), {
      payload: `{"tags":[{"tag":"${pii}"}]}`,
      version: 1,
      sequence,
    });
    assert.deepEqual(await asOf(`sequence: ${sequence - 1}`), {
      payload: null,
      version: null,
      sequence: null,
    });
    assert.equal((await asOf(`timeMillis: ${Date.now()}`))['payload'], '{"tags":[]}');
    assert.equal((await asOf('timeMillis: 1'))['payload'], null);
    for (const wrong of ['timeMillis: 1, sequence: 1', 'sequence: -1']) {
      const { errors } = await server.graphql(
        `{ aspectAsOf(urn: "${orders}", aspectName: "globalTags", ${wrong}) { payload } }`,
      );
      assert.equal(errors?.[0]?.extensions.code, 400, wrong);
    }
    const { errors } = await server.graphql(
      `{ aspectAsOf(urn: "${orders}", aspectName: "none", sequence: 1) { payload } }`,
    );
    assert.equal(errors?.[0]?.extensions.code, 400);
  });

  it('undoes one change by its number, and an undo as well', async () => {
    await server.data(
      `mutation { updateDescription(input: {description: "Orders of all shops", resourceUrn: "${orders}"}) }`,
    );
    const newest = async (): Promise<number> => (await timeline(orders)).at(-1)?.changes[0]?.sequence ?? 0;
    const description = async (): Promise<unknown> =>
      (await server.data(`{ dataset(urn: "${orders}") { editableProperties { description } } }`))['dataset'];
    const change = await newest();
    await server.data(`mutation { undoChange(sequence: ${change}) { urn aspectNames } }`);
    assert.deepEqual(await description(), { editableProperties: { description: 'All orders' } });
    await server.data(`mutation { undoChange(sequence: ${await newest()}) { urn } }`);
    assert.deepEqual(await description(), { editableProperties: { description: 'Orders of all shops' } });
    const sequence = await server.lastSequence();
    const { errors } = await server.graphql(`mutation { undoChange(sequence: ${change}) { urn } }`);
    assert.match(errors?.[0]?.message ?? '', /was changed after change/);
    for (const wrong of [0, -1, 999_999]) {
      const answer = await server.graphql(`mutation { undoChange(sequence: ${wrong}) { urn } }`);
      assert.match(answer.errors?.[0]?.message ?? '', /There is no change/, String(wrong));
    }
    assert.equal(await server.lastSequence(), sequence);
  });

  it('brings a deleted entity back with everything that went with it', async () => {
    const urn = 'urn:li:glossaryTerm:Shop.Gone';
    await server.ingest(urn, 'glossaryTermInfo', {
      definition: 'Soon gone',
      termSource: 'INTERNAL',
      name: 'Gone',
    });
    await server.ingest(urn, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }],
      lastModified: stamp,
    });
    await server.data(`mutation { deleteGlossaryEntity(urn: "${urn}") }`, {}, server.tokens.Admin);
    const deletion = (await timeline(urn))
      .at(-1)
      ?.changes.find(({ operation, category }) => operation === 'REMOVE' && category === 'LIFECYCLE');
    const { undoChange } = (await server.data(
      `mutation { undoChange(sequence: ${deletion?.sequence}) { aspectNames } }`,
    )) as unknown as { undoChange: { aspectNames: readonly string[] } };
    assert.deepEqual(undoChange.aspectNames.toSorted(), ['glossaryTermInfo', 'glossaryTermKey', 'ownership']);
    assert.deepEqual(
      await server.data(`{ glossaryTerm(urn: "${urn}") { exists glossaryTermInfo { name } } }`),
      {
        glossaryTerm: { exists: true, glossaryTermInfo: { name: 'Gone' } },
      },
    );
    const { errors } = await server.graphql(
      `mutation { undoChange(sequence: ${deletion?.sequence}) { urn } }`,
    );
    assert.match(errors?.[0]?.message ?? '', /exists again/);
    const creation = (await timeline(urn))[0]?.changes[0]?.sequence;
    const refused = await server.graphql(`mutation { undoChange(sequence: ${creation}) { urn } }`);
    assert.match(refused.errors?.[0]?.message ?? '', /delete the entity instead/);
  });

  it('is undone by nobody without the right to write it, and rights are guarded as such', async () => {
    await server.ingest('urn:li:corpuser:eve', 'roleMembership', { roles: ['urn:li:dataHubRole:Reader'] });
    const changes = await server.catalogue.store.changesOf({
      urn: parseUrn('urn:li:corpuser:eve'),
      count: 10,
    });
    const granted = changes.find(({ aspect }) => aspect === 'roleMembership')?.sequence;
    const sequence = await server.lastSequence();
    for (const token of [server.tokens.Reader, server.tokens.Editor]) {
      const { errors } = await server.graphql(
        `mutation { undoChange(sequence: ${granted}) { urn } }`,
        {},
        token,
      );
      assert.equal(errors?.[0]?.extensions.code, 403);
    }
    assert.equal(await server.lastSequence(), sequence);
  });
});
