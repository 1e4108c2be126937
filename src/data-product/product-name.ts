import { PostilError } from '../errors/postil-error.ts';

/** Throws BAD_REQUEST for a name without a visible character. */
export function checkProductName(name: string): void {
  if (name.trim() === '')
    throw new PostilError('BAD_REQUEST', 'The name of a data product must not be empty.');
}
