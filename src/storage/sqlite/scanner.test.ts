import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { emptyChunkSet, sizeOfSet } from '../../verdict/chunk-set.ts';
import type { RowPredicate } from '../../verdict/row-predicate.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { emptyRow } from '../contract/random-rows.ts';
import { createScanner } from './scanner.ts';
import { databaseFileName, openSqliteStore } from './sqlite-aspect-store.ts';

const everything: RowPredicate = { kind: 'known', value: true };
const datasets = { entityType: 'dataset', where: everything, count: 10_000 } as const;

type RowsOfTest = AsyncDisposable & { readonly store: VerdictKeepingStore; readonly file: string };

/** A store with rows of this many datasets. */
async function openRows(count: number): Promise<RowsOfTest> {
  const folder = mkdtempSync(join(tmpdir(), 'postil-scan-'));
  const store = await openSqliteStore(folder);
  const urns = Array.from({ length: count }, (_, index) =>
    parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,d${index},PROD)`),
  );
  await store.verdicts.transact(async (transaction) => {
    // A test of that name would make the entity known; so does this.
    for (const urn of urns) await transaction.appendChanges([changeOf(urn)]);
    await transaction.putRows(urns.map((urn) => emptyRow(urn)));
  });
  return {
    store,
    file: join(folder, databaseFileName),
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function changeOf(test: Urn): Parameters<Writer['appendChanges']>[0][number] {
  const none = emptyChunkSet();
  return {
    test,
    chunk: 0,
    time: 0,
    sequence: 0,
    definitionMd5: '',
    toPassing: none,
    toFailing: none,
    toExempt: none,
    toNone: none,
    deltas: { passing: 0, failing: 0, exempt: 0 },
  };
}

type Writer = Parameters<Parameters<VerdictKeepingStore['verdicts']['transact']>[0]>[0];

describe('the thread that scans rows', () => {
  it('leaves the thread that answers requests free while it reads', async () => {
    await using rows = await openRows(10_000);
    let turns = 0;
    let isCounting = true;
    const count = (): void => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const heavy = Array.from({ length: 100 }, (_, index): RowPredicate => ({
      kind: 'count',
      column: 'tags',
      comparison: '=',
      limit: index + 1,
    }));
    const where: RowPredicate = { kind: 'not', operand: { kind: 'or', operands: heavy } };
    const found = await rows.store.verdicts.find({ ...datasets, where });
    isCounting = false;
    assert.equal(found.length, 10_000);
    assert.ok(turns > 100, `${turns} turns of the event loop`);
  });

  it('ends when it is idle, not while a scan is open, and another one answers the next question', async () => {
    await using rows = await openRows(3);
    const scanner = createScanner(rows.file, 0);
    const scan = await scanner.prepareScan('dataset', [{ scope: everything, rules: [] }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [answer] = await scan.chunk(0);
    assert.equal(sizeOfSet(answer?.passing ?? emptyChunkSet()), 3);
    await scan.close();
    for (const _ of [1, 2, 3]) {
      assert.equal((await scanner.find(datasets)).length, 3);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await scanner.close();
    await assert.rejects(scanner.find(datasets), { code: 'STORAGE_FAILED' });
  });

  it('answers what was asked before the store is closed', async () => {
    await using rows = await openRows(3);
    const asked = rows.store.verdicts.find({ entityType: 'dataset', where: everything, count: 10 });
    await rows.store.close();
    assert.equal((await asked).length, 3);
  });

  it('tells by its code that a store cannot be opened, or is damaged', async () => {
    await using rows = await openRows(3);
    await rows.store.close();
    const missing = createScanner(`${rows.file}.none`);
    await assert.rejects(missing.find(datasets), { name: 'PostilError', code: 'STORE_UNUSABLE' });
    await missing.close();
    const database = new DatabaseSync(rows.file);
    const page = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'test_row'`).get()?.[
      'rootpage'
    ];
    database.close();
    const bytes = readFileSync(rows.file);
    writeFileSync(rows.file, bytes.fill(255, (Number(page) - 1) * 4_096, Number(page) * 4_096));
    const damaged = createScanner(rows.file);
    await assert.rejects(damaged.find(datasets), { name: 'PostilError', code: 'CORRUPT_ASPECT' });
    await damaged.close();
  });

  it('tells what went wrong, and answers the next question', async () => {
    await using rows = await openRows(3);
    const rename = (from: string, to: string): void => {
      const database = new DatabaseSync(rows.file);
      database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      database.close();
    };
    rename('test_row', 'elsewhere');
    await assert.rejects(rows.store.verdicts.find(datasets), /no such table: test_row/);
    await assert.rejects(
      rows.store.verdicts.prepareScan('dataset', [{ scope: everything, rules: [] }]),
      /no such table/,
    );
    rename('elsewhere', 'test_row');
    assert.equal((await rows.store.verdicts.find(datasets)).length, 3);
  });
});

it('a transaction of verdicts that goes on after a write failed is not committed', async () => {
  await using rows = await openRows(1);
  const known = (await rows.store.verdicts.urnsOf([1])).get(1);
  const unheard = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,unheard,PROD)');
  assert.ok(known !== undefined);
  const { verdicts } = rows.store;
  const swallowed = verdicts.transact(async (transaction) => {
    await transaction.putRecords([{ kind: 'kind', key: 'key', text: '{}' }]);
    await transaction.putRows([emptyRow(known, { removed: true }), emptyRow(unheard)]).catch(() => undefined);
  });
  await assert.rejects(swallowed, { code: 'ENTITY_NOT_FOUND' });
  assert.equal(await verdicts.record('kind', 'key'), undefined);
  assert.equal((await verdicts.rows([known])).get(known)?.removed, false);
  await verdicts.transact((transaction) =>
    transaction.putRecords([{ kind: 'kind', key: 'key', text: '{}' }]),
  );
  assert.equal(await verdicts.record('kind', 'key'), '{}');
});
