import type { Change } from '../aspect/aspect-store.ts';
import { createWorkPace, type WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import { absentValue, searchFields } from '../search-index/search-fields.ts';
import { searchSourcesOf } from '../search-index/search-sources.ts';
import type { IndexedEntity, SearchableStore } from '../search-index/search-index.ts';
import type { VerdictReader } from '../verdict/verdict-store.ts';
import { createCompletions } from './completions.ts';
import { createFacetCounts } from './facet-counts.ts';
import { createFilterEvaluation, questionMsUsual } from './filter-evaluation.ts';
import { followChanges } from './follow-changes.ts';
import { createFinder, type Found } from './found-set.ts';
import { createFurtherColumns } from './further-columns.ts';
import { createHierarchy } from './hierarchy.ts';
import { createIndexedEntities } from './indexed-entities.ts';
import type { LazySearchEngine } from './lazy-search-engine.ts';
import { matchedFields } from './matched-fields.ts';
import { createNameWords } from './name-words.ts';
import { sizeOfNumbers } from './number-set.ts';
import { createRebuildNotice } from './notice-rebuilds.ts';
import { type OrderedPage, pageByRelevance } from './ranked-order.ts';
import { queryDigest, readCursor, type SearchPosition, writeCursor } from './search-cursor.ts';
import type { TextQuestion } from './query-text.ts';
import type { MatchedField, SearchHit, SearchQuery, SearchSort } from './search-engine.ts';
import { requireSearchField } from './searched-field.ts';
import { pageByFields } from './sorted-order.ts';
import { createTermSets } from './term-sets.ts';
import { createVerdictSets } from './verdict-sets.ts';
import { createWordBags } from './word-bags.ts';

export type SearchedStore = SearchableStore & { readonly verdicts: Pick<VerdictReader, 'verdictsIn'> };

/** So long may one page be: what the clients of DataHub ask for at most, with some room. */
const pageCountMax = 10_000;
const sortFieldsMax = 10;
const facetValuesUsual = 20;
const rankedUsual = 1_000;

/** Fields of running text: words in the other fields of an entity say more about what it is. */
const proseFields: ReadonlySet<string> = new Set([
  'description',
  'editedDescription',
  'definition',
  'documentation',
  'linkDescriptions',
  'statement',
]);
/** What somebody named an entity comes before what it was called where it comes from. */
const nameFields = ['editedName', 'name', 'id'] as const;

/**
 * The search engine on a store (decision 26). What it keeps in memory is read by the first question and made exact
 * by the change log before every answer.
 */
export function createSearchEngine(parts: {
  readonly store: SearchedStore;
  /** Tells of every commit of this process; with it, a store that nobody else writes is not asked what changed. */
  readonly onCommit?: (listener: (changes: readonly Change[]) => void) => void;
  /** So many of those that answer alike are ordered by relevance; a thousand unless given. */
  readonly rankedMax?: number;
  /**
   * How long a filter may be evaluated, and as long again what was found may be counted and sorted. Milliseconds; ten seconds
   * unless given.
   */
  readonly questionMsMax?: number;
  /** How often it is asked whether another process made the index anew, in milliseconds; once a second unless given. */
  readonly rebuildsAskedEveryMs?: number;
  /** How long a question waits for the whole store to be read into memory, in milliseconds; nine seconds unless given. */
  readonly readingPatienceMs?: number;
}): LazySearchEngine {
  const { store, onCommit, rankedMax = rankedUsual, questionMsMax = questionMsUsual } = parts;
  const index = store.search;
  const columnFields = searchFields()
    .filter(({ kept, parts: combined }) => kept === 'column' && combined === undefined)
    .map(({ name }) => name);
  const entities = createIndexedEntities(columnFields);
  const follower = followChanges({
    store,
    entities,
    onCommit,
    patienceMs: parts.readingPatienceMs,
    onChanged(number) {
      bags.forget(number);
      terms.changed(number);
    },
    onForgotten() {
      bags.forgetAll();
      nameWords.forget();
      terms.forget();
    },
  });
  const bags = createWordBags({ index, follower: () => follower, grouping: { nameFields, isLabelled } });
  const nameWords = createNameWords({ index, follower });
  const terms = createTermSets({ index, follower, entities });
  const verdicts = createVerdictSets(store.verdicts);
  const hierarchy = createHierarchy(index, entities);
  const columns = createFurtherColumns({ index, entities, follower });
  const filters = createFilterEvaluation({
    index,
    entities,
    terms,
    hierarchy,
    verdicts,
    furtherColumn: columns.whole,
    filterMsMax: questionMsMax,
  });
  const facetCounts = createFacetCounts({ entities, columns, verdicts });
  const rebuilds = createRebuildNotice(index, follower.forget, parts.rebuildsAskedEveryMs);
  /** First what was made anew: what is read into memory before is read again. */
  const upToDate = store.exclusive
    ? (work: () => Promise<void>) => work()
    : (work: () => Promise<void>) => rebuilds.look().then(work);
  const catchUp = (): Promise<void> => upToDate(follower.catchUp);
  const finder = createFinder({ index, entities, terms, filters, bags, rankedMax, catchUp });
  const completions = createCompletions({
    index,
    entities,
    terms,
    finder,
    columns,
    bags,
    nameWords,
  });

  async function pageOf(
    found: Found,
    query: SearchQuery,
    after: SearchPosition | undefined,
    pace: WorkPace,
  ): Promise<OrderedPage> {
    const { start, count } = query;
    const sort = query.sort ?? [];
    if (sort.length === 0) {
      return pageByRelevance(
        found,
        { start, count, after: after?.by === 'relevance' ? after : undefined },
        { bags, documents: entities.size, rankedMax },
      );
    }
    const sortColumns = await Promise.all(
      sort.map(async ({ field: asked, descending }) => {
        const field = requireSearchField(asked);
        return {
          column: await columns.forSorting(field, pace),
          field,
          descending,
          absentOf: (number: number) => absentValue(field, entities.typeOf(number) ?? ''),
        };
      }),
    );
    const position = after?.by === 'fields' ? after : undefined;
    return pageByFields(found.numbers, sortColumns, { start, count, after: position }, pace);
  }

  async function hitsOf(
    page: OrderedPage,
    found: Found,
    withMatches: boolean,
  ): Promise<readonly SearchHit[]> {
    const numbers = page.hits.map(({ number }) => number);
    if (!withMatches || found.question.kind === 'everything') {
      const urns = await index.urnsOf(numbers);
      return page.hits.flatMap(({ number, score }) => {
        const urn = urns.get(number);
        return urn === undefined ? [] : [{ urn, score, matched: [] }];
      });
    }
    const { question } = found;
    const stored = await index.indexed(numbers);
    return page.hits.flatMap(({ number, score }) => {
      const entity = stored.get(number);
      return entity === undefined ? [] : [{ urn: entity.urn, score, matched: matchesOf(entity, question) }];
    });
  }

  return {
    forget() {
      follower.forget();
      rebuilds.forget();
    },
    prepare: () => upToDate(follower.prepare),
    stop: follower.stop,
    async search(query, caller) {
      checkPage(query);
      checkSort(query.sort ?? []);
      const digest = queryDigest(query);
      const after = query.cursor === undefined ? undefined : readCursor(query.cursor, digest);
      const found = await finder.find(query, caller);
      const pace = createWorkPace(questionMsMax);
      const total = sizeOfNumbers(found.numbers);
      const facets = await facetCounts.of(
        found.numbers,
        query.facets,
        query.facetValuesMax ?? facetValuesUsual,
        pace,
      );
      const page = await pageOf(found, query, after, pace);
      return {
        hits: await hitsOf(page, found, query.withoutMatches !== true),
        total,
        nextCursor: page.position === undefined ? undefined : writeCursor(page.position, digest),
        facets,
      };
    },
    complete: (query, caller) => completions.complete(query, caller),
    async facets(scope, fields, valuesMax, caller) {
      const { numbers } = await finder.find(scope, caller);
      const pace = createWorkPace(questionMsMax);
      return facetCounts.of(numbers, fields, valuesMax, pace);
    },
    async counts(types, caller) {
      const numbers = await finder.within({ text: '', types }, caller);
      const pace = createWorkPace(questionMsMax);
      const [byType] = await facetCounts.of(numbers, ['_entityType'], Number.POSITIVE_INFINITY, pace);
      const counts = new Map((byType?.counts ?? []).map(({ value, count }) => [value, count]));
      return new Map(types.map((type) => [type, counts.get(type) ?? 0]));
    },
  };
}

function matchesOf(
  entity: IndexedEntity,
  question: TextQuestion & { readonly kind: 'words' },
): readonly MatchedField[] {
  const matched = matchedFields(entity, question);
  return question.text === entity.urn ? [{ name: 'urn', value: entity.urn }, ...matched] : matched;
}

/** Throws BAD_REQUEST for fields that there are not, LIMIT_EXCEEDED for too many. */
function checkSort(sort: readonly SearchSort[]): void {
  if (sort.length > sortFieldsMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `Results are to be sorted by ${sort.length} fields; they may be by ${sortFieldsMax}.`,
    );
  }
  for (const { field } of sort) requireSearchField(field);
}

/** Throws BAD_REQUEST for pages that begin before the first hit, LIMIT_EXCEEDED for those that are too long. */
function checkPage({ start, count }: SearchQuery): void {
  if (start < 0 || count < 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `start and count must not be negative, but are ${start} and ${count}.`,
    );
  }
  if (count > pageCountMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `count is ${count}; one page of a search has at most ${pageCountMax} entries.`,
    );
  }
}

/** Whether an aspect says what an entity is called, bears or consists of, and not what somebody wrote about it. */
function isLabelled(aspect: string): boolean {
  return !searchSourcesOf(aspect).some(({ fields }) => fields.some((name) => proseFields.has(name)));
}
