import { PostilError } from '../errors/postil-error.ts';

/** Throws BAD_REQUEST for a name without anything visible in it. */
export function checkName(name: string): void {
  if (name.trim() === '') {
    throw new PostilError('BAD_REQUEST', 'The name is blank. Send one that people can read.');
  }
}
