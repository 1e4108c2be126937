import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SearchEntry, termsOf } from '../../aspect/search-entry.ts';
import { entriesVersion } from '../../search-index/entries-version.ts';
import { completeIndex, rebuildEntity, rebuildIndex, remakeIndex } from '../../search-index/rebuild-index.ts';
import type { EntryOf } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { datasetUrn, keyDraft, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

/** Aspects say a number, and are found by it; keys are found by nothing, and others have no entry. */
const entryOf: EntryOf = (_urn, aspect, { n }) => {
  if (aspect.endsWith('Key')) return { fields: {}, terms: '' };
  if (typeof n !== 'number') return undefined;
  return {
    fields: { n: [String(n)] },
    terms: `n${n} .${aspect.toLowerCase()}`,
  };
};

const parts = { entryOf, milliseconds: 0 };

/** Stores a number in an aspect; with its entry, as the write engine does, unless it is to be lacking. */
async function say(
  store: CatalogueStore,
  urn: Urn,
  n: number,
  { aspect = 'said', isIndexed = true }: { readonly aspect?: string; readonly isIndexed?: boolean } = {},
): Promise<void> {
  const isNew = (await store.existing([urn])).size === 0;
  const drafts = [...(isNew ? [keyDraft(urn)] : []), { urn, aspect, text: JSON.stringify({ n }) }];
  await write(store, drafts, {
    searchEntries: isIndexed
      ? drafts.map((draft) => ({
          urn,
          aspect: draft.aspect,
          entry: entryOf(urn, draft.aspect, JSON.parse(draft.text ?? '{}')),
        }))
      : [],
  });
}

/** Everything that is stored of some entities, so that two states can be compared. */
async function everythingOf(store: CatalogueStore, urns: readonly Urn[]): Promise<object> {
  const entries: Record<Urn, object> = {};
  for (const urn of urns) {
    const searchEntries = await store.searchEntriesOf(urn);
    entries[urn] = Object.fromEntries(
      [...searchEntries].map(([aspect, entry]) => [aspect, { ...entry, terms: [...termsOf(entry)].sort() }]),
    );
  }
  return { entries, count: await store.search.countEntries() };
}

async function countOf(store: CatalogueStore, term: string): Promise<number> {
  return (await store.search.bearers({ term, isPrefix: false })).length;
}

const urns = Array.from({ length: 120 }, (_, at) =>
  at % 10 === 0 ? termUrn(`t${at}`) : datasetUrn(`d${at}`),
);

export function testIndexRebuild(subject: Subject): void {
  describe('the search index is made anew from the aspects', () => {
    test('and is then as if every write had made its entries', async () => {
      const { store, reopen } = subject();
      for (const [at, urn] of urns.entries()) await say(store, urn, at % 7);
      await write(store, [{ urn: termUrn('only-mentioned'), aspect: 'other', text: '{}' }]);
      const before = await everythingOf(store, urns);
      const sequence = await store.lastSequence();
      const reports: number[] = [];
      const report = await rebuildIndex(store.search, { ...parts, onProgress: (done) => reports.push(done) });
      assert.deepEqual(report, { entities: 121, entries: 240, unreadable: [] });
      assert.ok(reports.length > 2 && reports.at(-1) === 121, String(reports));
      assert.deepEqual(await everythingOf(store, urns), before);
      assert.equal(await store.lastSequence(), sequence, 'nothing is added to the change log');
      const reopened = await reopen();
      await remakeIndex(reopened.search, { ...parts, isShared: false });
      assert.deepEqual(await everythingOf(reopened, urns), before);
      assert.deepEqual(await reopened.integrityProblems(), []);
    });

    test('with entries that were lacking, and without those that belong to nothing', async () => {
      const { store, sql, fieldsColumn } = subject();
      for (const [at, urn] of urns.entries()) await say(store, urn, at % 7, { isIndexed: at % 2 === 0 });
      const lost: SearchEntry = { fields: { n: ['9'] }, terms: 'n99 left' };
      await write(store, [], {
        searchEntries: [urns[3], urns[50], urns[119], datasetUrn('never-stored')].flatMap((urn) =>
          urn === undefined ? [] : [{ urn, aspect: 'goneLongAgo', entry: lost }],
        ),
      });
      assert.equal(await countOf(store, 'left'), 4);
      await sql(
        `UPDATE search_entry SET ${fieldsColumn} = 'rotten' WHERE checksum = (SELECT min(checksum) FROM search_entry)`,
      );
      await rebuildIndex(store.search, parts);
      assert.equal(await countOf(store, 'left'), 0);
      assert.equal(await countOf(store, 'n3'), urns.filter((_, at) => at % 7 === 3).length);
      assert.equal(await store.search.countEntries(), 240);
      assert.equal((await Array.fromAsync(store.search.scan(1_000, () => []))).flat().length, 120);
      assert.deepEqual(await store.integrityProblems(), []);
    });

    test('in transactions that end after some time, and go on where the last one ended', async () => {
      const { store } = subject();
      for (const urn of urns) await say(store, urn, 1, { isIndexed: false });
      const first = await store.search.rebuild({ after: -1, milliseconds: 0, entryOf });
      assert.ok(first.entities >= 1 && first.entities < urns.length);
      assert.equal(await countOf(store, 'n1'), first.entities);
      const rest = await store.search.rebuild({ after: first.last ?? -1, milliseconds: 60_000, entryOf });
      assert.deepEqual([rest.last, rest.entities], [undefined, urns.length - first.entities]);
      assert.equal(await countOf(store, 'n1'), urns.length);
      const beyond = await store.search.rebuild({ after: 1_000_000, milliseconds: 0, entryOf });
      assert.deepEqual(beyond, { entities: 0, entries: 0, unreadable: [], last: undefined });
      assert.equal(await countOf(store, 'n1'), urns.length);
    });

    test('and whoever read entries before can ask whether they were made anew', async () => {
      const { store, reopen } = subject();
      await say(store, termUrn('one'), 1);
      assert.equal(await store.search.rebuilds(), 0);
      await rebuildIndex(store.search, parts);
      assert.equal(await store.search.rebuilds(), 1);
      await remakeIndex(store.search, { ...parts, isShared: true });
      await rebuildEntity(store.search, termUrn('one'), entryOf);
      await rebuildEntity(store.search, termUrn('never'), entryOf);
      const reopened = await reopen();
      assert.equal(await reopened.search.rebuilds(), 3);
      assert.deepEqual(await reopened.search.progress(), { version: entriesVersion, done: undefined });
    });

    test('for one entity alone', async () => {
      const { store } = subject();
      for (const urn of urns.slice(0, 5)) await say(store, urn, 1, { isIndexed: false });
      const [, wanted = termUrn('none')] = urns;
      const report = {
        entities: 1,
        entries: 2,
        unreadable: [],
        last: (await store.search.numbersOf([wanted])).get(wanted),
      };
      assert.deepEqual(await rebuildEntity(store.search, wanted, entryOf), report);
      assert.equal(await countOf(store, 'n1'), 1);
      assert.equal(await rebuildEntity(store.search, termUrn('never'), entryOf), undefined);
    });

    test('but not those of an entity with a damaged aspect, which is named and stays as it is', async () => {
      const { store, sql } = subject();
      for (const urn of urns.slice(0, 6)) await say(store, urn, 1);
      const before = await everythingOf(store, urns.slice(0, 6));
      const [, damaged = termUrn('none')] = urns;
      await sql(
        `UPDATE aspect SET body = '{"n":2}' WHERE body = '{"n":1}' AND key / 512 =
           (SELECT id FROM entity WHERE urn = '${damaged}')`,
      );
      const report = await rebuildIndex(store.search, parts);
      assert.deepEqual(report, { entities: 6, entries: 10, unreadable: [damaged] });
      assert.deepEqual(await everythingOf(store, urns.slice(0, 6)), before);
    });

    test('while others write, and nothing of what they wrote is lost', async () => {
      const { store } = subject();
      const written = new Map<Urn, number>(urns.map((urn) => [urn, 1]));
      for (const urn of urns) await say(store, urn, 1, { isIndexed: false });
      let isRebuilding = true;
      const rebuilding = rebuildIndex(store.search, parts).finally(() => {
        isRebuilding = false;
      });
      let writes = 0;
      for (let n = 2; isRebuilding || writes < 60; n += 1) {
        const at = (n * 37) % 150;
        const urn = urns[at] ?? datasetUrn(`new${at}`);
        await say(store, urn, n);
        written.set(urn, n);
        writes += 1;
        // A store that never waits would leave no turn to the rebuild.
        await nextTurn();
      }
      await rebuilding;
      for (const [urn, n] of written) {
        const searchEntries = await store.searchEntriesOf(urn);
        assert.deepEqual(searchEntries.get('said')?.fields, { n: [String(n)] }, urn);
      }
      const changed = await everythingOf(store, [...written.keys()]);
      await remakeIndex(store.search, { ...parts, isShared: true });
      assert.deepEqual(await everythingOf(store, [...written.keys()]), changed);
    });

    test('once, where entries of an earlier version lie, and from where an interruption left it', async () => {
      const { store, reopen } = subject();
      assert.deepEqual(await store.search.progress(), { version: entriesVersion, done: undefined });
      assert.equal(await completeIndex(store.search, parts), undefined, 'a new store has nothing to make');
      for (const urn of urns) await say(store, urn, 1, { isIndexed: false });
      await store.search.setProgress({ version: 0, done: 0 });
      const broken = new Error('the process is stopped');
      let calls = 0;
      await assert.rejects(
        completeIndex(store.search, {
          ...parts,
          onProgress() {
            calls += 1;
            if (calls === 2) throw broken;
          },
        }),
        broken,
      );
      const reopened = await reopen();
      const { version, done } = await reopened.search.progress();
      assert.equal(version, entriesVersion);
      assert.ok(done !== undefined && done > 0);
      const report = await completeIndex(reopened.search, parts);
      assert.ok(report !== undefined && report.entities < urns.length, 'what was done is not done again');
      assert.equal(await countOf(reopened, 'n1'), urns.length);
      assert.deepEqual(await reopened.search.progress(), { version: entriesVersion, done: undefined });
      assert.equal(await completeIndex(reopened.search, parts), undefined);
    });
  });
}
