import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { booleanIn, integerIn, textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';

const status = fromAspect('status', (body) => ({ removed: booleanIn(body, 'removed') ?? false }));

type Deprecation = {
  readonly deprecated: boolean;
  readonly decommissionTime: number | null;
  readonly note: string | null;
  readonly actor: string | null;
  readonly actorEntity: EntityValue | null;
  readonly replacement: EntityValue | null;
};

function deprecationOf(body: JsonObject): Deprecation {
  const actor = textIn(body, 'actor');
  return {
    deprecated: booleanIn(body, 'deprecated') ?? false,
    decommissionTime: integerIn(body, 'decommissionTime'),
    note: textIn(body, 'note'),
    actor,
    actorEntity: referredEntity(actor) ?? null,
    replacement: referredEntity(body['replacement']) ?? null,
  };
}

const deprecation = fromAspect('deprecation', deprecationOf);

/** Datasets may still have the aspect that came before the general one (contract section 10.1). */
const deprecationOfDataset: FieldResolver<EntityValue> = async ({ urn }, _args, context) => {
  const stored = await context.loadAll(urn, ['deprecation', 'datasetDeprecation']);
  const aspect = stored.get('deprecation') ?? stored.get('datasetDeprecation');
  return aspect === undefined ? null : deprecationOf(aspect.body);
};

export const lifecycleResolvers: Resolvers = {
  Dataset: { status, deprecation: deprecationOfDataset },
  GlossaryTerm: { deprecation },
  Container: { status, deprecation },
  MLModel: { status, deprecation },
  MLModelGroup: { status, deprecation },
  MLFeature: { status, deprecation },
  MLFeatureTable: { status, deprecation },
  MLPrimaryKey: { status, deprecation },
  BusinessAttribute: { status },
  Chart: { status, deprecation },
  Dashboard: { status, deprecation },
  DataProduct: { status, deprecation },
  DataFlow: { status, deprecation },
  DataJob: { status, deprecation },
  Assertion: { status },
  ERModelRelationship: { status },
  DataPlatformInstance: { status, deprecation },
  SchemaFieldEntity: { status, deprecation },
  OwnershipTypeEntity: { status },
};
