import { ancestorsOf, fromAspect } from '../entity/aspect-field.ts';
import { resolvedAuditStamp } from '../entity/audit-stamp.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntities, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import {
  glossaryNodeProperties,
  glossaryTermInfo,
  glossaryTermProperties,
  lastPartOfId,
} from './glossary-properties.ts';

type PageInput = { readonly input: { readonly start: number; readonly count: number } };

function roots(entityType: string, member: string): ResolverRecord<unknown, PageInput> {
  return {
    isVolatile: true,
    resolve: async (_source, { input }, context) => {
      checkPage(input);
      const { start, count } = input;
      const page = await context.reader.children({ type: entityType, parent: undefined, start, count });
      const entities = referredEntities(page.items, entityType);
      return { [member]: entities, start, count: entities.length, total: page.total };
    },
  };
}

const parentNodes: FieldResolver<EntityValue> = async ({ urn }, _args, context) => {
  const nodes = await ancestorsOf(urn, (child) => parentNodeOf(child, context));
  return { count: nodes.length, nodes: referredEntities(nodes, 'glossaryNode') };
};

async function parentNodeOf(urn: Urn, context: RequestContext): Promise<Urn | undefined> {
  const info = urnType(urn) === 'glossaryTerm' ? 'glossaryTermInfo' : 'glossaryNodeInfo';
  const stored = await context.load(urn, info);
  return referredEntityIn(stored?.body, 'parentNode', 'glossaryNode')?.urn;
}

const childrenCount: ResolverRecord<EntityValue> = {
  isVolatile: true,
  resolve: async ({ urn }, _args, context) => {
    const [termsCount, nodesCount] = await Promise.all(
      ['glossaryTerm', 'glossaryNode'].map(async (type) => {
        const page = await context.reader.children({ type, parent: urn, start: 0, count: 0 });
        return page.total;
      }),
    );
    return { termsCount, nodesCount };
  },
};

/** The key aspect is written once, when the entity begins to exist. */
function createdOn(keyAspect: string): FieldResolver<{ readonly urn: Urn }> {
  return async ({ urn }, _args, context) => {
    const key = await context.load(urn, keyAspect);
    return key === undefined ? null : resolvedAuditStamp(key.stamp);
  };
}

export const glossaryResolvers: Resolvers = {
  Query: {
    glossaryTerm: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'glossaryTerm'),
    glossaryNode: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'glossaryNode'),
    getRootGlossaryTerms: roots('glossaryTerm', 'terms'),
    getRootGlossaryNodes: roots('glossaryNode', 'nodes'),
  },
  GlossaryTerm: {
    name: ({ urn }: EntityValue) => lastPartOfId(urn),
    hierarchicalName: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('glossaryTermInfo', glossaryTermProperties),
    glossaryTermInfo: fromAspect('glossaryTermInfo', glossaryTermInfo),
    parentNodes,
  },
  GlossaryTermProperties: {
    customProperties: customPropertiesField,
    createdOn: createdOn('glossaryTermKey'),
  },
  GlossaryTermInfo: { customProperties: customPropertiesField },
  GlossaryNode: {
    properties: fromAspect('glossaryNodeInfo', glossaryNodeProperties),
    parentNodes,
    childrenCount,
  },
  GlossaryNodeProperties: {
    customProperties: customPropertiesField,
    createdOn: createdOn('glossaryNodeKey'),
  },
};
