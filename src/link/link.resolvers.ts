import type { Resolvers } from '../graphql/resolver.ts';
import { addLink, type AddLinkInput } from './add-link.ts';
import { removeLink, type RemoveLinkInput } from './remove-link.ts';
import { updateLink, type UpdateLinkInput } from './update-link.ts';
import { upsertLink, type UpsertLinkInput } from './upsert-link.ts';

type Args<Input> = { readonly input: Input };

export const linkResolvers: Resolvers = {
  Mutation: {
    addLink: (_source, { input }: Args<AddLinkInput>, context) => context.execute(addLink, input),
    updateLink: (_source, { input }: Args<UpdateLinkInput>, context) => context.execute(updateLink, input),
    upsertLink: (_source, { input }: Args<UpsertLinkInput>, context) => context.execute(upsertLink, input),
    removeLink: (_source, { input }: Args<RemoveLinkInput>, context) => context.execute(removeLink, input),
  },
};
