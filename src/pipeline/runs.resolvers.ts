import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { integerIn, objectIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { relatedTo } from '../relationship/related-to.ts';

type PageArguments = { readonly start?: number | null; readonly count?: number | null };

/** As many as DataHub gives when nobody says how many. */
const runsOfPage = 20;

/** Edges come in no order of time, so all runs are looked at. */
async function startedAt({ urn }: EntityValue, context: RequestContext): Promise<number> {
  const stored = await context.load(urn, 'dataProcessInstanceProperties');
  return integerIn(objectIn(stored?.body, 'created'), 'time') ?? 0;
}

/** The runs that edges of one kind connect with an entity; those that are marked as removed are left out. */
async function runsOf(
  { urn }: EntityValue,
  kind: string,
  page: PageArguments,
  context: RequestContext,
): Promise<object> {
  const start = page.start ?? 0;
  const count = page.count ?? runsOfPage;
  checkPage({ start, count });
  const query = {
    urn,
    direction: 'INCOMING',
    kinds: [kind],
    distinct: true,
    start: 0,
    count: Number.MAX_SAFE_INTEGER,
  } as const;
  const related = await relatedTo(query, false, context);
  const runs = referredEntities(
    related.items.map((item) => item.urn),
    'dataProcessInstance',
  );
  const times = new Map(
    await Promise.all(runs.map(async (run) => [run, await startedAt(run, context)] as const)),
  );
  const latestFirst = runs.toSorted((left, right) => (times.get(right) ?? 0) - (times.get(left) ?? 0));
  const given = latestFirst.slice(start, start + count);
  return { start, count: given.length, total: runs.length, runs: given };
}

const runsOfJob: ResolverRecord<EntityValue, PageArguments> = {
  isVolatile: true,
  resolve: (source, page, context) => runsOf(source, 'InstanceOf', page, context),
};

type DatasetRunsArguments = PageArguments & { readonly direction: 'INCOMING' | 'OUTGOING' };

/** A run that consumes the dataset is INCOMING, one that produces it OUTGOING, as in DataHub. */
const runsOfDataset: ResolverRecord<EntityValue, DatasetRunsArguments> = {
  isVolatile: true,
  resolve: (source, { direction, ...page }, context) =>
    runsOf(source, direction === 'INCOMING' ? 'Consumes' : 'Produces', page, context),
};

export const runsResolvers: Resolvers = {
  DataJob: { runs: runsOfJob },
  Dataset: { runs: runsOfDataset },
};
