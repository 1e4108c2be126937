import { PostilError } from '../../errors/postil-error.ts';

/** Previews that one server works on at once: each may keep a core busy. */
const previewsMax = 2;

/** Who is being answered, by what the previews are of. */
const underWay = new WeakMap<object, Set<string>>();

/**
 * Does the work, or throws TOO_MANY_REQUESTS without beginning it: one preview of a caller at a time, and few of all callers
 * together, over all doors. `catalogue` is what all of them share.
 */
export async function admitPreview<T>(catalogue: object, caller: string, work: () => Promise<T>): Promise<T> {
  const callers = underWay.get(catalogue) ?? new Set();
  underWay.set(catalogue, callers);
  if (callers.has(caller)) {
    throw new PostilError(
      'TOO_MANY_REQUESTS',
      'Another preview of yours is running; ask again when it has answered.',
    );
  }
  if (callers.size >= previewsMax) {
    throw new PostilError('TOO_MANY_REQUESTS', `${previewsMax} previews are running; ask again in a moment.`);
  }
  callers.add(caller);
  try {
    return await work();
  } finally {
    callers.delete(caller);
  }
}
