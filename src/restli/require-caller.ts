import type { Caller } from '../auth/caller.ts';
import { PostilError } from '../errors/postil-error.ts';

/** Throws UNAUTHENTICATED when nobody is known to call. */
export function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new PostilError('UNAUTHENTICATED', 'Authentication is required');
  return caller;
}
