import { PostilError } from '../errors/postil-error.ts';

/** Entity ids and name ids share one integer key, id * 512 + name; 512 names are twice what the registry holds. */
export const namesPerEntity = 512;

export function tooManyNames(name: string): PostilError {
  return new PostilError(
    'LIMIT_EXCEEDED',
    `No number is left for the name ${name}: a store holds ${namesPerEntity - 1} names of aspects`,
  );
}
