import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { createWorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import { createSearchEngine } from './create-search-engine.ts';
import { createFurtherColumns } from './further-columns.ts';
import { createIndexedEntities } from './indexed-entities.ts';
import { requireSearchField } from './searched-field.ts';
import type { SearchCriterion, SearchQuery } from './search-engine.ts';

const criterion = (more: Partial<SearchCriterion>): SearchCriterion => ({
  field: 'description',
  condition: 'CONTAIN',
  values: ['words'],
  negated: false,
  ...more,
});

describe('a search that would keep everybody else waiting', () => {
  let catalogue: TestCatalogue;
  before(async () => {
    catalogue = await openTestCatalogue();
    for (let n = 0; n < 150; n += 1) {
      await catalogue.seed(`urn:li:dataset:(urn:li:dataPlatform:hive,db.t${n},PROD)`, {
        datasetProperties: { description: `some words, number ${n}` },
      });
    }
  });
  after(() => catalogue.close());

  const search = (query: Partial<SearchQuery>, questionMsMax?: number) =>
    createSearchEngine({
      store: catalogue.store,
      ...(questionMsMax === undefined ? {} : { questionMsMax }),
    }).search({ text: '*', start: 0, count: 10, facets: [], ...query }, catalogue.reader);

  const isRefusal =
    (code: string, message: RegExp) =>
    (error: unknown): boolean => {
      assert.ok(error instanceof PostilError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    };

  it('is refused before anything is looked at when its filter has too many criteria or compared values', async () => {
    const alternatives = (count: number) =>
      Array.from({ length: count }, () => [criterion({ field: 'tags' })]);
    await assert.rejects(
      search({ filter: alternatives(1_001) }),
      isRefusal('LIMIT_EXCEEDED', /1001 criteria.* 1000/),
    );
    const values = Array.from({ length: 101 }, (_, n) => `number ${n}`);
    await assert.rejects(
      search({ filter: [[criterion({ values })]] }),
      isRefusal('LIMIT_EXCEEDED', /CONTAIN on description has 101 values.* 100/),
    );
    const named = Array.from({ length: 9_000 }, (_, n) => `urn:li:tag:t${n}`);
    const { total } = await search({
      filter: [[criterion({ field: 'tags', condition: 'EQUAL', values: named })]],
    });
    assert.equal(total, 0, 'values that are looked up may be many');
  });

  it('is refused for too many facets and sort fields', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'tags');
    await assert.rejects(search({ facets: many(101) }), isRefusal('LIMIT_EXCEEDED', /101 facets.* 100/));
    const sort = many(11).map((field) => ({ field, descending: false }));
    await assert.rejects(search({ sort }), isRefusal('LIMIT_EXCEEDED', /11 fields.* 10/));
  });

  it('ends when its time is over, and does not go on for nobody', async () => {
    const filter = [[criterion({})]];
    assert.equal((await search({ filter })).total, 150);
    const isTooLate = isRefusal('TIMED_OUT', /longer than 0 milliseconds/);
    await assert.rejects(search({ filter }, 0), isTooLate);
    await assert.rejects(search({ facets: ['platform'] }, 0), isTooLate, 'counting');
    for (const field of ['platform', 'name']) {
      await assert.rejects(search({ sort: [{ field, descending: false }] }, 0), isTooLate, `by ${field}`);
    }
    const engine = createSearchEngine({ store: catalogue.store, questionMsMax: 0 });
    for (const field of ['_entityType\u241ftypeNames', 'platform', 'customProperties']) {
      await assert.rejects(engine.facets({ text: '' }, [field], 10, catalogue.reader), isTooLate, field);
    }
  });

  it('leaves what it began for the next one, who is answered without beginning again', async () => {
    const { search: index } = catalogue.store;
    let read = 0;
    const { promise: isAsked, resolve: letRead } = Promise.withResolvers<void>();
    const entities = createIndexedEntities([]);
    const columns = createFurtherColumns({
      index: {
        ...index,
        async *scan(...asked) {
          read += 1;
          await isAsked;
          yield* index.scan(...asked);
        },
      },
      entities,
      follower: { seen: 0, changedSince: () => [] },
      columnsMax: 1,
    });
    const field = requireSearchField('name');
    await assert.rejects(columns.ofField(field, createWorkPace(0)), isRefusal('TIMED_OUT', /longer than 0/));
    assert.equal(columns.whole(field), undefined, 'filters do not ask a column that is being filled');
    const other = requireSearchField('qualifiedName');
    await assert.rejects(columns.ofField(other, createWorkPace(0)), isRefusal('TIMED_OUT', /longer than 0/));
    letRead();
    const column = await columns.ofField(field, createWorkPace(60_000));
    const begun = read;
    assert.equal([...column.distinct()].length, 150);
    assert.equal(columns.whole(field), column);
    await columns.ofField(field, createWorkPace(60_000));
    assert.equal(read, begun, 'what nobody waited for when its turn came was not begun');
    assert.equal(begun, 1);
    await columns.ofField(other, createWorkPace(60_000));
    assert.equal(read, 2);
    assert.equal(columns.whole(field), undefined, 'no more are kept than may be');
    assert.deepEqual(entities.fields(), [other.name]);
  });
});
