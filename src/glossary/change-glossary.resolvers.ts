import type { Resolvers } from '../graphql/resolver.ts';
import { addRelatedTerms } from './add-related-terms.ts';
import type { CreateGlossaryEntityInput } from './create-glossary-entity.ts';
import { createGlossaryNode } from './create-glossary-node.ts';
import { createGlossaryTerm } from './create-glossary-term.ts';
import { deleteGlossaryEntity, type DeleteGlossaryEntityInput } from './delete-glossary-entity.ts';
import type { RelatedTermsInput } from './related-terms.ts';
import { removeRelatedTerms } from './remove-related-terms.ts';
import { updateName, type UpdateNameInput } from './update-name.ts';
import { updateParentNode, type UpdateParentNodeInput } from './update-parent-node.ts';

type Args<Input> = { readonly input: Input };

export const changeGlossaryResolvers: Resolvers = {
  Mutation: {
    createGlossaryTerm: (_source, { input }: Args<CreateGlossaryEntityInput>, context) =>
      context.execute(createGlossaryTerm, input),
    createGlossaryNode: (_source, { input }: Args<CreateGlossaryEntityInput>, context) =>
      context.execute(createGlossaryNode, input),
    updateName: (_source, { input }: Args<UpdateNameInput>, context) => context.execute(updateName, input),
    updateParentNode: (_source, { input }: Args<UpdateParentNodeInput>, context) =>
      context.execute(updateParentNode, input),
    deleteGlossaryEntity: (_source, args: DeleteGlossaryEntityInput, context) =>
      context.execute(deleteGlossaryEntity, args),
    addRelatedTerms: (_source, { input }: Args<RelatedTermsInput>, context) =>
      context.execute(addRelatedTerms, input),
    removeRelatedTerms: (_source, { input }: Args<RelatedTermsInput>, context) =>
      context.execute(removeRelatedTerms, input),
  },
};
