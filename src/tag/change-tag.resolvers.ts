import { requestedEntityOf } from '../entity/graphql-types.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { addTags, type AddTagsInput } from './add-tags.ts';
import { batchAddTags, type BatchAddTagsInput } from './batch-add-tags.ts';
import { batchRemoveTags, type BatchRemoveTagsInput } from './batch-remove-tags.ts';
import { createTag, type CreateTagInput } from './create-tag.ts';
import { deleteTag, type DeleteTagInput } from './delete-tag.ts';
import { removeTag, type RemoveTagInput } from './remove-tag.ts';
import { setTagColor, type SetTagColorInput } from './set-tag-color.ts';
import { updateTag, type UpdateTagInput } from './update-tag.ts';

type Args<Input> = { readonly input: Input };

export const changeTagResolvers: Resolvers = {
  Mutation: {
    createTag: (_source, { input }: Args<CreateTagInput>, context) => context.execute(createTag, input),
    updateTag: async (_source, args: UpdateTagInput, context) =>
      requestedEntityOf(await context.execute(updateTag, args), 'tag'),
    deleteTag: (_source, args: DeleteTagInput, context) => context.execute(deleteTag, args),
    setTagColor: (_source, args: SetTagColorInput, context) => context.execute(setTagColor, args),
    addTag: (_source, { input }: Args<RemoveTagInput>, context) => {
      const { tagUrn, ...target } = input;
      return context.execute(addTags, { ...target, tagUrns: [tagUrn] });
    },
    addTags: (_source, { input }: Args<AddTagsInput>, context) => context.execute(addTags, input),
    batchAddTags: (_source, { input }: Args<BatchAddTagsInput>, context) =>
      context.execute(batchAddTags, input),
    removeTag: (_source, { input }: Args<RemoveTagInput>, context) => context.execute(removeTag, input),
    batchRemoveTags: (_source, { input }: Args<BatchRemoveTagsInput>, context) =>
      context.execute(batchRemoveTags, input),
  },
};
