import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { columnElements } from '../entity/column-value.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import { referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { entityId } from '../entity/entity-id.ts';
import type { Urn } from '../urn/urn.ts';

type TagAssociation = { readonly tag: EntityValue; readonly associatedUrn: Urn };
type GlobalTags = { readonly tags: readonly TagAssociation[] };

/** What is attached but is no tag is left out. */
function globalTags(elements: readonly JsonObject[], urn: Urn): GlobalTags {
  const tags = elements.flatMap((element): TagAssociation | [] => {
    const tag = referredEntityIn(element, 'tag', 'tag');
    return tag === undefined ? [] : { tag, associatedUrn: urn };
  });
  return { tags };
}

const ofEntity = fromAspect('globalTags', (body, urn) => globalTags(objectsIn(body, 'tags'), urn));

function ofColumn(column: ColumnValue): GlobalTags | null {
  const elements = columnElements(column, 'globalTags');
  return elements === undefined ? null : globalTags(elements, column.urn);
}

export const tagResolvers: Resolvers = {
  Query: {
    tag: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'tag'),
  },
  Tag: {
    name: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('tagProperties', (body, urn) => ({
      name: textIn(body, 'name') ?? entityId(urn),
      description: textIn(body, 'description'),
      colorHex: textIn(body, 'colorHex'),
    })),
    description: fromAspect('tagProperties', (body) => textIn(body, 'description')),
  },
  Dataset: { tags: ofEntity, globalTags: ofEntity },
  SchemaField: { tags: ofColumn, globalTags: ofColumn },
  EditableSchemaFieldInfo: { tags: ofColumn, globalTags: ofColumn },
  SchemaFieldEntity: { tags: ofEntity },
  Container: { tags: ofEntity },
  MLModel: { tags: ofEntity, globalTags: ofEntity },
  MLModelGroup: { tags: ofEntity },
  MLFeature: { tags: ofEntity },
  MLFeatureTable: { tags: ofEntity },
  MLPrimaryKey: { tags: ofEntity },
  BusinessAttributeInfo: { tags: ofColumn },
  Chart: { tags: ofEntity, globalTags: ofEntity },
  Dashboard: { tags: ofEntity, globalTags: ofEntity },
  DataProduct: { tags: ofEntity },
  DataFlow: { tags: ofEntity, globalTags: ofEntity },
  DataJob: { tags: ofEntity, globalTags: ofEntity },
  Assertion: { tags: ofEntity },
  Incident: { tags: ofEntity },
  ERModelRelationship: { tags: ofEntity },
  DataPlatformInstance: { tags: ofEntity },
  CorpUser: { tags: ofEntity, globalTags: ofEntity },
};
