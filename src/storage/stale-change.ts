import type { AspectChange } from '../aspect/aspect-store.ts';
import { PostilError } from '../errors/postil-error.ts';

/** A change is stored only on top of the version that it was decided on; anything else would lose a version. */
export function staleChange(change: Pick<AspectChange, 'urn' | 'aspect' | 'versionBefore'>): PostilError {
  return new PostilError(
    'PRECONDITION_FAILED',
    `The aspect ${change.aspect} of ${change.urn} is not at version ${change.versionBefore}: nothing was stored`,
  );
}
