import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/server.ts';
import { projections } from '../projections.ts';
import { parseUrn } from '../urn/urn.ts';
import { verifyStore } from './verify-store.ts';

const urnOf = (at: number): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.t${at},PROD)`;

describe('POST /operations?action=restoreIndices', () => {
  let server: TestServer;
  const restore = (token: string | undefined, body: object = {}): ReturnType<TestServer['send']> =>
    server.send('POST', '/operations?action=restoreIndices', {
      body,
      ...(token === undefined ? {} : { token }),
    });

  before(async () => {
    server = await startTestServer({ keepsVerdicts: false });
    for (let at = 0; at < 60; at += 1)
      await server.ingest(urnOf(at), 'datasetProperties', { name: `Table ${at}` });
  });
  after(() => server.close());

  async function problems(): Promise<readonly object[]> {
    return (await verifyStore(server.catalogue.store, projections, () => undefined)).problems;
  }

  test('makes the index anew, answers what it did, and stores nothing else', async () => {
    const { search } = server.catalogue.store;
    const before = [await server.lastSequence(), await search.countEntries()];
    const { status, body } = await restore(server.tokens.Admin);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /^\{"value":"Made \d+ search entries of \d+ entities anew"\}$/);
    assert.deepEqual([await server.lastSequence(), await search.countEntries()], before);
    assert.deepEqual(await problems(), []);
  });

  test('is for those who manage policies', async () => {
    for (const token of [server.tokens.Editor, server.tokens.Reader]) {
      const { status, body } = await restore(token);
      assert.equal(status, 403);
      assert.match(JSON.stringify(body), /Unauthorized to perform this action/);
    }
  });

  test('for one entity, makes its entries alone', async () => {
    const { search } = server.catalogue.store;
    await search.clear();
    const { status, body } = await restore(server.tokens.Admin, { urn: urnOf(7) });
    assert.deepEqual(
      [status, (await Array.fromAsync(search.scan(99, () => []))).flat().map(({ urn }) => urn)],
      [200, [urnOf(7)]],
    );
    assert.match(JSON.stringify(body), /of 1 entities anew/);
    await restore(server.tokens.Admin);
    assert.deepEqual(await problems(), []);
  });

  test('refuses what is no URN and what nobody knows', async () => {
    for (const [urn, status] of [
      ['orders', 400],
      [7, 400],
      [parseUrn('urn:li:tag:never'), 404],
    ] as const) {
      assert.equal((await restore(server.tokens.Admin, { urn })).status, status, String(urn));
    }
  });

  test('while others write, what they wrote is indexed, and requests that come together share the work', async () => {
    const restored = Promise.all([restore(server.tokens.Admin), restore(server.tokens.Admin)]);
    for (let at = 40; at < 90; at += 1) {
      await server.ingest(urnOf(at), 'datasetProperties', {
        name: `Changed ${at}`,
        description: 'While indexing',
      });
    }
    const [first, second] = await restored;
    assert.equal(first.status, 200);
    assert.equal(second.text, first.text);
    assert.deepEqual(await problems(), []);
    const statistics = await server.catalogue.store.search.countEntries();
    await restore(server.tokens.Admin);
    assert.deepEqual(await server.catalogue.store.search.countEntries(), statistics);
  });
});
