import type { Resolvers } from '../graphql/resolver.ts';
import { addTerms, type AddTermsInput } from './add-terms.ts';
import { batchAddTerms, type BatchAddTermsInput } from './batch-add-terms.ts';
import { batchRemoveTerms, type BatchRemoveTermsInput } from './batch-remove-terms.ts';
import { removeTerm, type RemoveTermInput } from './remove-term.ts';

type Args<Input> = { readonly input: Input };

export const termResolvers: Resolvers = {
  Mutation: {
    addTerm: (_source, { input }: Args<RemoveTermInput>, context) => {
      const { termUrn, ...target } = input;
      return context.execute(addTerms, { ...target, termUrns: [termUrn] });
    },
    addTerms: (_source, { input }: Args<AddTermsInput>, context) => context.execute(addTerms, input),
    batchAddTerms: (_source, { input }: Args<BatchAddTermsInput>, context) =>
      context.execute(batchAddTerms, input),
    removeTerm: (_source, { input }: Args<RemoveTermInput>, context) => context.execute(removeTerm, input),
    batchRemoveTerms: (_source, { input }: Args<BatchRemoveTermsInput>, context) =>
      context.execute(batchRemoveTerms, input),
  },
};
