import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { auditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntity, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';

type Owner = {
  readonly owner: EntityValue;
  readonly type: string | null;
  readonly ownershipType: EntityValue | null;
  readonly source: { readonly type: string; readonly url: string | null } | null;
  readonly associatedUrn: Urn;
};

type Ownership = { readonly owners: readonly Owner[]; readonly lastModified: AuditStampValue };

const ownershipTypes: ReadonlySet<string | null> = new Set([
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'NONE',
  'CUSTOM',
  'DATAOWNER',
  'DEVELOPER',
  'DELEGATE',
  'PRODUCER',
  'STAKEHOLDER',
  'CONSUMER',
]);

/** The ways of being responsible that every catalogue knows (contract section 5). */
const builtInTypes: ReadonlySet<string | null> = new Set([
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'NONE',
]);

const sourceTypes: ReadonlySet<string | null> = new Set([
  'AUDIT',
  'DATABASE',
  'FILE_SYSTEM',
  'ISSUE_TRACKING_SYSTEM',
  'MANUAL',
  'SERVICE',
  'SOURCE_CONTROL',
  'OTHER',
]);

/** Owners that are neither users nor groups are left out. */
function ownershipOf(body: JsonObject, urn: Urn): Ownership {
  const owners = objectsIn(body, 'owners').flatMap((element): Owner | [] => {
    const owner =
      referredEntityIn(element, 'owner', 'corpuser') ?? referredEntityIn(element, 'owner', 'corpGroup');
    if (owner === undefined) return [];
    const type = textIn(element, 'type');
    return {
      owner,
      type: ownershipTypes.has(type) ? type : null,
      ownershipType: ownershipTypeOf(element, type),
      source: sourceOf(objectIn(element, 'source')),
      associatedUrn: urn,
    };
  });
  return { owners, lastModified: auditStampIn(body, 'lastModified') };
}

/** Older owners have only the deprecated type; where it is a built-in one, that is what they mean. */
function ownershipTypeOf(element: JsonObject, type: string | null): EntityValue | null {
  const stored = referredEntityIn(element, 'typeUrn', 'ownershipType');
  if (stored !== undefined) return stored;
  if (type === null || !builtInTypes.has(type)) return null;
  return referredEntity(`urn:li:ownershipType:__system__${type.toLowerCase()}`) ?? null;
}

function sourceOf(source: JsonObject | undefined): Owner['source'] {
  if (source === undefined) return null;
  const type = textIn(source, 'type');
  return { type: type !== null && sourceTypes.has(type) ? type : 'OTHER', url: textIn(source, 'url') };
}

const ownership = fromAspect('ownership', ownershipOf);

export const ownershipResolvers: Resolvers = {
  Dataset: { ownership },
  GlossaryTerm: { ownership },
  GlossaryNode: { ownership },
  Tag: { ownership },
  Domain: { ownership },
  Container: { ownership },
  ERModelRelationship: { ownership },
  MLModel: { ownership },
  MLModelGroup: { ownership },
  MLFeature: { ownership },
  MLFeatureTable: { ownership },
  MLPrimaryKey: { ownership },
  BusinessAttribute: { ownership },
  Chart: { ownership },
  Dashboard: { ownership },
  DataProduct: { ownership },
  DataFlow: { ownership },
  DataJob: { ownership },
  DataPlatformInstance: { ownership },
  CorpGroup: { ownership },
  OwnershipTypeEntity: {
    info: fromAspect('ownershipTypeInfo', (body, urn) => ({
      name: textIn(body, 'name') ?? entityId(urn),
      description: textIn(body, 'description'),
    })),
  },
};
