import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PostilError } from '../errors/postil-error.ts';
import { databaseFileName } from '../storage/sqlite/sqlite-aspect-store.ts';

/**
 * Throws STORE_UNUSABLE for a folder without a catalogue, for commands that only look at one: opening would make an empty
 * one there, and say of it that all is well, when the path was only mistyped.
 */
export function requireExistingStore(location: string): void {
  if (/^postgres(ql)?:\/\//i.test(location) || existsSync(join(location, databaseFileName))) return;
  throw new PostilError('STORE_UNUSABLE', `There is no catalogue in ${location}`);
}
