import type { Resolvers } from '../graphql/resolver.ts';
import { updateDescription, type UpdateDescriptionInput } from './update-description.ts';

export const descriptionResolvers: Resolvers = {
  Mutation: {
    updateDescription: (_source, { input }: { readonly input: UpdateDescriptionInput }, context) =>
      context.execute(updateDescription, input),
  },
};
