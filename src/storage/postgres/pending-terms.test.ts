import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import { datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { createPendingTerms } from './pending-terms.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';
import type { Result } from './postgres-connection.ts';

const many = 300 * 1024;
const answer: Result = { rows: [], count: 0, command: 'SELECT' };

/** A server that is asked to sort terms in, and answers when it is told to. */
function openServer() {
  const asked: PromiseWithResolvers<Result>[] = [];
  return {
    asked,
    run(sql: string): Promise<Result> {
      assert.match(sql, /gin_clean_pending_list/);
      const question = Promise.withResolvers<Result>();
      asked.push(question);
      return question.promise;
    },
  };
}

describe('new terms are sorted into the index beside the writes', () => {
  test('at once when they are many, one time after the other, and again for what came meanwhile', async () => {
    const server = openServer();
    const pending = createPendingTerms(server.run);
    pending.written(many);
    assert.equal(server.asked.length, 1);
    pending.written(many);
    pending.written(many);
    assert.equal(server.asked.length, 1);
    server.asked[0]?.resolve(answer);
    await nextTurn();
    assert.equal(server.asked.length, 2);
    server.asked[1]?.resolve(answer);
    await nextTurn();
    assert.equal(server.asked.length, 2);
    await pending.stop();
  });

  test('after a second when they are few, and once after a start, because of what others left', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const server = openServer();
    const pending = createPendingTerms(server.run);
    assert.equal(server.asked.length, 0);
    context.mock.timers.tick(1_000);
    assert.equal(server.asked.length, 1);
    server.asked[0]?.resolve(answer);
    await nextTurn();
    context.mock.timers.tick(60_000);
    assert.equal(server.asked.length, 1, 'nothing was written since');
    pending.written(0);
    context.mock.timers.tick(1_000);
    assert.equal(server.asked.length, 1, 'nor were any terms');
    for (let letters = 0; letters < 10; letters += 1) pending.written(1);
    context.mock.timers.tick(1_000);
    assert.equal(server.asked.length, 2);
    server.asked[1]?.resolve(answer);
    await pending.stop();
  });

  test('and a server that refuses it harms nobody; the next time it is asked again', async () => {
    const server = openServer();
    const pending = createPendingTerms(server.run);
    pending.written(many);
    server.asked[0]?.reject(new Error('must be owner of index'));
    await nextTurn();
    pending.written(many);
    assert.equal(server.asked.length, 2);
    server.asked[1]?.resolve(answer);
    await pending.stop();
  });

  test('until it is stopped, which waits for what runs', async () => {
    const server = openServer();
    const pending = createPendingTerms(server.run);
    pending.written(many);
    let isStopped = false;
    const stopping = pending.stop().then(() => {
      isStopped = true;
    });
    await nextTurn();
    assert.equal(isStopped, false);
    pending.written(many);
    server.asked[0]?.resolve(answer);
    await stopping;
    pending.written(many);
    assert.equal(server.asked.length, 1);
  });
});

describe('a store on PostgreSQL', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('pending');

  /** Waits until the server has sorted terms in and is asked nothing more. */
  async function untilSortedIn(): Promise<void> {
    const asked = `SELECT count(*)::integer AS asked FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'postil' AND state = 'idle' AND query LIKE '%gin_clean_pending_list%'`;
    for (let tries = 0; tries < 200; tries += 1) {
      const [row] = await database.admin.unsafe<{ asked: number }[]>(asked);
      if (row !== undefined && row.asked > 0) return;
      await sleep(50);
    }
    assert.fail('the server was never asked to sort terms in');
  }

  test('sorts in what was written, long entries and short ones', async () => {
    const store = await openPostgresStore(database.url);
    try {
      const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(`d${at}`));
      const long = Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(' ');
      await write(store, urns.map(keyDraft), {
        searchEntries: urns.flatMap((urn) => [
          { urn, aspect: 'datasetKey', entry: { fields: {}, terms: 'few' } },
          { urn, aspect: 'schemaMetadata', entry: { fields: {}, terms: long } },
        ]),
      });
      await untilSortedIn();
      const [left] = await database.admin.unsafe(
        `SELECT gin_clean_pending_list('search_bearer_terms')::integer AS long, gin_clean_pending_list('search_few_terms')::integer AS few`,
      );
      assert.deepEqual([left?.['long'], left?.['few']], [0, 0]);
      assert.equal((await store.search.bearers({ term: 'word7', isPrefix: false })).length, urns.length);
    } finally {
      await store.close();
    }
  });
});
