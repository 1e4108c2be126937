import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import type { SearchableStore, TermQuery } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, keyDraft, staleBatch, termUrn, write } from './change-batch.ts';
import type { Subject } from './opened-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');
const pii = termUrn('pii');

type Search = SearchableStore['search'];
type Entries = Readonly<Record<string, SearchEntry | undefined>>;

/** An entry with these terms, and perhaps more. */
function entryOf(terms: readonly string[], rest: Partial<SearchEntry> = {}): SearchEntry {
  return { fields: {}, ...rest, terms: terms.join(termSeparator) };
}

/** Stores entities that exist, with entries of aspects. */
async function index(store: CatalogueStore, entities: Readonly<Record<Urn, Entries>>): Promise<void> {
  const given = Object.entries(entities) as [Urn, Entries][];
  await write(
    store,
    given.map(([urn]) => keyDraft(urn)),
    {
      searchEntries: given.flatMap(([urn, entries]) =>
        Object.entries(entries).map(([aspect, entry]) => ({ urn, aspect, entry })),
      ),
    },
  );
}

async function replace(store: CatalogueStore, urn: Urn, entries: Entries): Promise<void> {
  await write(store, [], {
    searchEntries: Object.entries(entries).map(([aspect, entry]) => ({ urn, aspect, entry })),
  });
}

/** What is listed is what the entries say; these entries belong to no aspects. */
async function assertSound(store: CatalogueStore): Promise<void> {
  const problems = await store.integrityProblems();
  assert.deepEqual(
    problems.filter(({ problem }) => problem !== 'has an entry and no aspect'),
    [],
  );
}

/** The URNs that bear a term, in the order of the answer. */
async function bearersOf(
  search: Search,
  query: TermQuery | string,
  among?: readonly Urn[],
): Promise<readonly Urn[]> {
  const asked = typeof query === 'string' ? { term: query, isPrefix: false } : query;
  const numbers = among === undefined ? undefined : [...(await search.numbersOf(among)).values()];
  const found = await search.bearers(asked, numbers);
  assert.ok(found instanceof Uint32Array);
  const urns = await search.urnsOf([...found]);
  return [...found].map((number) => urns.get(number) ?? assert.fail(`number ${number} is unknown`));
}

const prefix = (term: string): TermQuery => ({ term, isPrefix: true });

/** What is written in terms and might be read as something else: each is one term, and no other. */
const oddTerms = [
  '"',
  '""',
  "it's",
  "'':*",
  'x*',
  '*',
  'a:b',
  ':*',
  '\\',
  '\\\\',
  "\\'",
  '(a|b)',
  '!a',
  'a&b',
  '<->',
  '-minus',
  'a-b',
  'near(a,b)',
  'not',
  'or',
  '.orders',
  '^orders',
  '~ord',
  '#0123456789abcde',
  '$1',
  '%',
  'grüße',
  'заказ',
  '注文',
  '注文書',
  '𠀀𠀁',
  '\ufffd',
  'ﬁ',
  'a'.repeat(40),
  `.${'注'.repeat(40)}`,
  `^${'𠀀'.repeat(60)}`,
];

export function testSearchIndex(subject: Subject): void {
  describe('the search index', () => {
    test('an entity bears the terms of all its entries, and is found once, in the order of numbers', async () => {
      const { store } = subject();
      await index(store, {
        [orders]: {
          datasetKey: entryOf(['orders', 'shop']),
          datasetProperties: entryOf(['orders', 'nightly']),
        },
        [pii]: { glossaryTermKey: entryOf(['pii']) },
        [customers]: { datasetKey: entryOf(['customers', 'shop']) },
      });
      assert.deepEqual(await bearersOf(store.search, 'orders'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'nightly'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'shop'), [orders, customers]);
      assert.deepEqual(await bearersOf(store.search, 'order'), []);
      assert.deepEqual(await bearersOf(store.search, 'never'), []);
      for (const noTerm of ['', ' ', 'orders shop', 'orders\u0000']) {
        assert.deepEqual(await bearersOf(store.search, noTerm), []);
        assert.deepEqual(await bearersOf(store.search, prefix(noTerm)), []);
      }
    });

    test('a prefix finds every term that begins so, whole terms included', async () => {
      const { store } = subject();
      await index(store, {
        [orders]: { datasetKey: entryOf(['order', 'ordering']) },
        [customers]: { datasetKey: entryOf(['orders', 'border']) },
        [pii]: { glossaryTermKey: entryOf(['ordes', 'bord']) },
      });
      assert.deepEqual(await bearersOf(store.search, prefix('order')), [orders, customers]);
      assert.deepEqual(await bearersOf(store.search, prefix('orders')), [customers]);
      assert.deepEqual(await bearersOf(store.search, prefix('ord')), [orders, customers, pii]);
      assert.deepEqual(await bearersOf(store.search, prefix('rder')), []);
    });

    test('terms with odd characters are what they are, alone, with another, and as a prefix', async () => {
      const { store } = subject();
      const urns = oddTerms.map((_, at) => datasetUrn(`odd${at}`));
      await index(
        store,
        Object.fromEntries(
          urns.map((urn, at) => [urn, { datasetKey: entryOf([oddTerms[at] ?? '', 'common', `zz${at}`]) }]),
        ),
      );
      assert.deepEqual(await bearersOf(store.search, 'common'), urns);
      for (const [at, term] of oddTerms.entries()) {
        assert.deepEqual(await bearersOf(store.search, term), [urns[at]], term);
        const beginning = urns.filter((_, other) => oddTerms[other]?.startsWith(term));
        assert.deepEqual(await bearersOf(store.search, prefix(term)), beginning, `${term} as a prefix`);
        const withAll = [datasetUrn('odd3'), urns[at] ?? pii];
        assert.deepEqual(await bearersOf(store.search, term, withAll), [urns[at]], `${term} among`);
      }
      assert.equal(await store.search.countEntries(), oddTerms.length);
      await assertSound(store);
    });

    test('an entry of thousands of long terms is found by each of them', async () => {
      const { store } = subject();
      const terms = Array.from({ length: 30_000 }, (_, at) => `${at}${'注'.repeat(20)}`);
      await index(store, { [orders]: { schemaMetadata: entryOf(terms) } });
      for (const at of [0, 1, 9_999, 29_999]) {
        assert.deepEqual(await bearersOf(store.search, terms[at] ?? ''), [orders]);
      }
      await assertSound(store);
      await replace(store, orders, { schemaMetadata: undefined });
      assert.equal(await store.search.countEntries(), 0);
      await assertSound(store);
    });

    test('an entry that grows long and becomes short again is found by what it says, beside the other entries of its entity', async () => {
      const { store } = subject();
      const many = (mark: string, count: number): string[] =>
        Array.from({ length: count }, (_, at) => `${mark}${at}`);
      await index(store, { [orders]: { datasetKey: entryOf(['orders', 'shop']) }, [pii]: {} });
      for (const [own, mark] of [
        [2, 'few'],
        [5_000, 'long'],
        [6_000, 'other'],
        [1, 'short'],
        [300, 'middle'],
      ] as const) {
        await replace(store, orders, {
          schemaMetadata: entryOf(many(mark, own)),
          editable: entryOf(['shop', mark]),
        });
        for (const term of [`${mark}0`, `${mark}${own - 1}`, mark, 'orders', 'shop']) {
          assert.deepEqual(await bearersOf(store.search, term), [orders], term);
          assert.deepEqual(await bearersOf(store.search, prefix(term)), [orders], term);
        }
        const others = ['few', 'long', 'other', 'short', 'middle'].filter((each) => each !== mark);
        for (const term of others) assert.deepEqual(await bearersOf(store.search, prefix(term)), [], term);
        await assertSound(store);
      }
      await replace(store, orders, { datasetKey: undefined, editable: undefined });
      assert.deepEqual(await bearersOf(store.search, 'shop'), []);
      assert.deepEqual(await bearersOf(store.search, 'middle7'), [orders]);
      await replace(store, orders, { schemaMetadata: undefined });
      assert.deepEqual(await bearersOf(store.search, prefix('m')), []);
      await assertSound(store);
    });

    test('a changed entry replaces its own terms and nothing else; one that is taken out leaves nothing', async () => {
      const { store } = subject();
      await index(store, {
        [orders]: { datasetKey: entryOf(['orders']), editable: entryOf(['old', 'kept']) },
        [customers]: { datasetKey: entryOf(['old']) },
      });
      await replace(store, orders, { editable: entryOf(['new', 'kept']) });
      assert.deepEqual(await bearersOf(store.search, 'old'), [customers]);
      assert.deepEqual(await bearersOf(store.search, 'new'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'kept'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'orders'), [orders]);
      assert.equal(await store.search.countEntries(), 3);
      await replace(store, orders, { editable: entryOf([]) });
      assert.deepEqual(await bearersOf(store.search, 'new'), []);
      assert.equal(await store.search.countEntries(), 3);
      await replace(store, orders, { editable: undefined, neverThere: undefined });
      assert.equal(await store.search.countEntries(), 2);
      await replace(store, orders, { editable: entryOf(['again']) });
      assert.deepEqual(await bearersOf(store.search, prefix('a')), [orders]);
      await assertSound(store);
    });

    test('a term of several entries is borne while one of them has it, and so is its beginning', async () => {
      const { store } = subject();
      await index(store, {
        [orders]: {
          datasetKey: entryOf(['shop', 'orders']),
          editable: entryOf(['shop', 'short']),
          status: entryOf(['shelf']),
        },
      });
      await replace(store, orders, { editable: entryOf(['other']) });
      assert.deepEqual(await bearersOf(store.search, 'shop'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'short'), []);
      assert.deepEqual(await bearersOf(store.search, prefix('sh')), [orders]);
      await assertSound(store);
      await replace(store, orders, { datasetKey: entryOf([]), status: undefined });
      assert.deepEqual(await bearersOf(store.search, 'shop'), []);
      assert.deepEqual(await bearersOf(store.search, prefix('sh')), []);
      assert.deepEqual(await bearersOf(store.search, 'other'), [orders]);
      await replace(store, orders, { editable: undefined });
      await replace(store, orders, { editable: entryOf(['shop']), status: entryOf(['shop']) });
      assert.deepEqual(await bearersOf(store.search, prefix('sh')), [orders]);
      await assertSound(store);
    });

    test('a command that fails leaves no entry and takes none away; the others of its group are indexed', async () => {
      const { store, reopen } = subject();
      await index(store, { [orders]: { datasetKey: entryOf(['before']) } });
      const entryFor = (
        urn: Urn,
        term: string,
      ): { searchEntries: readonly { urn: Urn; aspect: string; entry: SearchEntry }[] } => ({
        searchEntries: [{ urn, aspect: 'datasetKey', entry: entryOf([term]) }],
      });
      await store.transact(async (transaction) => {
        await apply(transaction, [keyDraft(customers)], entryFor(customers, 'first'));
        await assert.rejects(transaction.apply(staleBatch(orders, entryFor(orders, 'lost').searchEntries)), {
          code: 'PRECONDITION_FAILED',
        });
        await apply(transaction, [keyDraft(pii)], entryFor(pii, 'last'));
      });
      const reason = new Error('the whole transaction fails');
      await assert.rejects(
        store.transact(async (transaction) => {
          await apply(transaction, [], {
            searchEntries: [{ urn: orders, aspect: 'datasetKey', entry: undefined }],
          });
          await apply(transaction, [], entryFor(customers, 'lost'));
          throw reason;
        }),
        reason,
      );
      const { search } = await reopen();
      assert.deepEqual(await bearersOf(search, 'before'), [orders]);
      assert.deepEqual(await bearersOf(search, 'first'), [customers]);
      assert.deepEqual(await bearersOf(search, 'last'), [pii]);
      assert.deepEqual(await bearersOf(search, 'lost'), []);
      assert.equal(await search.countEntries(), 3);
      assert.equal((await Array.fromAsync(search.scan(9, () => []))).flat().length, 3);
    });

    test('commands of one group that change the same entry leave the terms of the last one', async () => {
      const { store } = subject();
      await index(store, {
        [orders]: { datasetKey: entryOf(['orders']), editable: entryOf(['old', 'kept']) },
        [customers]: { datasetKey: entryOf(['old']) },
      });
      const all: readonly (readonly [Urn, readonly string[] | undefined])[] = [
        [customers, ['first']],
        [orders, ['between', 'kept']],
        [orders, undefined],
        [orders, ['old', 'last']],
        [customers, undefined],
      ];
      await store.transact(async (transaction) => {
        for (const [urn, terms] of all) {
          const entry = terms === undefined ? undefined : entryOf(terms);
          const aspect = urn === orders ? 'editable' : 'datasetKey';
          await apply(transaction, [], { searchEntries: [{ urn, aspect, entry }] });
        }
      });
      assert.deepEqual(await bearersOf(store.search, 'old'), [orders]);
      assert.deepEqual(await bearersOf(store.search, 'last'), [orders]);
      for (const gone of ['kept', 'between', 'first']) {
        assert.deepEqual(await bearersOf(store.search, gone), []);
      }
      assert.equal(await store.search.countEntries(), 2);
      await assertSound(store);
    });

    test('what is not committed is not found, and what is committed is found at once', async () => {
      const { store } = subject();
      await store.transact(async (transaction) => {
        await apply(transaction, [keyDraft(orders)], {
          searchEntries: [{ urn: orders, aspect: 'datasetKey', entry: entryOf(['orders']) }],
        });
        assert.deepEqual(await bearersOf(store.search, 'orders'), []);
        assert.deepEqual(await Array.fromAsync(store.search.scan(9, () => [])), []);
      });
      assert.deepEqual(await bearersOf(store.search, 'orders'), [orders]);
    });

    test('among some entities only those are found, few or many, in the order of numbers', async () => {
      const { store } = subject();
      const urns = Array.from({ length: 1_200 }, (_, at) => datasetUrn(`d${at}`));
      await index(
        store,
        Object.fromEntries(
          urns.map((urn, at) => [urn, { datasetKey: entryOf([at % 2 === 0 ? 'even' : 'odd', 'all']) }]),
        ),
      );
      const even = urns.filter((_, at) => at % 2 === 0);
      const few = [urns[7], urns[4], urns[2]].flatMap((urn) => urn ?? []);
      assert.deepEqual(await bearersOf(store.search, 'even', few), [urns[2], urns[4]]);
      assert.deepEqual(await bearersOf(store.search, prefix('ev'), few), [urns[2], urns[4]]);
      assert.deepEqual(await bearersOf(store.search, 'even', []), []);
      assert.deepEqual(await bearersOf(store.search, 'even', urns), even);
      assert.deepEqual(await bearersOf(store.search, prefix('ev'), urns), even);
      assert.deepEqual(
        await bearersOf(store.search, 'even', urns.toReversed().slice(0, 600)),
        even.slice(300),
      );
      const numbers = [...(await store.search.numbersOf(few)).values()];
      assert.equal((await store.search.bearers(prefix('e'), [...numbers, ...numbers, 999_999])).length, 2);
    });

    test('what is stored of an entity is read back: fields and aspects; without what does not exist', async () => {
      const { store, reopen } = subject();
      const fields = {
        name: ['Orders "2024"'],
        tags: ['urn:li:tag:a', 'urn:li:tag:b'],
        empty: [],
        注: ['\\'],
      };
      await index(store, {
        [orders]: {
          datasetKey: entryOf(['orders'], { fields }),
          status: entryOf([]),
        },
        [customers]: {},
      });
      await write(store, [{ urn: pii, aspect: 'glossaryTerms', text: '{}' }], {
        searchEntries: [{ urn: pii, aspect: 'glossaryTerms', entry: entryOf(['pii']) }],
      });
      const { search } = await reopen();
      const numbers = await search.numbersOf([orders, customers, pii, datasetUrn('never')]);
      assert.deepEqual([...numbers.keys()].toSorted(), [orders, customers, pii].toSorted());
      const number = numbers.get(orders) ?? 0;
      const found = await search.indexed([...numbers.values(), 999_999]);
      assert.deepEqual(
        found,
        new Map([[number, { number, urn: orders, entries: found.get(number)?.entries }]]),
      );
      const entries = found
        .get(number)
        ?.entries.toSorted((left, right) => (left.aspect < right.aspect ? -1 : 1));
      assert.deepEqual(entries, [
        { aspect: 'datasetKey', fields },
        { aspect: 'status', fields: {} },
      ]);
    });

    test('going through the index gives all entities that exist and have entries, with the wanted fields, in pages', async () => {
      const { store } = subject();
      const urns = Array.from({ length: 25 }, (_, at) =>
        at % 3 === 0 ? termUrn(`t${at}`) : datasetUrn(`d${at}`),
      );
      const long = 'a text that is longer than most and in which the field "tags": is mentioned '.repeat(9);
      await index(
        store,
        Object.fromEntries(
          urns.map((urn, at) => [
            urn,
            at % 5 === 4
              ? {}
              : {
                  keyOfIt: entryOf(['x'], { fields: { name: [`n${at}`], other: ['line\n"end"'] } }),
                  tags: entryOf([], { fields: { tags: [`t${at % 2}`], [`of ${at}`]: ['o'] } }),
                  editable: entryOf([], {
                    fields: { description: [long], ...(at === 7 ? { tags: ['late'] } : {}) },
                  }),
                  unwanted: entryOf([], { fields: { other: ['o'] } }),
                },
          ]),
        ),
      );
      await write(store, [{ urn: pii, aspect: 'glossaryTerms', text: '{}' }], {
        searchEntries: [{ urn: pii, aspect: 'glossaryTerms', entry: entryOf(['pii']) }],
      });
      const wantedOf = (aspect: string): readonly string[] =>
        aspect === 'unwanted' ? [] : aspect === 'keyOfIt' ? ['name'] : ['tags', 'name'];
      const expected = urns.flatMap((urn, at) =>
        at % 5 === 4 ? [] : [{ urn, name: [`n${at}`], tags: at === 7 ? ['t1', 'late'] : [`t${at % 2}`] }],
      );
      for (const count of [1, 3, 7, 20, 100]) {
        const found: { urn: Urn; name: readonly string[]; tags: readonly string[] }[] = [];
        for await (const page of store.search.scan(count, wantedOf)) {
          assert.ok(page.length > 0 && page.length <= count, `a page of ${page.length}`);
          for (const { urn, entries } of page) {
            const valuesOf = (aspects: readonly string[], field: string): readonly string[] =>
              aspects.flatMap((each) => entries.find(({ aspect }) => aspect === each)?.fields[field] ?? []);
            found.push({
              urn,
              name: valuesOf(['keyOfIt'], 'name'),
              tags: valuesOf(['tags', 'editable'], 'tags'),
            });
          }
        }
        assert.deepEqual(found, expected, `pages of ${count}`);
      }
      const numbers = await store.search.numbersOf([...urns, pii]);
      assert.equal(await store.search.largestNumber(), Math.max(...numbers.values()));
    });

    test('who goes through the index and stops leaves it as it was, and meets what others commit in between', async () => {
      const { store } = subject();
      const urns = Array.from({ length: 2_500 }, (_, at) => datasetUrn(`d${at}`));
      await index(store, Object.fromEntries(urns.map((urn) => [urn, { datasetKey: entryOf(['x']) }])));
      for await (const page of store.search.scan(10, () => [])) {
        assert.equal(page.length, 10);
        break;
      }
      const found: Urn[] = [];
      for await (const page of store.search.scan(100, () => [])) {
        if (found.length === 0) await index(store, { [orders]: { datasetKey: entryOf(['new']) } });
        found.push(...page.map(({ urn }) => urn));
      }
      assert.deepEqual(found, [...urns, orders]);
    });

    for (const [what, change] of Object.entries({
      fields: (column: string) => `${column} = replace(${column}, 'orders', 'others')`,
      'a checksum': () => 'checksum = checksum + 1',
    })) {
      test(`an entry of which ${what} changed in the store is refused`, async () => {
        const { store, sql, fieldsColumn } = subject();
        await index(store, {
          [orders]: { datasetKey: entryOf(['orders'], { fields: { name: ['orders'] } }) },
        });
        await sql(`UPDATE search_entry SET ${change(fieldsColumn)}`);
        const damaged = { name: 'PostilError', code: 'CORRUPT_ASPECT' };
        for (const wanted of [['name'], []]) {
          const { search } = store;
          await assert.rejects(Array.fromAsync(search.scan(10, () => wanted)), damaged);
        }
        const numbers = await store.search.numbersOf([orders]);
        await assert.rejects(store.search.indexed([...numbers.values()]), damaged);
      });
    }
  });
}
