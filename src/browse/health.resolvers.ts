import type { EntityValue } from '../entity/graphql-types.ts';
import { pageCountMax } from '../entity/page.ts';
import { readSeries } from '../entity/series.ts';
import { objectIn, textIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { relatedTo } from '../relationship/related-to.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `Health`. */
type Health = {
  readonly type: 'ASSERTIONS' | 'INCIDENTS';
  readonly status: 'PASS' | 'FAIL';
  readonly message: string | null;
  readonly causes: readonly string[] | null;
};

async function referring(urn: Urn, kind: string, context: RequestContext): Promise<readonly Urn[]> {
  const query = {
    urn,
    direction: 'INCOMING',
    kinds: [kind],
    distinct: true,
    start: 0,
    count: pageCountMax,
  } as const;
  const { items } = await relatedTo(query, false, context);
  return items.map((item) => item.urn);
}

async function healthByIncidents({ urn }: EntityValue, context: RequestContext): Promise<Health> {
  const incidents = await referring(urn, 'IncidentOn', context);
  const infos = await Promise.all(incidents.map(async (incident) => context.load(incident, 'incidentInfo')));
  const active = infos.filter((info) => textIn(objectIn(info?.body, 'status'), 'state') === 'ACTIVE').length;
  if (active === 0) return { type: 'INCIDENTS', status: 'PASS', message: null, causes: null };
  const message = `${active} active incident${active === 1 ? '' : 's'}`;
  return { type: 'INCIDENTS', status: 'FAIL', message, causes: ['ACTIVE_INCIDENTS'] };
}

/** Of each assertion its latest completed run counts; `undefined` when none ever completed one. */
async function healthByAssertions(
  { urn }: EntityValue,
  context: RequestContext,
): Promise<Health | undefined> {
  const assertions = await referring(urn, 'Asserts', context);
  const filter = { and: [{ field: 'status', values: ['COMPLETE'] }] };
  const latest = await Promise.all(
    assertions.map(async (assertion) => {
      const [run] = (await readSeries(context, assertion, 'assertionRunEvent', { filter, limit: 1 })) ?? [];
      return { assertion, result: textIn(objectIn(run?.body, 'result'), 'type') };
    }),
  );
  const known = latest.filter(({ result }) => result === 'SUCCESS' || result === 'FAILURE');
  const failing = known.filter(({ result }) => result === 'FAILURE').map(({ assertion }) => assertion);
  if (known.length === 0) return undefined;
  if (failing.length === 0) {
    return { type: 'ASSERTIONS', status: 'PASS', message: 'All assertions are passing', causes: null };
  }
  const message = `${failing.length} of ${known.length} assertions are failing`;
  return { type: 'ASSERTIONS', status: 'FAIL', message, causes: failing };
}

const health: ResolverRecord<EntityValue> = {
  isVolatile: true,
  resolve: async (entity, _args, context) => [await healthByIncidents(entity, context)],
};

const healthOfDataset: ResolverRecord<EntityValue> = {
  isVolatile: true,
  resolve: async (entity, _args, context) => {
    const [incidents, assertions] = await Promise.all([
      healthByIncidents(entity, context),
      healthByAssertions(entity, context),
    ]);
    return assertions === undefined ? [incidents] : [incidents, assertions];
  },
};

export const healthResolvers: Resolvers = {
  Dataset: { health: healthOfDataset },
  Chart: { health },
  Dashboard: { health },
  DataFlow: { health },
  DataJob: { health },
};
