import { entityTypeOf } from '../entity/entity-registry.ts';
import type { LoadedEntity } from './facts.ts';

/** When the entity was first stored: the time of its key aspect. Milliseconds; `undefined` when unknown. */
export function firstSynchronized(entity: LoadedEntity): number | undefined {
  const key = entityTypeOf(entity.type)?.keyAspect;
  const time = key === undefined ? undefined : entity.aspects.get(key)?.stamp.time;
  return time === 0 ? undefined : time;
}

/** When any of its aspects was last changed. Milliseconds; `undefined` when unknown. */
export function lastSynchronized(entity: LoadedEntity): number | undefined {
  let latest = 0;
  for (const { aspects } of entity.siblings ?? [entity]) {
    for (const aspect of aspects.values()) latest = Math.max(latest, aspect.stamp.time);
  }
  return latest === 0 ? undefined : latest;
}

/** When ingestion last saw any of its aspects, changed or not. Milliseconds; `undefined` when it never did. */
export function lastObserved(entity: LoadedEntity): number | undefined {
  let latest = 0;
  for (const { aspects } of entity.siblings ?? [entity]) {
    for (const aspect of aspects.values()) {
      const observed = aspect.systemMetadata?.['lastObserved'];
      if (typeof observed === 'number') latest = Math.max(latest, observed);
    }
  }
  return latest === 0 ? undefined : latest;
}
