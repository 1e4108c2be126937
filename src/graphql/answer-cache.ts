import type { Urn } from '../urn/urn.ts';
import { createBoundedCache } from './bounded-cache.ts';

/**
 * Whole answers of queries, by document and variables, until an entity they were made from changes. Exact only where every
 * change is announced through `invalidate` before it is acknowledged, so it is for a store that no other process writes to
 * (`AspectStore.exclusive`).
 */
export type AnswerCache = {
  /** The text that was kept, if it still holds. */
  get(key: string): string | undefined;
  /** Before the first read of a computation; every computation that began must end. */
  begin(): Computation;
  /** Drops every answer that read one of these entities, and keeps none that is being computed from them. */
  invalidate(urns: Iterable<Urn>): void;
  /** Bytes held, by estimate. */
  readonly size: number;
};

export type Computation = {
  /** Keeps the answer, unless something it read was invalidated since `begin`. */
  keep(key: string, text: string, readUrns: Iterable<Urn>): void;
  end(): void;
};

type Answer = { readonly text: string; readonly urns: readonly Urn[] };

const defaultMaxBytes = 33_554_432;
/** So many invalidated URNs are remembered while computations are under way; beyond, those computations are not kept. */
const maxRemembered = 10_000;
/** What an entry costs besides its texts: the map entry, the lists, and each place in the index. */
const entryBytes = 200;
const urnEntryBytes = 100;

export function createAnswerCache(bounds: { readonly maxBytes?: number } = {}): AnswerCache {
  const maxBytes = bounds.maxBytes ?? defaultMaxBytes;
  const keysByUrn = new Map<Urn, Set<string>>();
  const answers = createBoundedCache<Answer>({
    maxEntries: Number.MAX_SAFE_INTEGER,
    maxSize: maxBytes,
    onRemove(answer, key) {
      for (const urn of answer.urns) {
        const keys = keysByUrn.get(urn);
        keys?.delete(key);
        if (keys?.size === 0) keysByUrn.delete(urn);
      }
    },
  });
  /** Counts invalidations; `remembered` says which one last touched a URN, `forgotten` up to which one that is unknown. */
  let epoch = 0;
  let forgotten = 0;
  let underWay = 0;
  const remembered = new Map<Urn, number>();

  return {
    get size() {
      return answers.size;
    },
    get: (key) => answers.get(key)?.text,
    begin() {
      const begun = epoch;
      underWay += 1;
      return {
        keep(key, text, readUrns) {
          if (begun < forgotten) return;
          const urns = [...readUrns];
          if (urns.some((urn) => (remembered.get(urn) ?? 0) > begun)) return;
          const size = bytesOf(text) + bytesOf(key) + entryBytes + urns.length * urnEntryBytes;
          if (size > maxBytes / 8) return;
          answers.set(key, { text: inOnePiece(text), urns }, size);
          for (const urn of urns) {
            const keys = keysByUrn.get(urn);
            if (keys === undefined) keysByUrn.set(urn, new Set([key]));
            else keys.add(key);
          }
        },
        end() {
          underWay -= 1;
          if (underWay === 0) remembered.clear();
        },
      };
    },
    invalidate(urns) {
      epoch += 1;
      for (const urn of urns) {
        if (underWay > 0) remembered.set(urn, epoch);
        for (const key of keysByUrn.get(urn) ?? []) answers.delete(key);
      }
      if (remembered.size > maxRemembered) {
        remembered.clear();
        forgotten = epoch;
      }
    },
  };
}

/**
 * The same text in one piece. What was joined of many parts stays a tree of them inside the engine, and whoever writes it
 * to a socket walks that tree again each time, which took a third of the time of a kept answer.
 */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

/** What a text takes in memory: a byte per character while all are ASCII, two (at most) otherwise. */
function bytesOf(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}
