import type { Aspect } from '../aspect/aspect.ts';
import { isJsonObject, type JsonObject } from '../aspect/json.ts';
import { referredEntity, referredEntityIn, type EntityValue } from '../entity/graphql-types.ts';
import { listIn, objectsIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';
import { definitionOf, storedValueOf } from './property-definition.ts';
import { propertyValue, type PropertyValue } from './property-value.ts';
import {
  removeStructuredProperties,
  type RemoveStructuredPropertiesInput,
} from './remove-structured-properties.ts';
import {
  upsertStructuredProperties,
  type UpsertStructuredPropertiesInput,
} from './upsert-structured-properties.ts';

type Entry = {
  readonly structuredProperty: EntityValue;
  readonly values: readonly PropertyValue[];
  readonly valueEntities: readonly EntityValue[];
  readonly associatedUrn: Urn;
};

type Entries = { readonly properties: readonly Entry[] };

/** Made once in a request, however often it names the same entity; a write gives another aspect, and so other entries. */
const madeByRequest = new WeakMap<RequestContext, Map<Aspect, Promise<Entries>>>();

async function entriesOf(urn: Urn, context: RequestContext): Promise<Entries | null> {
  const aspect = await context.load(urn, 'structuredProperties');
  if (aspect === undefined) return null;
  const made = madeByRequest.get(context) ?? new Map<Aspect, Promise<Entries>>();
  madeByRequest.set(context, made);
  const entries = made.get(aspect) ?? entriesIn(aspect, urn, context);
  made.set(aspect, entries);
  return entries;
}

async function entriesIn({ body }: Aspect, urn: Urn, context: RequestContext): Promise<Entries> {
  const entries = await Promise.all(
    objectsIn(body, 'properties').map((property) => entryOf(urn, property, context)),
  );
  return { properties: entries.flat() };
}

/** None for a property that is not defined or is marked as removed: nobody could say what the values mean. */
async function entryOf(urn: Urn, property: JsonObject, context: RequestContext): Promise<readonly Entry[]> {
  const structuredProperty = referredEntityIn(property, 'propertyUrn', 'structuredProperty');
  if (structuredProperty === undefined) return [];
  const stored = await context.loadAll(structuredProperty.urn, ['propertyDefinition', 'status']);
  const definition = stored.get('propertyDefinition')?.body;
  if (definition === undefined || stored.get('status')?.body['removed'] === true) return [];
  const { valueType } = definitionOf(structuredProperty.urn, definition);
  const values = listIn(property, 'values').flatMap((value) =>
    storedValueOf(isJsonObject(value) ? value : undefined),
  );
  return [
    {
      structuredProperty,
      values: values.map(propertyValue),
      valueEntities:
        valueType?.id === 'urn'
          ? values.flatMap((value) => ('string' in value ? (referredEntity(value.string) ?? []) : []))
          : [],
      associatedUrn: urn,
    },
  ];
}

const structuredProperties: FieldResolver<EntityValue> = ({ urn }, _args, context) => entriesOf(urn, context);

const none: Entries = { properties: [] };

type Args<Input> = { readonly input: Input };

export const structuredPropertiesResolvers: Resolvers = {
  Mutation: {
    upsertStructuredProperties: async (_source, { input }: Args<UpsertStructuredPropertiesInput>, context) =>
      (await entriesOf(await context.execute(upsertStructuredProperties, input), context)) ?? none,
    removeStructuredProperties: async (_source, { input }: Args<RemoveStructuredPropertiesInput>, context) =>
      (await entriesOf(await context.execute(removeStructuredProperties, input), context)) ?? none,
  },
  Dataset: { structuredProperties },
  SchemaFieldEntity: { structuredProperties },
  Container: { structuredProperties },
  GlossaryTerm: { structuredProperties },
  GlossaryNode: { structuredProperties },
  Domain: { structuredProperties },
  CorpUser: { structuredProperties },
  CorpGroup: { structuredProperties },
  Chart: { structuredProperties },
  Dashboard: { structuredProperties },
  DataFlow: { structuredProperties },
  DataJob: { structuredProperties },
  DataProduct: { structuredProperties },
  MLModel: { structuredProperties },
  MLModelGroup: { structuredProperties },
  MLFeature: { structuredProperties },
  MLFeatureTable: { structuredProperties },
  MLPrimaryKey: { structuredProperties },
};
