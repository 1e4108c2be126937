import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntity, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { filledTextIn, integerIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';

/** `null` when one of the datasets is none: what relates nothing cannot be shown. */
function relationProperties(body: JsonObject, urn: Urn): object | null {
  const source = referredEntityIn(body, 'source', 'dataset');
  const destination = referredEntityIn(body, 'destination', 'dataset');
  if (source === undefined || destination === undefined) return null;
  const created = objectIn(body, 'created');
  return {
    name: filledTextIn(body, 'name') ?? entityId(urn),
    source,
    destination,
    relationshipFieldMappings: objectsIn(body, 'relationshipFieldMappings').map((mapping) => ({
      sourceField: textIn(mapping, 'sourceField') ?? '',
      destinationField: textIn(mapping, 'destinationField') ?? '',
    })),
    createdTime: integerIn(created, 'time'),
    createdActor: referredEntity(created?.['actor']) ?? null,
  };
}

export const erModelRelationshipResolvers: Resolvers = {
  Query: {
    erModelRelationship: (_source, { urn }: { readonly urn: string }) =>
      requestedEntityOf(urn, 'erModelRelationship'),
  },
  ERModelRelationship: {
    id: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('erModelRelationshipProperties', relationProperties),
    editableProperties: fromAspect('editableERModelRelationshipProperties', (body) => ({
      description: textIn(body, 'description'),
      name: textIn(body, 'name'),
    })),
  },
};
