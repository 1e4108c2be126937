import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { resolvedAuditStamp } from '../entity/audit-stamp.ts';
import { entityId } from '../entity/entity-id.ts';
import {
  graphqlEntityType,
  referredEntities,
  referredEntity,
  requestedEntityOf,
  type EntityValue,
} from '../entity/graphql-types.ts';
import { booleanIn, integerIn, listIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { urnKey, type Urn } from '../urn/urn.ts';
import {
  createStructuredProperty,
  type CreateStructuredPropertyInput,
} from './create-structured-property.ts';
import {
  deleteStructuredProperty,
  type DeleteStructuredPropertyInput,
} from './delete-structured-property.ts';
import { storedValueOf } from './property-definition.ts';
import { settingNames } from './property-settings.ts';
import { propertyValue } from './property-value.ts';
import {
  updateStructuredProperty,
  type UpdateStructuredPropertyInput,
} from './update-structured-property.ts';
import { entityTypeNamed, urnOfValueType, valueTypeOf, valueTypes } from './value-type.ts';

type Args<Input> = { readonly input: Input };

const property = (urn: Urn): EntityValue => requestedEntityOf(urn, 'structuredProperty');

/** What `propertyDefinition` says; of a property that is not defined, what its URN says and the first value type. */
function definition(body: JsonObject | undefined, urn: Urn): object {
  const [anyType] = valueTypes;
  const qualifier = objectIn(body, 'typeQualifier');
  const cardinality = textIn(body, 'cardinality');
  return {
    qualifiedName: textIn(body, 'qualifiedName') ?? entityId(urn),
    displayName: textIn(body, 'displayName'),
    description: textIn(body, 'description'),
    cardinality: cardinality === 'MULTIPLE' ? cardinality : 'SINGLE',
    allowedValues: body?.['allowedValues'] === undefined ? null : allowedValues(body),
    valueType: referredEntity(body?.['valueType']) ?? (anyType && referredEntity(urnOfValueType(anyType))),
    typeQualifier: qualifier && {
      allowedTypes: referredEntities(listIn(qualifier, 'allowedTypes'), 'entityType'),
    },
    entityTypes: referredEntities(listIn(body, 'entityTypes'), 'entityType'),
    immutable: booleanIn(body, 'immutable') ?? false,
    created: stampIn(body, 'created'),
    lastModified: stampIn(body, 'lastModified'),
  };
}

function allowedValues(body: JsonObject): readonly object[] {
  return objectsIn(body, 'allowedValues').flatMap((allowed) =>
    storedValueOf(objectIn(allowed, 'value')).map((value) => ({
      value: propertyValue(value),
      description: textIn(allowed, 'description'),
    })),
  );
}

function stampIn(body: JsonObject | undefined, member: string): object | null {
  const stamp = objectIn(body, member);
  if (stamp === undefined) return null;
  return resolvedAuditStamp({ time: integerIn(stamp, 'time') ?? 0, actor: textIn(stamp, 'actor') ?? '' });
}

export const structuredPropertyResolvers: Resolvers = {
  Query: {
    structuredProperty: async (_source, { urn }: { readonly urn: string }, context) => {
      const asked = requestedEntityOf(urn, 'structuredProperty');
      return (await context.exists(asked.urn)) ? asked : null;
    },
  },
  Mutation: {
    createStructuredProperty: async (_source, { input }: Args<CreateStructuredPropertyInput>, context) =>
      property(await context.execute(createStructuredProperty, input)),
    updateStructuredProperty: async (_source, { input }: Args<UpdateStructuredPropertyInput>, context) =>
      property(await context.execute(updateStructuredProperty, input)),
    deleteStructuredProperty: (_source, { input }: Args<DeleteStructuredPropertyInput>, context) =>
      context.execute(deleteStructuredProperty, input),
  },
  StructuredPropertyEntity: {
    exists: ({ urn }: EntityValue, _args: unknown, context: RequestContext) => context.exists(urn),
    definition: async ({ urn }: EntityValue, _args: unknown, context) =>
      definition((await context.load(urn, 'propertyDefinition'))?.body, urn),
    settings: fromAspect('structuredPropertySettings', (body) => ({
      ...Object.fromEntries(settingNames.map((name) => [name, body[name] === true])),
      lastModified: stampIn(body, 'lastModified'),
    })),
  },
  DataTypeEntity: {
    info: async ({ urn }: EntityValue, _args: unknown, context) => {
      const body = (await context.load(urn, 'dataTypeInfo'))?.body;
      const known = valueTypeOf(urn);
      return {
        type: known?.standardType ?? 'OTHER',
        qualifiedName: textIn(body, 'qualifiedName') ?? urnKey(urn),
        displayName: textIn(body, 'displayName') ?? known?.displayName ?? null,
        description: textIn(body, 'description') ?? known?.description ?? null,
      };
    },
  },
  EntityTypeEntity: {
    info: async ({ urn }: EntityValue, _args: unknown, context) => {
      const body = (await context.load(urn, 'entityTypeInfo'))?.body;
      const name = entityTypeNamed(urn) ?? '';
      return {
        type: graphqlEntityType(name),
        qualifiedName: textIn(body, 'qualifiedName') ?? urnKey(urn),
        displayName: textIn(body, 'displayName') ?? name,
        description: textIn(body, 'description'),
      };
    },
  },
};
