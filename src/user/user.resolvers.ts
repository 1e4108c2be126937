import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { platformPrivileges } from './platform-privileges.ts';
import { editableUserProperties, groupProperties, userProperties } from './user-properties.ts';

export const userResolvers: Resolvers = {
  Query: {
    corpUser: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'corpuser'),
    corpGroup: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'corpGroup'),
    me: {
      isVolatile: true,
      resolve: (_source, _args, { caller }) => ({
        corpUser: requestedEntityOf(caller.actor, 'corpuser'),
        platformPrivileges: platformPrivileges(caller),
      }),
    },
  },
  CorpUser: {
    username: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('corpUserInfo', userProperties),
    info: fromAspect('corpUserInfo', userProperties),
    editableProperties: fromAspect('corpUserEditableInfo', editableUserProperties),
    editableInfo: fromAspect('corpUserEditableInfo', editableUserProperties),
    status: fromAspect('corpUserStatus', (body) => {
      const status = textIn(body, 'status');
      return status === 'ACTIVE' || status === 'SUSPENDED' ? status : null;
    }),
  },
  CorpUserProperties: { customProperties: customPropertiesField },
  CorpUserInfo: { customProperties: customPropertiesField },
  CorpGroup: {
    name: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('corpGroupInfo', groupProperties),
    info: fromAspect('corpGroupInfo', groupProperties),
    editableProperties: fromAspect('corpGroupEditableInfo', (body) => ({
      description: textIn(body, 'description'),
      slack: textIn(body, 'slack'),
      email: textIn(body, 'email'),
      pictureLink: textIn(body, 'pictureLink'),
    })),
  },
};
