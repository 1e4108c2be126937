import type { Aspect } from '../aspect/aspect.ts';
import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import type { ChangeEvent } from './change-event.ts';
import { changeEventsOf, isToldOf } from './change-events.ts';

/** What one row of the log did, and how much had to be read for it, in characters of JSON text. */
export type ReadEvents = { readonly events: readonly ChangeEvent[]; readonly characters: number };

export type EventReader = (change: Change) => Promise<ReadEvents>;

/**
 * Reads what rows of the log did. Whoever goes from one change to the one before it has every version read once, because what an
 * aspect was before a change is what it was after the one before.
 */
export function createEventReader(reader: Pick<AspectReader, 'readVersion'>): EventReader {
  const lastRead = new Map<string, { readonly version: number; readonly aspect: Aspect | undefined }>();
  return async ({ urn, aspect, versionBefore, versionAfter, removed }) => {
    if (!isToldOf(urn, aspect)) return { events: [], characters: 0 };
    let characters = 0;
    const key = `${urn}\n${aspect}`;
    const versionOf = async (version: number): Promise<Aspect | undefined> => {
      const last = lastRead.get(key);
      if (last?.version === version) return last.aspect;
      const stored = await reader.readVersion(urn, aspect, version);
      characters += stored?.text.length ?? 0;
      return stored;
    };
    const after = removed ? undefined : await versionOf(versionAfter);
    const before = versionBefore === 0 ? undefined : await versionOf(versionBefore);
    lastRead.set(key, { version: versionBefore, aspect: before });
    return { events: changeEventsOf(urn, aspect, before?.body, after?.body), characters };
  };
}
