import type { ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';
import { entityPrivileges } from './entity-privileges.ts';

const privileges: ResolverRecord<{ readonly urn: Urn }> = {
  isVolatile: true,
  resolve: ({ urn }, _args, { caller, reader }) => entityPrivileges(reader, caller, urn),
};

export const entityPrivilegesResolvers: Resolvers = {
  Dataset: { privileges },
  GlossaryTerm: { privileges },
  GlossaryNode: { privileges },
  Container: { privileges },
  MLModel: { privileges },
  MLModelGroup: { privileges },
  MLFeature: { privileges },
  MLFeatureTable: { privileges },
  MLPrimaryKey: { privileges },
  Chart: { privileges },
  Dashboard: { privileges },
  DataFlow: { privileges },
  DataJob: { privileges },
  Domain: { privileges },
  CorpUser: { privileges },
  CorpGroup: { privileges },
};
