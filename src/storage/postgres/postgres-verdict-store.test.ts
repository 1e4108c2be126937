import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, test } from 'node:test';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import type { Urn } from '../../urn/urn.ts';
import { emptyChunkSet } from '../../verdict/chunk-set.ts';
import type { TestRow } from '../../verdict/test-row.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { datasetUrn, keyDraft, write } from '../contract/change-batch.ts';
import { emptyRow } from '../contract/random-rows.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';

function rowOf(urn: Urn, lists: Partial<TestRow['lists']>): TestRow {
  const row = emptyRow(urn);
  return { ...row, lists: { ...row.lists, ...lists } };
}

const nthText = (index: number): string => `text ${index}`;

describe('verdicts in a shared store', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('verdicts');
  const opened: VerdictKeepingStore[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  async function open(): Promise<VerdictKeepingStore> {
    const store = await openPostgresStore(database.url);
    opened.push(store);
    return store;
  }

  async function named(store: VerdictKeepingStore, names: readonly string[]): Promise<readonly Urn[]> {
    const urns = names.map(datasetUrn);
    await write(store, urns.map(keyDraft));
    return urns;
  }

  test('texts that are longer than an index row can be are kept once and told apart', async () => {
    const store = await open();
    const [first, second] = await named(store, ['first', 'second']);
    assert.ok(first !== undefined && second !== undefined);
    const long = randomBytes(20_000).toString('hex');
    const texts = [long, `${long}.`];
    await store.verdicts.transact((transaction) => transaction.putRows([rowOf(first, { tags: texts })]));
    // Another node, which remembers nothing.
    const node = await open();
    await node.verdicts.transact((transaction) => transaction.putRows([rowOf(second, { tags: texts })]));
    assert.deepEqual(
      (await store.verdicts.dictionary('tags')).map(({ text }) => text),
      texts,
    );
    assert.deepEqual((await store.verdicts.rows([second])).get(second)?.lists.tags, texts);
  });

  test('nodes that keep rows at once give each text one number', async () => {
    const nodes = [await open(), await open()];
    const urns = await named(
      nodes[0] ?? (await open()),
      Array.from({ length: 40 }, (_, index) => `t${index}`),
    );
    const list = (index: number): readonly string[] => [nthText(index % 7), nthText(index % 5), 'all'];
    await Promise.all(
      urns.map(async (urn, index) => {
        const row = rowOf(urn, { owners: list(index), terms: list(index) });
        await nodes[index % 2]?.verdicts.transact((transaction) => transaction.putRows([row]));
      }),
    );
    for (const node of nodes) {
      for (const column of ['owners', 'terms'] as const) {
        const texts = (await node.verdicts.dictionary(column)).map(({ text }) => text).sort();
        assert.deepEqual(texts, ['all', ...Array.from({ length: 7 }, (_, index) => nthText(index))]);
      }
      const rows = await node.verdicts.rows(urns);
      for (const [index, urn] of urns.entries()) {
        assert.deepEqual(new Set(rows.get(urn)?.lists.terms), new Set(list(index)));
      }
    }
  });

  test('numbers that a rollback took back are given anew, of texts and of tests', async () => {
    const store = await open();
    const [orders] = await named(store, ['orders']);
    assert.ok(orders !== undefined);
    const testUrn = 'urn:li:test:owned' as Urn;
    const passing = emptyChunkSet();
    passing[0] = 2;
    const verdicts = {
      passing,
      failing: emptyChunkSet(),
      exempt: emptyChunkSet(),
      undecided: emptyChunkSet(),
    };
    for (const text of ['lost', 'kept']) {
      const writing = store.verdicts.transact(async (transaction) => {
        await transaction.putRows([rowOf(orders, { tags: [text, 'both'] })]);
        await transaction.putVerdicts(testUrn, 0, verdicts);
        if (text === 'lost') throw new Error('given up');
      });
      if (text === 'lost') await assert.rejects(writing, { message: 'given up' });
      else await writing;
    }
    assert.deepEqual(await store.verdicts.dictionary('tags'), [
      { id: 1, text: 'kept' },
      { id: 2, text: 'both' },
    ]);
    assert.equal((await store.verdicts.counts(testUrn)).passing, 1);
    assert.deepEqual(await store.existing([testUrn]), new Set());
    await write(store, [keyDraft(datasetUrn('next'))]);
    assert.deepEqual(await store.integrityProblems(), []);
  });

  test('binary fractions do not raise what a ratio asks for', async () => {
    const store = await open();
    const urns = await named(store, ['six', 'seven']);
    const rows = urns.map((urn, index) => {
      const row = emptyRow(urn);
      return { ...row, numbers: { ...row.numbers, columns: 100, describedColumns: 6 + index } };
    });
    await store.verdicts.transact((transaction) => transaction.putRows(rows));
    // 0.07 * 100 is a little more than 7.
    const where = { kind: 'ratio', part: 'describedColumns', whole: 'columns', ratio: 0.07 } as const;
    const found = await store.verdicts.find({ entityType: 'dataset', where, count: 10 });
    assert.deepEqual([...(await store.verdicts.urnsOf(found)).values()], urns.slice(1));
  });
});
