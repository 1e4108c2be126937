import { setImmediate as nextTurn } from 'node:timers/promises';
import { PostilError } from '../errors/postil-error.ts';
import { fieldsOfAspect } from '../search-index/aspect-fields.ts';
import type { SearchableStore } from '../search-index/search-index.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { numbersIn, removeNumber } from './number-set.ts';

/** While the store is read through, requests are answered in between: every few milliseconds. */
const entitiesInTurn = 100;
/** Whoever asks has to be told before the time for the whole request is over. */
const patienceUsual = 9_000;

export type ReadStore = Pick<SearchableStore, 'search' | 'lastSequence'>;

/** Reads the fields of all entities into memory; whoever needs them waits, within reason. */
export type StoreReading = {
  /**
   * Resolves with the sequence of the newest change that is certainly in memory. Throws CORRUPT_ASPECT for a damaged entry, OVERLOADED
   * once it was stopped.
   */
  run(): Promise<number>;
  /** Waits for work that a reading may be part of. Throws OVERLOADED when that takes too long, saying how far it is; it goes on. */
  awaited(work: Promise<void>): Promise<void>;
  /** A reading that is under way ends soon, and none begins any more. */
  stop(): void;
  /** Throws OVERLOADED once it was stopped. */
  assertGoing(): void;
};

type Progress = { readonly since: number; last: number; largest: number };

export function createStoreReading(parts: {
  readonly store: ReadStore;
  readonly entities: IndexedEntities;
  /** How long somebody waits for a reading, in milliseconds; nine seconds unless given. */
  readonly patienceMs?: number | undefined;
}): StoreReading {
  const { store, entities, patienceMs = patienceUsual } = parts;
  let progress: Progress | undefined;
  let isStopped = false;

  function assertGoing(): void {
    if (isStopped) {
      throw new PostilError('OVERLOADED', 'The server is shutting down. Try again when it runs.');
    }
  }

  async function readAll(under: Progress): Promise<number> {
    const start = await store.lastSequence();
    under.largest = await store.search.largestNumber();
    const gone = entities.ofTypes();
    for await (const page of store.search.scan(entitiesInTurn, wantedOf(entities))) {
      assertGoing();
      for (const entity of page) {
        entities.put(entity);
        removeNumber(gone, entity.number);
        under.last = entity.number;
      }
      await nextTurn();
    }
    for (const number of numbersIn(gone)) entities.remove(number);
    return start;
  }

  return {
    async run() {
      progress = { since: performance.now(), last: 0, largest: 0 };
      try {
        return await readAll(progress);
      } finally {
        progress = undefined;
      }
    },
    awaited(work) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          // Without one, what is left is what changed meanwhile.
          if (progress !== undefined) reject(underWay(progress));
        }, patienceMs);
        const settled = (settle: () => void): void => {
          clearTimeout(timer);
          settle();
        };
        work.then(
          () => settled(resolve),
          (error: unknown) => settled(() => reject(error)),
        );
      });
    },
    stop() {
      isStopped = true;
    },
    assertGoing,
  };
}

/** The fields that are kept in memory, by what each aspect may have of them. */
function wantedOf(entities: IndexedEntities): (aspect: string) => readonly string[] {
  const fields = entities.fields();
  const kept = new Set(fields);
  return (aspect) => fieldsOfAspect(aspect)?.filter((field) => kept.has(field)) ?? fields;
}

function underWay({ since, last, largest }: Progress): PostilError {
  const share = largest === 0 ? 0 : Math.min(last / largest, 1);
  const left = share === 0 ? 0 : ((performance.now() - since) / 1_000) * (1 / share - 1);
  const seconds = Math.max(Math.ceil(left), 1);
  return new PostilError(
    'OVERLOADED',
    `The search index is being read into memory: ${Math.floor(share * 100)} % of about ${largest.toLocaleString('en-US')} entities. ` +
      `Try again in about ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}
