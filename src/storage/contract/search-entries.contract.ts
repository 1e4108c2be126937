import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SearchEntry, termSeparator, termsOf } from '../../aspect/search-entry.ts';
import type { Urn } from '../../urn/urn.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, type Draft, keyDraft, staleBatch, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const urns = ['one', 'two', 'three'].map(datasetUrn);
const aspects = ['datasetKey', 'status', 'globalTags', 'schemaMetadata'];

/** Terms that take so many bytes, about: none, few, more, and more than several entries are likely to share. */
const sizes = [0, 20, 95, 105, 1_500, 1_990, 2_010, 9_000];

type Said = { readonly urn: Urn; readonly aspect: string; readonly entry: SearchEntry | undefined };

/** An entry of about so many bytes of terms, some of which other entries have as well; `𠀀` is longer in bytes than in letters. */
function entryOf(bytes: number, seed: number): SearchEntry {
  const terms: string[] = [];
  for (let length = 0; length < bytes; length += (terms.at(-1) ?? '').length + 1) {
    const number = (seed * 31 + terms.length * 7) % 90;
    terms.push(terms.length % 5 === 4 ? `𠀀${number}` : `t${number}`);
  }
  return {
    fields: { name: [`"name" ${seed}\n\u001E`, '𠀀'], [`of ${seed % 3}`]: ['\\'] },
    terms: terms.join(termSeparator),
  };
}

const said: fc.Arbitrary<Said> = fc
  .record({
    urn: fc.constantFrom(...urns),
    aspect: fc.constantFrom(...aspects),
    bytes: fc.option(fc.constantFrom(...sizes)),
    seed: fc.nat(40),
  })
  .map(({ urn, aspect, bytes, seed }) => ({
    urn,
    aspect,
    entry: bytes === null ? undefined : entryOf(bytes, seed),
  }));

/** Transactions of commands, of which some fail. */
const transactions = fc.array(
  fc.array(fc.record({ says: fc.array(said, { minLength: 1, maxLength: 3 }), fails: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 6 },
);

/** Whatever entries take the place of others, the index says what the last ones say. */
export function testSearchEntries(subject: Subject): void {
  test('entries of any length take the place of others in any order, and those of commands that fail do not', async () => {
    const { store, reopen } = subject();
    await write(store, urns.map(keyDraft));
    const expected = new Map<Urn, Map<string, SearchEntry>>(urns.map((urn) => [urn, new Map()]));
    await fc.assert(
      fc.asyncProperty(transactions, async (commands) => {
        for (const transaction of commands) await writeAll(store, expected, transaction);
        await assertSays(store, expected);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    await assertSays(await reopen(), expected);
  });
}

/** More than are written while later commands of a transaction are decided. */
const manyEntities = 120;

/** The entries of a transaction are written while it goes on, and whatever its commands do to them afterwards holds. */
export function testManyEntries(subject: Subject): void {
  test('new entities of a long transaction may be changed by its later commands, and by one that fails', async () => {
    const { store, reopen } = subject();
    const many = Array.from({ length: manyEntities }, (_, at) => datasetUrn(`d${at}`));
    const saysAll = (terms: string, some: readonly Urn[]): { searchEntries: readonly Said[] } => ({
      searchEntries: some.map((urn) => ({ urn, aspect: 'datasetKey', entry: { fields: {}, terms } })),
    });
    const [first = datasetUrn('none'), second = datasetUrn('none')] = many;
    // As commands do, each reads before it writes.
    const draft = (n: number): Draft => ({ urn: first, aspect: 'status', text: `{"n":${n}}` });
    await store.transact(async (transaction) => {
      await apply(transaction, many.map(keyDraft), saysAll('new', many));
      // Nobody reads in between but the command that fails.
      await assert.rejects(transaction.apply(staleBatch(second, saysAll('lost', many).searchEntries)));
      await apply(transaction, [draft(1)], saysAll('changed', [first, ...many.slice(-10)]));
      await assert.rejects(transaction.apply(staleBatch(second, saysAll('lost', many).searchEntries)));
      await apply(transaction, [draft(2)], saysAll('late', many.slice(0, 105)));
      await assert.rejects(transaction.apply(staleBatch(second, saysAll('lost', [first]).searchEntries)));
      await apply(transaction, [draft(3)], saysAll('last', [second]));
    });
    const { search } = await reopen();
    const found = async (term: string): Promise<number> =>
      (await search.bearers({ term, isPrefix: false })).length;
    assert.deepEqual(
      await Promise.all(['new', 'changed', 'lost', 'late', 'last'].map(found)),
      [5, 10, 0, 104, 1],
    );
    assert.equal(await search.countEntries(), manyEntities);
  });
}

async function writeAll(
  store: CatalogueStore,
  expected: ReadonlyMap<Urn, Map<string, SearchEntry>>,
  commands: readonly { readonly says: readonly Said[]; readonly fails: boolean }[],
): Promise<void> {
  await store.transact(async (transaction) => {
    for (const { says, fails } of commands) {
      if (fails) {
        const [first] = urns;
        await assert.rejects(transaction.apply(staleBatch(first ?? datasetUrn('none'), says)));
        continue;
      }
      await apply(transaction, [], { searchEntries: says });
      for (const { urn, aspect, entry } of says) {
        if (entry === undefined) expected.get(urn)?.delete(aspect);
        else expected.get(urn)?.set(aspect, entry);
      }
    }
  });
}

async function assertSays(
  store: CatalogueStore,
  expected: ReadonlyMap<Urn, ReadonlyMap<string, SearchEntry>>,
): Promise<void> {
  const numbers = await store.search.numbersOf(urns);
  const indexed = await store.search.indexed([...numbers.values()]);
  const scanned = (await Array.fromAsync(store.search.scan(2, () => ['name']))).flat();
  const bearers = new Map<string, number[]>();
  for (const [urn, entries] of expected) {
    const number = numbers.get(urn) ?? assert.fail(urn);
    const stored = await store.searchEntriesOf(urn);
    assert.deepEqual([...stored.keys()].sort(), [...entries.keys()].sort());
    for (const [aspect, entry] of entries) {
      assert.deepEqual(stored.get(aspect)?.fields, entry.fields);
      assert.deepEqual(sortedTerms(stored.get(aspect)?.terms), sortedTerms(entry.terms));
    }
    for (const entity of [indexed.get(number), scanned.find((each) => each.urn === urn)]) {
      assert.equal(entity === undefined, entries.size === 0);
      assert.deepEqual(
        new Map(entity?.entries.map(({ aspect, fields }) => [aspect, fields['name']])),
        new Map([...entries].map(([aspect, { fields }]) => [aspect, fields['name']])),
      );
    }
    const terms = [...entries.values()].map((entry) => entry.terms).join(termSeparator);
    assert.deepEqual(
      sortedTerms((await store.search.termsOf([number])).get(number)).filter((term) => term !== ''),
      sortedTerms(terms).filter((term) => term !== ''),
    );
    for (const term of sortedTerms(terms)) bearers.set(term, [...(bearers.get(term) ?? []), number]);
  }
  for (const term of ['t1', 't14', 't77', '𠀀3', '𠀀50']) {
    const found = await store.search.bearers({ term, isPrefix: false });
    assert.deepEqual([...found], bearers.get(term)?.toSorted((one, other) => one - other) ?? [], term);
  }
  const count = [...expected.values()].reduce((sum, { size }) => sum + size, 0);
  assert.equal(await store.search.countEntries(), count);
  const problems = await store.integrityProblems();
  // These entries belong to no aspects.
  assert.deepEqual(
    problems.filter(({ problem }) => problem !== 'has an entry and no aspect'),
    [],
  );
}

function sortedTerms(terms: string | undefined): readonly string[] {
  return [...termsOf({ terms: terms ?? '' })].sort();
}
