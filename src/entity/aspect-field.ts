import type { Aspect } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Urn } from '../urn/urn.ts';

/** What is needed of a request's context to read aspects. */
type AspectSource = {
  load(urn: Urn, aspectName: string): Aspect | undefined | Promise<Aspect | undefined>;
};

/** Resolves a field of an entity. */
type EntityFieldResolver<T> = (
  source: { readonly urn: Urn },
  args: unknown,
  context: AspectSource,
) => T | null | Promise<T | null>;

/**
 * A field that is made from the body of one aspect of its entity; `null` when that aspect is not stored. Made once in a
 * request, however often it asks: one query may name the same entity sixty thousand times.
 */
export function fromAspect<T>(
  aspectName: string,
  map: (body: JsonObject, urn: Urn) => T | null | undefined,
): EntityFieldResolver<T> {
  const madeByRequest = new WeakMap<AspectSource, Map<Aspect, T | null>>();
  const valueOf = (aspect: Aspect | undefined, urn: Urn, context: AspectSource): T | null => {
    if (aspect === undefined) return null;
    let made = madeByRequest.get(context);
    if (made === undefined) {
      made = new Map();
      madeByRequest.set(context, made);
    }
    const known = made.get(aspect);
    if (known !== undefined) return known;
    const value = map(aspect.body, urn) ?? null;
    made.set(aspect, value);
    return value;
  };
  return ({ urn }, _args, context) => {
    const loaded = context.load(urn, aspectName);
    return loaded instanceof Promise
      ? loaded.then((aspect) => valueOf(aspect, urn, context))
      : valueOf(loaded, urn, context);
  };
}

/**
 * The entities above one in a tree, the nearest first. `parentOf` reads one step; a circle, which only odd stored data can
 * have, ends the chain.
 */
export async function ancestorsOf(
  urn: Urn,
  parentOf: (urn: Urn) => Promise<Urn | undefined>,
): Promise<readonly Urn[]> {
  const ancestors: Urn[] = [];
  const seen = new Set<Urn>([urn]);
  for (let parent = await parentOf(urn); parent !== undefined; parent = await parentOf(parent)) {
    if (seen.has(parent)) break;
    seen.add(parent);
    ancestors.push(parent);
  }
  return ancestors;
}
