import type { Aspect, AspectWrite, EntityAspects } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Urn } from '../urn/urn.ts';
import type { DecisionView } from './command.ts';

/**
 * Aspects of some entities while a decision changes them, each change on top of the one before; so a batch that names one
 * entity several times keeps every change (decision 17).
 */
export type AspectDraft = {
  /** What is stored, without the changes of this draft. */
  stored(urn: Urn, aspect: string): Aspect | undefined;
  /** The body with the changes so far; `undefined` when there is none. */
  body(urn: Urn, aspect: string): JsonObject | undefined;
  /** Changes an aspect; the very object that `body` gave changes nothing. */
  put(urn: Urn, aspect: string, body: JsonObject | undefined): void;
  /** One write for each aspect that was changed. */
  writes(): readonly AspectWrite[];
};

/** Reads the named aspects of all the entities at once. */
export async function draftAspects(
  view: Pick<DecisionView, 'readMany'>,
  urns: readonly Urn[],
  aspects: readonly string[],
): Promise<AspectDraft> {
  return createDraft(await view.readMany([...new Set(urns)], aspects));
}

function createDraft(entities: ReadonlyMap<Urn, EntityAspects>): AspectDraft {
  const changed = new Map<Urn, Map<string, JsonObject | undefined>>();
  const stored = (urn: Urn, aspect: string): Aspect | undefined => entities.get(urn)?.get(aspect);
  const body = (urn: Urn, aspect: string): JsonObject | undefined => {
    const bodies = changed.get(urn);
    return bodies?.has(aspect) === true ? bodies.get(aspect) : stored(urn, aspect)?.body;
  };
  return {
    stored,
    body,
    put(urn, aspect, next) {
      if (next === body(urn, aspect)) return;
      const bodies = changed.get(urn) ?? new Map<string, JsonObject | undefined>();
      changed.set(urn, bodies.set(aspect, next));
    },
    writes: () =>
      [...changed].flatMap(([urn, bodies]) =>
        [...bodies].map(([aspect, changedBody]) => ({ urn, aspect, body: changedBody })),
      ),
  };
}
