import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { auditStampIn, optionalAuditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import { referredEntity, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { booleanIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `InstitutionalMemoryMetadata` (contract section 10.7). */
type Link = {
  readonly url: string;
  readonly label: string;
  readonly description: string;
  readonly author: EntityValue | undefined;
  readonly actor: EntityValue | undefined;
  readonly created: AuditStampValue;
  readonly updated: AuditStampValue | null;
  readonly associatedUrn: Urn;
  readonly settings: { readonly showInAssetPreview: boolean } | null;
};

const unknownUser = 'urn:li:corpuser:unknown';

/** Elements without a url are left out. */
function linksOf(body: JsonObject, urn: Urn): { readonly elements: readonly Link[] } {
  const elements = objectsIn(body, 'elements').flatMap((element): Link | [] => {
    const url = textIn(element, 'url');
    if (url === null) return [];
    const label = textIn(element, 'description') ?? '';
    const stamp = objectIn(element, 'createStamp');
    const author = referredEntityIn(stamp, 'actor', 'corpuser') ?? referredEntity(unknownUser);
    const settings = objectIn(element, 'settings');
    return {
      url,
      label,
      description: label,
      author,
      actor: referredEntityIn(stamp, 'actor', 'corpGroup') ?? author,
      created: auditStampIn(element, 'createStamp'),
      updated: optionalAuditStampIn(element, 'updateStamp'),
      associatedUrn: urn,
      settings:
        settings === undefined
          ? null
          : { showInAssetPreview: booleanIn(settings, 'showInAssetPreview') ?? false },
    };
  });
  return { elements };
}

const institutionalMemory = fromAspect('institutionalMemory', linksOf);

export const institutionalMemoryResolvers: Resolvers = {
  Dataset: { institutionalMemory },
  GlossaryTerm: { institutionalMemory },
  GlossaryNode: { institutionalMemory },
  Domain: { institutionalMemory },
  Container: { institutionalMemory },
  ERModelRelationship: { institutionalMemory },
  MLModel: { institutionalMemory },
  MLModelGroup: { institutionalMemory },
  MLFeature: { institutionalMemory },
  MLFeatureTable: { institutionalMemory },
  MLPrimaryKey: { institutionalMemory },
  BusinessAttribute: { institutionalMemory },
  Chart: { institutionalMemory },
  Dashboard: { institutionalMemory },
  DataProduct: { institutionalMemory },
  DataFlow: { institutionalMemory },
  DataJob: { institutionalMemory },
  DataPlatformInstance: { institutionalMemory },
};
