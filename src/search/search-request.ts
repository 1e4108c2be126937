import type { Caller } from '../auth/caller.ts';
import { entityTypes } from '../entity/entity-registry.ts';
import { graphqlEntityType } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import { combinedSeparator, searchFieldNamed } from '../search-index/search-fields.ts';
import type {
  FilterCondition,
  SearchCriterion,
  SearchEngine,
  SearchFilter,
  SearchScope,
  SearchSort,
} from './search-engine.ts';
import { searchedTypes, usuallySearchedTypes } from './searched-types.ts';

/** GraphQL's `FacetFilterInput`. */
export type CriterionInput = {
  readonly field: string;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: FilterCondition | null;
};

/** GraphQL's `AndFilterInput`. */
export type AlternativeInput = { readonly and?: readonly CriterionInput[] | null };

export type SearchFlagsInput = {
  readonly maxAggValues?: number | null;
  readonly skipHighlighting?: boolean | null;
  readonly skipAggregates?: boolean | null;
  readonly getSuggestions?: boolean | null;
  readonly includeSoftDeleted?: boolean | null;
  readonly fetchExtraFields?: readonly string[] | null;
};

export type SortInput = {
  readonly sortCriterion?: SortCriterionInput | null;
  readonly sortCriteria?: readonly SortCriterionInput[] | null;
};

type SortCriterionInput = { readonly field: string; readonly sortOrder: 'ASCENDING' | 'DESCENDING' };

/** What all inputs of searches have in common. */
export type ScopeInput = {
  readonly types?: readonly string[] | null;
  readonly query?: string | null;
  readonly filters?: readonly CriterionInput[] | null;
  readonly orFilters?: readonly AlternativeInput[] | null;
  readonly viewUrn?: string | null;
  readonly searchFlags?: SearchFlagsInput | null;
};

/** So far pages by `start` reach; whoever wants more scrolls (reliability-security section 5.1). */
export const windowMax = 10_000;
const facetValuesUsual = 20;
const facetValuesMax = 1_000;

/** What of a request's context a search needs. */
export type SearchContext = {
  readonly services: { readonly search?: SearchEngine };
  readonly caller: Caller;
};

/** The engine of a request. */
export function engineOf({ services }: Pick<SearchContext, 'services'>): SearchEngine {
  if (services.search === undefined) throw new TypeError('A search was asked for without a server.');
  return services.search;
}

/**
 * What is searched; of the `usual` types when none is named. Throws BAD_REQUEST for views, and for types that cannot be read
 * through GraphQL.
 */
export function scopeOf(input: ScopeInput, usual = usuallySearchedTypes()): SearchScope {
  refuseView(input.viewUrn);
  return {
    text: textOf(input.query),
    types: searchedTypes(input.types, usual),
    ...filterOf(input.filters, input.orFilters, input.searchFlags?.includeSoftDeleted === true),
  };
}

/** DataHub's MCP server begins queries with `/q`, which says how to read the rest; here it is literal either way. */
const queryMark = /^\s*\/q\s+/;

/** What is looked for in a text as clients send it. */
export function textOf(query: string | null | undefined): string {
  return (query ?? '').replace(queryMark, '');
}

/**
 * The filter of a request: all of `filters` and one of `alternatives` has to hold. Soft-deleted entities are left out of every
 * alternative that does not ask for `removed` itself (contract section 7.17).
 */
export function filterOf(
  filters: readonly CriterionInput[] | null | undefined,
  alternatives: readonly AlternativeInput[] | null | undefined,
  includeSoftDeleted: boolean,
): Pick<SearchScope, 'filter' | 'includeSoftDeleted'> {
  const always = (filters ?? []).map(criterionOf);
  const filter = (alternatives ?? []).map(({ and }) => [...always, ...(and ?? []).map(criterionOf)]);
  if (filter.length === 0 && always.length > 0) filter.push(always);
  if (includeSoftDeleted || !filter.some(asksForRemoved)) {
    return { ...(filter.length === 0 ? {} : { filter }), includeSoftDeleted };
  }
  return {
    filter: filter.map((criteria) => (asksForRemoved(criteria) ? criteria : [...criteria, notRemoved])),
    includeSoftDeleted: true,
  };
}

const notRemoved: SearchCriterion = {
  field: 'removed',
  condition: 'EQUAL',
  values: ['true'],
  negated: true,
};

function asksForRemoved(criteria: SearchFilter[number]): boolean {
  return criteria.some(({ field }) => searchFieldNamed(field)?.name === 'removed');
}

function criterionOf({ field, values, negated, condition }: CriterionInput): SearchCriterion {
  const sent = values ?? [];
  return {
    field,
    condition: condition ?? 'EQUAL',
    values: isOfTypes(field) ? sent.flatMap(registryValues) : sent,
    negated: negated === true,
  };
}

/** Whether values of the field are types of entities, which clients write as in the enum `EntityType`; alone or combined. */
function isOfTypes(field: string): boolean {
  const { name, parts } = searchFieldNamed(field) ?? {};
  return name === entityTypeField || parts?.[0] === entityTypeField;
}

const entityTypeField = '_entityType';

const typesByValue: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  entityTypes().map(({ name }) => name),
  graphqlEntityType,
);

function registryValues(value: string): readonly string[] {
  const [type = '', ...rest] = value.split(combinedSeparator);
  const types = typesByValue.get(type.toUpperCase()) ?? [type];
  return types.map((name) => [name, ...rest].join(combinedSeparator));
}

/** The value of a facet as clients know it: types of entities as in the enum `EntityType`. */
export function facetValueOf(field: string, value: string): string {
  if (!isOfTypes(field)) return value;
  const [type = '', ...rest] = value.split(combinedSeparator);
  return [graphqlEntityType(type), ...rest].join(combinedSeparator);
}

/** A page by numbers. Throws BAD_REQUEST for negative ones, LIMIT_EXCEEDED for what is too long or too far away. */
export function pageOf(
  input: { readonly start?: number | null; readonly count?: number | null },
  usualCount = 10,
): { readonly start: number; readonly count: number } {
  const page = { start: input.start ?? 0, count: input.count ?? usualCount };
  checkPage(page);
  if (page.start + page.count > windowMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `start is ${page.start} and count ${page.count}; pages by number reach ${windowMax} entries. Use scrollAcrossEntities.`,
    );
  }
  return page;
}

/** By what results are sorted; `undefined` for relevance. */
export function sortOf(input: SortInput | null | undefined): readonly SearchSort[] | undefined {
  const several = input?.sortCriteria ?? [];
  const criteria = several.length > 0 ? several : input?.sortCriterion ? [input.sortCriterion] : [];
  if (criteria.length === 0) return undefined;
  return criteria.map(({ field, sortOrder }) => ({ field, descending: sortOrder === 'DESCENDING' }));
}

/** How many values a facet may have. Throws BAD_REQUEST for a negative number, LIMIT_EXCEEDED above 1000. */
export function facetValuesOf(flags: SearchFlagsInput | null | undefined): number {
  const wanted = flags?.maxAggValues ?? facetValuesUsual;
  if (wanted < 0)
    throw new PostilError('BAD_REQUEST', `maxAggValues must not be negative, but is ${wanted}.`);
  if (wanted > facetValuesMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `maxAggValues is ${wanted}; a facet has at most ${facetValuesMax} values.`,
    );
  }
  return wanted;
}

/** Throws BAD_REQUEST unless no view is asked for: ignoring it would show what the view leaves out. */
export function refuseView(viewUrn: string | null | undefined): void {
  if (viewUrn === null || viewUrn === undefined || viewUrn === '') return;
  throw new PostilError(
    'BAD_REQUEST',
    `There is no view ${viewUrn}; ask with orFilters and without viewUrn.`,
  );
}
