import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';

const smallWrites = 20;
/** Rows of tables and indexes that a small write may look at: those of its entity, some times. */
const rowsPerWrite = 40;

describe('a small write on PostgreSQL', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('plans');

  /** What the server has read and written in the tables of the search index so far. */
  async function counted(): Promise<{ readonly read: number; readonly written: number }> {
    const [row] = await database.admin.unsafe<{ read: number; written: number }[]>(
      `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS read,
         sum(n_tup_ins + n_tup_upd + n_tup_del)::integer AS written
       FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname LIKE 'search_%'`,
    );
    return row ?? assert.fail('no statistics');
  }

  /** As soon as so many writes were told of: a connection tells what it did when it is closed, and seldom before. */
  async function countedAfter(written: number): Promise<{ readonly read: number; readonly written: number }> {
    for (let tries = 0; tries < 200; tries += 1) {
      const now = await counted();
      if (now.written >= written) return now;
      await sleep(50);
    }
    return assert.fail(`the server told of less than ${written} writes`);
  }

  async function writeSome(store: CatalogueStore, entities: number, term: string): Promise<void> {
    for (let at = 0; at < smallWrites; at += 1) {
      const urn = datasetUrn(`d${(at * 37) % entities}`);
      const terms = at % 2 === 0 ? `${term}${at}` : `${term}${at} `.concat('longer '.repeat(30)).trim();
      await write(store, [{ urn, aspect: 'globalTags', text: `{"tags":["${term}${at}"]}` }], {
        searchEntries: [{ urn, aspect: 'globalTags', entry: { fields: { tags: [term] }, terms } }],
      });
    }
  }

  test('looks at few rows of the search index, though its plans were made when there were none', async () => {
    const store = await openPostgresStore(database.url);
    try {
      // Plans are kept from the sixth time on.
      await writeSome(store, smallWrites, 'early');
      const other = await openPostgresStore(database.url);
      const entities = 3_000;
      const urns = Array.from({ length: entities }, (_, at) => datasetUrn(`d${at}`));
      await write(other, urns.slice(smallWrites).map(keyDraft), {
        searchEntries: urns.flatMap((urn) =>
          ['datasetKey', 'datasetProperties'].map((aspect) => ({
            urn,
            aspect,
            entry: { fields: {}, terms: aspect === 'datasetKey' ? 'few' : 'more '.repeat(40).trim() },
          })),
        ),
      });
      await other.close();
      const before = await countedAfter(2 * entities);
      await writeSome(store, entities, 'late');
      await store.close();
      const after = await countedAfter(before.written + 2 * smallWrites);
      const perWrite = (after.read - before.read) / (2 * smallWrites);
      assert.ok(perWrite <= rowsPerWrite, `${perWrite} rows were looked at for each write`);
    } finally {
      await store.close();
    }
  });
});
