import { ancestorsOf, fromAspect } from '../entity/aspect-field.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntities, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { listIn, textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';

/** Whatever belongs to several domains is shown with the first (contract section 10.1). */
const domain = fromAspect('domains', (body, urn) => {
  const [first] = referredEntities(listIn(body, 'domains'), 'domain');
  return first && { domain: first, associatedUrn: urn };
});

const parentDomains: FieldResolver<EntityValue> = async ({ urn }, _args, context) => {
  const domains = await ancestorsOf(urn, async (child) => {
    const stored = await context.load(child, 'domainProperties');
    return referredEntityIn(stored?.body, 'parentDomain', 'domain')?.urn;
  });
  return { count: domains.length, domains: referredEntities(domains, 'domain') };
};

export const domainResolvers: Resolvers = {
  Query: {
    domain: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'domain'),
  },
  Domain: {
    id: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('domainProperties', (body, urn) => ({
      name: textIn(body, 'name') ?? entityId(urn),
      description: textIn(body, 'description'),
    })),
    parentDomains,
  },
  Dataset: { domain },
  GlossaryTerm: { domain },
  Container: { domain },
  MLModel: { domain },
  MLModelGroup: { domain },
  MLFeature: { domain },
  MLFeatureTable: { domain },
  MLPrimaryKey: { domain },
  Chart: { domain },
  Dashboard: { domain },
  DataProduct: { domain },
  DataFlow: { domain },
  DataJob: { domain },
};
