import type { AspectReader } from '../../aspect/aspect-store.ts';
import { referredEntity } from '../../entity/graphql-types.ts';
import type { EntityValue } from '../../entity/graphql-types.ts';
import { checkPage } from '../../entity/page.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../../graphql/resolver.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { columnEdges, parentOf } from '../../relationship/column-edges.ts';
import { type EdgeRecord, edgeRecord } from './edge-record.ts';
import { type LineageDirection, type LineageEdge, lineageEdges } from '../../relationship/lineage-edges.ts';

type LineageInput = {
  readonly direction: LineageDirection;
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeGhostEntities?: boolean | null;
};

/** GraphQL's `LineageRelationship`; the rest is made when it is asked for. */
type LineageRelationshipValue = {
  readonly type: string;
  readonly entity: EntityValue | null;
  readonly degree: 1;
  readonly edge: LineageEdge;
  readonly self: EntityValue;
};

const existingBatch = 500;

const lineage: FieldResolver<EntityValue, { readonly input: LineageInput }> = async (
  self,
  { input },
  { reader },
) => {
  const start = input.start ?? 0;
  const count = input.count ?? 100;
  checkPage({ start, count });
  const edgesOf = urnType(self.urn) === 'schemaField' ? columnEdges : lineageEdges;
  const { edges } = await edgesOf(reader, self.urn, input.direction);
  const present = input.includeGhostEntities === true ? undefined : await presentAmong(edges, reader);
  const kept = present === undefined ? edges : edges.filter(({ urn }) => present.has(urn));
  const page = kept.slice(start, start + count);
  return {
    start,
    count: page.length,
    total: kept.length,
    filtered: edges.length - kept.length,
    relationships: page.map((edge) => ({
      type: edge.kind,
      entity: referredEntity(edge.urn) ?? null,
      degree: 1,
      edge,
      self,
    })),
  };
};

/** Which of the neighbours are stored and not marked as removed; a column is when what it is part of is. */
async function presentAmong(edges: readonly LineageEdge[], reader: AspectReader): Promise<ReadonlySet<Urn>> {
  const present = new Set<Urn>();
  for (let at = 0; at < edges.length; at += existingBatch) {
    const urns = edges.slice(at, at + existingBatch).map(({ urn }) => urn);
    const bearers = [...new Set(urns.map(bearerOf))];
    const [existing, stored] = await Promise.all([
      reader.existing(bearers),
      reader.readMany(bearers, ['status']),
    ]);
    for (const urn of urns) {
      const bearer = bearerOf(urn);
      const isRemoved = stored.get(bearer)?.get('status')?.body['removed'] === true;
      if (existing.has(bearer) && !isRemoved) present.add(urn);
    }
  }
  return present;
}

function bearerOf(urn: Urn): Urn {
  return urnType(urn) === 'schemaField' ? (parentOf(urn) ?? urn) : urn;
}

function fromRecord<T>(
  read: (record: EdgeRecord) => T,
): (source: LineageRelationshipValue, args: unknown, context: RequestContext) => Promise<T> {
  return async ({ edge, self }, _args, context) => read(await edgeRecord(edge, self.urn, context));
}

const record: ResolverRecord<EntityValue, { readonly input: LineageInput }> = {
  resolve: lineage,
  isVolatile: true,
};

/** The objects that implement `EntityWithRelationships`. */
const related = [
  'Assertion',
  'Chart',
  'Dashboard',
  'DataFlow',
  'DataJob',
  'DataProcessInstance',
  'Dataset',
  'MLFeature',
  'MLFeatureTable',
  'MLModel',
  'MLModelGroup',
  'MLPrimaryKey',
  'SchemaFieldEntity',
  'Test',
];

export const entityLineageResolvers: Resolvers = {
  ...Object.fromEntries(related.map((object) => [object, { lineage: record }])),
  LineageRelationship: {
    createdOn: fromRecord(({ created }) => created?.time ?? null),
    createdActor: fromRecord(({ created }) => referredEntity(created?.actor) ?? null),
    updatedOn: fromRecord(({ updated }) => updated?.time ?? null),
    updatedActor: fromRecord(({ updated }) => referredEntity(updated?.actor) ?? null),
    isManual: fromRecord(({ isManual }) => isManual),
    paths: ({ entity, self }: LineageRelationshipValue) => [{ path: [self, entity] }],
  },
};
