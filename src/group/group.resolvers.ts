import { fromAspect } from '../entity/aspect-field.ts';
import { requestedEntityOf } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { createGroup, type CreateGroupInput } from './create-group.ts';
import { addGroupMembers, removeGroupMembers, type GroupMembersInput } from './group-members.ts';
import { removeGroup } from './remove-group.ts';
import { updateGroup, type UpdateGroupInput } from './update-group.ts';

type Args<Input> = { readonly input: Input };
type UpdateArgs = { readonly urn: string } & Args<Omit<UpdateGroupInput, 'urn'>>;

export const groupResolvers: Resolvers = {
  Mutation: {
    createGroup: (_source, { input }: Args<CreateGroupInput>, context) => context.execute(createGroup, input),
    addGroupMembers: (_source, { input }: Args<GroupMembersInput>, context) =>
      context.execute(addGroupMembers, input),
    removeGroupMembers: (_source, { input }: Args<GroupMembersInput>, context) =>
      context.execute(removeGroupMembers, input),
    removeGroup: (_source, { urn }: { readonly urn: string }, context) =>
      context.execute(removeGroup, { urn }),
    updateCorpGroupProperties: async (_source, { urn, input }: UpdateArgs, context) =>
      requestedEntityOf(await context.execute(updateGroup, { ...input, urn }), 'corpGroup'),
  },
  CorpGroup: {
    origin: fromAspect('origin', (body) => {
      const type = textIn(body, 'type');
      return {
        type: type === 'NATIVE' || type === 'EXTERNAL' ? type : 'UNKNOWN',
        externalType: textIn(body, 'externalType'),
      };
    }),
  },
};
