import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { relatedTo } from '../relationship/related-to.ts';
import { incidentInfo } from './incident-info.ts';
import type { IncidentInfo } from './incident-info.ts';

const stored = fromAspect('incidentInfo', incidentInfo);

/** A field of the type that is a member of what is stored. */
function member<Name extends keyof IncidentInfo>(name: Name): FieldResolver<EntityValue> {
  return async (source, args, context) => (await stored(source, args, context))?.[name] ?? null;
}

type IncidentsArguments = {
  readonly state?: string | null;
  readonly stage?: string | null;
  readonly priority?: string | null;
  readonly assigneeUrns?: readonly string[] | null;
  readonly start?: number | null;
  readonly count?: number | null;
};

/** As many as DataHub gives when nobody says how many. */
const incidentsOfPage = 20;

/** What is wanted of an incident is in the incident, so all of them are looked at. */
const incidents: ResolverRecord<EntityValue, IncidentsArguments> = {
  isVolatile: true,
  resolve: async ({ urn }, asked, context) => {
    const start = asked.start ?? 0;
    const count = asked.count ?? incidentsOfPage;
    checkPage({ start, count });
    const query = { urn, direction: 'INCOMING', kinds: ['IncidentOn'], distinct: true } as const;
    const related = await relatedTo({ ...query, start: 0, count: Number.MAX_SAFE_INTEGER }, false, context);
    const entities = referredEntities(
      related.items.map((item) => item.urn),
      'incident',
    );
    const read = await Promise.all(
      entities.map(async (entity) => ({ entity, info: await stored(entity, {}, context) })),
    );
    const wanted = read
      .filter(({ info }) => info !== null && isWanted(info, asked))
      .toSorted((left, right) => (right.info?.created.time ?? 0) - (left.info?.created.time ?? 0));
    const given = wanted.slice(start, start + count).map(({ entity }) => entity);
    return { start, count: given.length, total: wanted.length, incidents: given };
  },
};

function isWanted(info: IncidentInfo, asked: IncidentsArguments): boolean {
  const { state, stage, priority, assigneeUrns } = asked;
  const assignees = assigneeUrns ?? [];
  return (
    isSame(state, info.incidentStatus.state) &&
    isSame(stage, info.incidentStatus.stage) &&
    isSame(priority, info.priority) &&
    (assignees.length === 0 || info.assignees?.some(({ urn }) => assignees.includes(urn)) === true)
  );
}

function isSame(asked: string | null | undefined, found: string | null): boolean {
  return asked === null || asked === undefined || asked === found;
}

export const incidentResolvers: Resolvers = {
  Incident: {
    incidentType: member('incidentType'),
    customType: member('customType'),
    title: member('title'),
    description: member('description'),
    incidentStatus: member('incidentStatus'),
    status: member('incidentStatus'),
    priority: member('priority'),
    assignees: member('assignees'),
    entity: member('entity'),
    source: member('source'),
    startedAt: member('startedAt'),
    created: member('created'),
  },
  Dataset: { incidents },
  Chart: { incidents },
  Dashboard: { incidents },
  DataFlow: { incidents },
  DataJob: { incidents },
};
