import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { readSeries } from '../entity/series.ts';
import type { SeriesQuery } from '../entity/series.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { relatedTo } from '../relationship/related-to.ts';
import { assertionRun } from './assertion-run.ts';
import type { AssertionRun } from './assertion-run.ts';

/** As many as DataHub gives when nobody says how many. */
const assertionsOfEntity = 200;

/** Only completed runs have a status, so `status` selects nothing more. */
const completed = { field: 'status', values: ['COMPLETE'] };

const runEvents: FieldResolver<EntityValue, SeriesQuery> = async ({ urn }, { filter, ...query }, context) => {
  const and = [completed, ...(filter?.and ?? [])];
  const stored = await readSeries(context, urn, 'assertionRunEvent', { ...query, filter: { and } });
  const given = (stored ?? []).map((event) => assertionRun(event, urn)).filter((run) => run !== undefined);
  const countOf = (type: string): number =>
    given.filter((run: AssertionRun) => run.result?.type === type).length;
  return {
    total: given.length,
    failed: countOf('FAILURE'),
    succeeded: countOf('SUCCESS'),
    errored: countOf('ERROR'),
    runEvents: given,
  };
};

type PageOfAssertions = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeSoftDeleted?: boolean | null;
};

const assertions: ResolverRecord<EntityValue, PageOfAssertions> = {
  isVolatile: true,
  resolve: async ({ urn }, { start, count, includeSoftDeleted }, context) => {
    const page = { start: start ?? 0, count: count ?? assertionsOfEntity };
    checkPage(page);
    const query = { urn, direction: 'INCOMING', kinds: ['Asserts'], distinct: true, ...page } as const;
    const related = await relatedTo(query, includeSoftDeleted === true, context);
    const found = referredEntities(
      related.items.map((item) => item.urn),
      'assertion',
    );
    return { start: page.start, count: found.length, total: related.total, assertions: found };
  },
};

export const assertionRunResolvers: Resolvers = {
  Assertion: { runEvents },
  Dataset: { assertions },
};
