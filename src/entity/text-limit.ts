import { PostilError } from '../errors/postil-error.ts';

/** Longest texts that people write, in characters (reliability-security section 5.1). */
export const descriptionCharactersMax = 256 * 1024;
export const nameCharactersMax = 1024;
/** Most URNs, resources or elements that one command takes. */
export const listedMax = 1000;

/** Throws LIMIT_EXCEEDED, naming the member and the limit. */
export function checkLength(member: string, text: string, charactersMax: number): void {
  if (text.length <= charactersMax) return;
  throw new PostilError(
    'LIMIT_EXCEEDED',
    `The ${member} has ${text.length} characters; ${charactersMax} are the limit. Send a shorter one.`,
  );
}

/** Throws LIMIT_EXCEEDED, naming the member and the limit. */
export function checkCount(member: string, list: readonly unknown[]): void {
  if (list.length <= listedMax) return;
  throw new PostilError(
    'LIMIT_EXCEEDED',
    `${member} has ${list.length} elements; ${listedMax} are the limit. Send them in several requests.`,
  );
}

/** Throws BAD_REQUEST for a name without anything visible in it, LIMIT_EXCEEDED for one that is too long. */
export function checkName(name: string): void {
  if (name.trim() === '') throw new PostilError('BAD_REQUEST', 'The name is blank. Send one that people can read.');
  checkLength('name', name, nameCharactersMax);
}
