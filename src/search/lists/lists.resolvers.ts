import { referredEntity } from '../../entity/graphql-types.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { ResolverRecord, Resolvers } from '../../graphql/resolver.ts';
import { requestedUrn } from '../../entity/graphql-types.ts';
import type { SearchSort } from '../search-engine.ts';
import {
  type AlternativeInput,
  type CriterionInput,
  engineOf,
  filterOf,
  pageOf,
  type SortInput,
  sortOf,
} from '../search-request.ts';

type ListInput = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly query?: string | null;
};
type DomainsInput = ListInput & { readonly parentDomain?: string | null };
type OwnershipTypesInput = ListInput & { readonly filters?: readonly CriterionInput[] | null };
type QueriesInput = ListInput & {
  readonly source?: string | null;
  readonly datasetUrn?: string | null;
  readonly orFilters?: readonly AlternativeInput[] | null;
  readonly sortInput?: SortInput | null;
};

/** What is listed: entities of one type, in a member of the answer. */
type List = {
  readonly type: string;
  readonly member: string;
  readonly criteria?: readonly CriterionInput[];
  readonly alternatives?: readonly AlternativeInput[] | null | undefined;
  /** Where no text is looked for; by name when absent. */
  readonly usualSort?: readonly SearchSort[];
  readonly sort?: readonly SearchSort[] | undefined;
};

const byName: readonly SearchSort[] = [{ field: 'name', descending: false }];
const latestFirst: readonly SearchSort[] = [{ field: 'lastModifiedAt', descending: true }];
const usualCount = 20;

async function listed(input: ListInput, list: List, context: RequestContext): Promise<object> {
  const { start, count } = pageOf(input, usualCount);
  const text = input.query?.trim() ?? '';
  const isEverything = text === '' || text === '*';
  const sort = list.sort ?? (isEverything ? (list.usualSort ?? byName) : undefined);
  const page = await engineOf(context).search(
    {
      text,
      types: [list.type],
      ...filterOf(list.criteria, list.alternatives, false),
      start,
      count,
      facets: [],
      withoutMatches: true,
      ...(sort === undefined ? {} : { sort }),
    },
    context.caller,
  );
  const entities = page.hits.flatMap(({ urn }) => referredEntity(urn) ?? []);
  return { start, count: entities.length, total: page.total, [list.member]: entities };
}

function list<Input extends ListInput>(
  describe: (input: Input) => List,
): ResolverRecord<unknown, { readonly input: Input }> {
  return {
    isVolatile: true,
    resolve: (_source, { input }, context) => listed(input, describe(input), context),
  };
}

function belowDomain(parent: string | null | undefined): CriterionInput {
  if (parent === null || parent === undefined) {
    return { field: 'parentDomain', condition: 'EXISTS', negated: true };
  }
  return { field: 'parentDomain', values: [requestedUrn(parent)] };
}

function* criteriaOfQueries({ source, datasetUrn }: QueriesInput): Iterable<CriterionInput> {
  if (source !== null && source !== undefined) yield { field: 'source', values: [source] };
  if (datasetUrn !== null && datasetUrn !== undefined) {
    yield { field: 'entities', values: [requestedUrn(datasetUrn)] };
  }
}

export const listResolvers: Resolvers = {
  Query: {
    listDomains: list<DomainsInput>(({ parentDomain }) => ({
      type: 'domain',
      member: 'domains',
      criteria: [belowDomain(parentDomain)],
    })),
    listUsers: list(() => ({ type: 'corpuser', member: 'users' })),
    listGroups: list(() => ({ type: 'corpGroup', member: 'groups' })),
    listOwnershipTypes: list<OwnershipTypesInput>(({ filters }) => ({
      type: 'ownershipType',
      member: 'ownershipTypes',
      criteria: filters ?? [],
    })),
    listQueries: list<QueriesInput>((input) => ({
      type: 'query',
      member: 'queries',
      criteria: [...criteriaOfQueries(input)],
      alternatives: input.orFilters,
      usualSort: latestFirst,
      sort: sortOf(input.sortInput),
    })),
  },
};
