import { graphqlEntityType, isReadableType, readableEntityTypes } from '../entity/graphql-types.ts';
import { PostilError } from '../errors/postil-error.ts';

/**
 * What people look for when they name no types, as in DataHub: whatever is described, and who describes it. Columns are found
 * through their datasets.
 */
const usualTypes: readonly string[] = [
  'dataset',
  'dashboard',
  'chart',
  'dataFlow',
  'dataJob',
  'mlModel',
  'mlModelGroup',
  'mlFeatureTable',
  'mlFeature',
  'mlPrimaryKey',
  'notebook',
  'container',
  'domain',
  'dataProduct',
  'glossaryTerm',
  'glossaryNode',
  'tag',
  'businessAttribute',
  'corpuser',
  'corpGroup',
];

/** The types of the registry that are searched when nobody names one; those that GraphQL cannot show are none of them. */
export function usuallySearchedTypes(): readonly string[] {
  return usualTypes.filter(isReadableType);
}

/**
 * The types of the registry that values of the enum `EntityType` mean; `usual` when there are none. Types that cannot be
 * read through GraphQL are left out, as they are wherever entities are listed. Throws BAD_REQUEST when nothing is left: an empty
 * answer would say that there are no such entities.
 */
export function searchedTypes(
  types: readonly string[] | null | undefined,
  usual: readonly string[],
): readonly string[] {
  if (types === null || types === undefined || types.length === 0) return usual;
  const searched = [...new Set(types.flatMap(readableEntityTypes))];
  if (searched.length === 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `Entities of type ${types.join(', ')} cannot be read through GraphQL, so they cannot be searched; ` +
        `the usual types are ${usualTypes.filter(isReadableType).map(graphqlEntityType).join(', ')}.`,
    );
  }
  return searched;
}
