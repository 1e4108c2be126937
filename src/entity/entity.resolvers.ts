import type { EntityAspects } from '../aspect/aspect.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { urnType } from '../urn/urn.ts';
import { entityTypeOf } from './entity-registry.ts';
import { requestedEntity, requestedUrn } from './graphql-types.ts';
import type { EntityValue } from './graphql-types.ts';
import { pageCountMax } from './page.ts';
import { isSecretAspect } from './secret-aspects.ts';
import { integerIn } from './stored-member.ts';

type AspectParams = {
  readonly autoRenderOnly?: boolean | null;
  readonly aspectNames?: readonly string[] | null;
};

const exists: FieldResolver<EntityValue> = ({ urn }, _args, context) => context.exists(urn);

/** Aspects that hold secrets are shown to nobody here. */
const aspects: FieldResolver<EntityValue, { readonly input?: AspectParams | null }> = async (
  { urn },
  { input },
  context,
) => {
  if (input?.autoRenderOnly === true) return [];
  const carried = entityTypeOf(urnType(urn))?.aspects ?? new Set<string>();
  const asked = input?.aspectNames ?? [...carried];
  const names = asked.filter((name) => carried.has(name) && !isSecretAspect(name));
  const stored: EntityAspects = names.length === 0 ? new Map() : await context.loadAll(urn, names);
  return rawAspects(names, stored);
};

/** Made while they are written: a request may name the same entity very often. */
function rawAspects(names: readonly string[], stored: EntityAspects): Iterable<object> {
  return {
    *[Symbol.iterator]() {
      for (const name of names) {
        const aspect = stored.get(name);
        if (aspect !== undefined) yield { aspectName: name, payload: aspect.text };
      }
    },
  };
}

/**
 * The newest `lastObserved` in the system metadata of all aspects; null when none of them was ingested. Volatile, because
 * an equal value that is ingested again is no change, but is observed later.
 */
const lastIngested: ResolverRecord<EntityValue> = {
  isVolatile: true,
  resolve: async ({ urn }, _args, context) => {
    const stored = await context.loadAll(urn, [...(entityTypeOf(urnType(urn))?.aspects ?? [])]);
    let newest: number | null = null;
    for (const { systemMetadata } of stored.values()) {
      const observed = integerIn(systemMetadata, 'lastObserved');
      if (observed !== null && (newest === null || observed > newest)) newest = observed;
    }
    return newest;
  },
};

export const entityResolvers: Resolvers = {
  Query: {
    entity: (_source, { urn }: { readonly urn: string }) => requestedEntity(urn),
    entities: (_source, { urns }: { readonly urns: readonly string[] }) => {
      if (urns.length > pageCountMax) {
        const message = `${urns.length} urns were asked for; ${pageCountMax} are the limit. Ask several times.`;
        throw new PostilError('LIMIT_EXCEEDED', message);
      }
      return urns.map(requestedEntity);
    },
    entityExists: (_source, { urn }: { readonly urn: string }, context) => context.exists(requestedUrn(urn)),
  },
  Dataset: { exists, aspects, lastIngested },
  GlossaryTerm: { exists, aspects },
  GlossaryNode: { exists, aspects },
  Container: { exists, aspects, lastIngested },
  MLModel: { exists, aspects, lastIngested },
  MLModelGroup: { exists, aspects, lastIngested },
  MLFeature: { exists, aspects, lastIngested },
  MLFeatureTable: { exists, aspects, lastIngested },
  MLPrimaryKey: { exists, aspects, lastIngested },
  BusinessAttribute: { exists, aspects },
  Chart: { exists, aspects, lastIngested },
  Dashboard: { exists, aspects, lastIngested },
  DataFlow: { exists, aspects, lastIngested },
  DataJob: { exists, aspects, lastIngested },
  DataProcessInstance: { exists, aspects },
  QueryEntity: { exists, aspects },
  Assertion: { exists, aspects },
  ERModelRelationship: { exists, aspects },
  Incident: { exists, aspects },
  CorpUser: { exists, aspects },
  CorpGroup: { exists, aspects },
  DataPlatform: { lastIngested },
  Tag: { aspects },
  Domain: { aspects },
};
