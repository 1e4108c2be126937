import type { Change } from '../aspect/aspect-store.ts';
import type { SearchableStore } from '../search-index/search-index.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { createStoreReading } from './store-reading.ts';

/** Of at least so many changed entities it is remembered when they changed; what was read before that is read anew. */
const rememberedMax = 20_000;
const changesAtOnce = 1_000;
const entitiesAtOnce = 500;

/** Keeps what is in memory as the store is, by its change log. */
export type ChangeFollower = {
  /**
   * Resolves when everything that was committed before the call is in memory. The first call reads the whole store. Throws OVERLOADED,
   * saying how far that is, for who waits for too long.
   */
  catchUp(): Promise<void>;
  /** As `catchUp`, however long it takes. */
  prepare(): Promise<void>;
  /** Ends a reading of the whole store; resolves when the store is asked nothing more. */
  stop(): Promise<void>;
  /** Sequence of the newest change that is in memory. */
  readonly seen: number;
  /** The next answer reads the whole store again: what is stored may have changed without having been told of. */
  forget(): void;
  /** Entities that changed after this sequence; `undefined` when that is too long ago to be known. */
  changedSince(sequence: number): readonly number[] | undefined;
};

export type FollowedStore = Pick<SearchableStore, 'search' | 'changes' | 'lastSequence' | 'exclusive'>;

export function followChanges(parts: {
  readonly store: FollowedStore;
  readonly entities: IndexedEntities;
  /** Tells of every commit of this process; on a store that nobody else writes, nothing is asked where nothing was told. */
  readonly onCommit?: ((listener: (changes: readonly Change[]) => void) => void) | undefined;
  /** Called with each entity that changed. */
  onChanged(number: number): void;
  /** Called when nothing that was remembered is certain any more. */
  onForgotten(): void;
  /** How long somebody waits for the whole store to be read, in milliseconds; nine seconds unless given. */
  readonly patienceMs?: number | undefined;
}): ChangeFollower {
  const { store, entities, onChanged } = parts;
  const reading = createStoreReading(parts);
  const remembered: { readonly sequence: number; readonly number: number }[] = [];
  /** Changes up to here may have been forgotten. */
  let forgotten = 0;
  let seen: number | undefined;
  let isForgotten = false;
  let committed = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const isTold = store.exclusive && parts.onCommit !== undefined;
  parts.onCommit?.((changes) => {
    const sequence = changes.at(-1)?.sequence;
    if (sequence !== undefined) committed = sequence;
  });

  async function readChanged(changes: readonly Change[]): Promise<void> {
    const sequences = new Map(changes.map(({ urn, sequence }) => [urn, sequence]));
    const numbers = await store.search.numbersOf([...sequences.keys()]);
    const changed = [...numbers].map(([urn, number]) => ({ number, sequence: sequences.get(urn) ?? 0 }));
    for (let from = 0; from < changed.length; from += entitiesAtOnce) {
      const some = changed.slice(from, from + entitiesAtOnce);
      const found = await store.search.indexed(some.map(({ number }) => number));
      for (const { number } of some) {
        const entity = found.get(number);
        if (entity === undefined) entities.remove(number);
        else entities.put(entity);
        onChanged(number);
      }
    }
    remembered.push(...changed.toSorted((left, right) => left.sequence - right.sequence));
    if (remembered.length < rememberedMax * 2) return;
    forgotten = remembered.splice(0, remembered.length - rememberedMax).at(-1)?.sequence ?? forgotten;
  }

  async function run(): Promise<void> {
    reading.assertGoing();
    if (seen === undefined || isForgotten) {
      isForgotten = false;
      parts.onForgotten();
      seen = await reading.run().catch((error: unknown) => {
        isForgotten = true;
        throw error;
      });
      forgotten = seen;
    }
    if (isTold && committed === Number.POSITIVE_INFINITY) {
      const last = await store.lastSequence();
      // It may have been told of a newer one meanwhile.
      if (committed === Number.POSITIVE_INFINITY) committed = last;
    }
    while (!isTold || seen < committed) {
      const changes = await store.changes({ after: seen, count: changesAtOnce });
      const last = changes.at(-1);
      if (last === undefined) break;
      await readChanged(changes);
      seen = last.sequence;
      if (changes.length < changesAtOnce) break;
    }
  }

  const isCurrent = (): boolean =>
    isTold && !isForgotten && seen !== undefined && seen >= committed && running === undefined;

  function prepare(): Promise<void> {
    if (isCurrent()) return Promise.resolve();
    if (running === undefined) {
      running = run().finally(() => {
        running = undefined;
      });
      return running;
    }
    // The one that runs may have looked before the latest write; whoever comes meanwhile shares the one after it.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return prepare();
      });
    return next;
  }

  return {
    prepare,
    catchUp: () => (isCurrent() ? Promise.resolve() : reading.awaited(prepare())),
    async stop() {
      reading.stop();
      for (let last = next ?? running; last !== undefined; last = next ?? running) {
        await last.catch(() => undefined);
      }
    },
    get seen() {
      return seen ?? 0;
    },
    forget() {
      isForgotten = true;
    },
    changedSince(sequence) {
      if (sequence < forgotten) return undefined;
      const numbers = new Set<number>();
      for (let index = remembered.length - 1; index >= 0; index -= 1) {
        const change = remembered[index];
        if (change === undefined || change.sequence <= sequence) break;
        numbers.add(change.number);
      }
      return [...numbers];
    },
  };
}
