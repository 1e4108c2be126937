import { fromAspect } from '../entity/aspect-field.ts';
import { auditStampIn, optionalAuditStampIn } from '../entity/audit-stamp.ts';
import { dataTypeOf } from '../entity/column-type.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import { customPropertiesOf } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import { filledTextIn, objectIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

export const businessAttributeResolvers: Resolvers = {
  Query: {
    businessAttribute: (_source, { urn }: { readonly urn: string }) =>
      requestedEntityOf(urn, 'businessAttribute'),
  },
  BusinessAttribute: {
    // Tags and terms are in it as they are in a column, so facets read it as one.
    properties: fromAspect('businessAttributeInfo', (body, urn): ColumnValue & object => ({
      urn,
      ingested: body,
      edited: undefined,
    })),
  },
  BusinessAttributeInfo: {
    name: ({ urn, ingested }: ColumnValue) => filledTextIn(ingested, 'name') ?? entityId(urn),
    description: ({ ingested }: ColumnValue) => textIn(ingested, 'description'),
    type: ({ ingested }: ColumnValue) => (ingested?.['type'] === undefined ? null : dataTypeOf(ingested)),
    customProperties: ({ urn, ingested }: ColumnValue) => customPropertiesOf(ingested ?? {}, urn),
    created: ({ ingested }: ColumnValue) => auditStampIn(ingested, 'created'),
    lastModified: ({ ingested }: ColumnValue) => auditStampIn(ingested, 'lastModified'),
    deleted: ({ ingested }: ColumnValue) => optionalAuditStampIn(ingested, 'deleted'),
  },
  SchemaFieldEntity: {
    businessAttributes: fromAspect('businessAttributes', (body, urn) => {
      const attached = objectIn(body, 'businessAttribute');
      const businessAttribute = referredEntityIn(attached, 'businessAttributeUrn', 'businessAttribute');
      const association = businessAttribute && { businessAttribute, associatedUrn: urn };
      return { businessAttribute: association ?? null };
    }),
  },
};
