import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Aspect } from '../aspect/aspect.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { createWorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import { type Urn, urnType } from '../urn/urn.ts';

const pageSize = 500;
/** As long as a query may take. */
const lookMsMax = 10_000;

/** When a value held: at a moment in milliseconds since the Unix epoch, or after a change of the log. */
export type Moment = { readonly time: number } | { readonly sequence: number };

/** An aspect as it was; `aspect: undefined` when it was not stored then. */
export type PastAspect = {
  readonly aspect: Aspect | undefined;
  /** The change that made it so; `undefined` when nothing had been written by then. */
  readonly sequence: number | undefined;
};

/**
 * The value of an aspect as of a moment, exactly as the change log tells it. Throws UNKNOWN_ASPECT for an aspect that such
 * entities do not have, BAD_REQUEST for a moment that is none.
 */
export async function aspectAsOf(
  reader: Pick<AspectReader, 'changesOf' | 'readVersion'>,
  urn: Urn,
  aspect: string,
  moment: Moment,
): Promise<PastAspect> {
  const value = 'time' in moment ? moment.time : moment.sequence;
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new PostilError('BAD_REQUEST', `A moment is a whole number that is not negative, not ${value}.`);
  }
  if (entityTypeOf(urnType(urn))?.aspects.has(aspect) !== true) {
    throw new PostilError('UNKNOWN_ASPECT', `Entities of type ${urnType(urn)} have no aspect ${aspect}.`);
  }
  // Clocks may be set back, the log is never: what counts is the last change that had been made.
  let before: number | undefined = 'sequence' in moment ? moment.sequence + 1 : undefined;
  const pace = createWorkPace(lookMsMax);
  for (;;) {
    await pace.step();
    const page = await reader.changesOf({
      urn,
      ...(before === undefined ? {} : { before }),
      count: pageSize,
    });
    const change = page.find(
      (each) => each.aspect === aspect && ('sequence' in moment || each.time <= value),
    );
    if (change !== undefined) {
      const { sequence, removed, versionAfter } = change;
      return {
        sequence,
        aspect: removed ? undefined : await reader.readVersion(urn, aspect, versionAfter),
      };
    }
    if (page.length < pageSize) return { aspect: undefined, sequence: undefined };
    before = page.at(-1)?.sequence;
  }
}
