import type { SearchIndex, TermQuery } from '../search-index/search-index.ts';
import { createBorneTerms } from './borne-terms.ts';
import type { ChangeFollower } from './follow-changes.ts';
import {
  addNumber,
  bothOf,
  type NumberSet,
  numberSetOf,
  numbersIn,
  removeNumber,
  sizeOfNumbers,
  withRoomFor,
} from './number-set.ts';
import { createRecent } from './recent.ts';

const rememberedBytesMax = 64 * 1024 * 1024;
/** Beside the set itself. */
const entryBytes = 200;
/** More changed entities than these are not asked for one by one: the whole set is read anew. */
const askedAgainMax = 2_000;
/** More entities than these are not asked for one by one: the list of all bearers is read, and remembered. */
const askedSinglyMax = 250;

/** Who bears a term, remembered and made exact by what changed since. */
export type TermSets = {
  /** Entities that bear the term; contains at least every change that was seen when it is called. Not to be changed. */
  bearers(query: TermQuery): Promise<NumberSet>;
  /** Those of these entities that bear the term. Of few it is asked whether they do, unless it is remembered who does. */
  bearersAmong(query: TermQuery, among: NumberSet): Promise<NumberSet>;
  /** To be called for every entity that changed. */
  changed(number: number): void;
  forget(): void;
};

/** A set as it was at a sequence of the change log; of a sparse one its numbers, which are shorter. */
type Remembered = { readonly sequence: number } & (
  | { readonly numbers: Uint32Array }
  | { readonly bits: NumberSet }
);

export function createTermSets(parts: {
  readonly index: SearchIndex;
  readonly follower: Pick<ChangeFollower, 'seen' | 'changedSince'>;
  readonly entities: { readonly bound: number };
}): TermSets {
  const { index, follower, entities } = parts;
  const remembered = createRecent<string, Remembered>(rememberedBytesMax);
  const borne = createBorneTerms(index);
  const asking = new Map<string, Promise<NumberSet>>();

  function remember(key: string, sequence: number, bits: NumberSet): void {
    const isSparse = sizeOfNumbers(bits) < bits.length;
    const members = isSparse ? numbersIn(bits) : bits;
    const entry = isSparse ? { sequence, numbers: members } : { sequence, bits };
    remembered.set(key, entry, members.byteLength + entryBytes);
  }

  function bitsOf(entry: Remembered): NumberSet {
    if ('bits' in entry) return entry.bits;
    return numberSetOf(entry.numbers, Math.max(entities.bound, (entry.numbers.at(-1) ?? 0) + 1));
  }

  async function read(key: string, query: TermQuery): Promise<NumberSet> {
    const sequence = follower.seen;
    const numbers = await index.bearers(query);
    const bits = numberSetOf(numbers, Math.max(entities.bound, (numbers.at(-1) ?? 0) + 1));
    remember(key, sequence, bits);
    return bits;
  }

  /** The set with the changed entities asked for again. */
  async function refreshed(
    key: string,
    query: TermQuery,
    entry: Remembered,
    changed: readonly number[],
  ): Promise<NumberSet> {
    const sequence = follower.seen;
    if (sequence === entry.sequence) return bitsOf(entry);
    const bearing = await borne.bearing(query, changed);
    const bits = withRoomFor(bitsOf(entry).slice(), Math.max(-1, ...bearing) + 1);
    for (const number of changed) removeNumber(bits, number);
    for (const number of bearing) addNumber(bits, number);
    remember(key, sequence, bits);
    return bits;
  }

  function bearers(query: TermQuery): Promise<NumberSet> {
    const key = keyOf(query);
    const entry = remembered.get(key);
    const changed = entry === undefined ? undefined : follower.changedSince(entry.sequence);
    if (entry !== undefined && changed !== undefined && changed.length <= askedAgainMax) {
      return refreshed(key, query, entry, changed);
    }
    // Equal questions at the same state are asked once.
    const question = `${follower.seen} ${key}`;
    let answer = asking.get(question);
    if (answer === undefined) {
      answer = read(key, query).finally(() => asking.delete(question));
      asking.set(question, answer);
    }
    return answer;
  }

  return {
    bearers,
    async bearersAmong(query, among) {
      const size = sizeOfNumbers(among);
      if (size === 0) return among.slice();
      const isRemembered = remembered.get(keyOf(query)) !== undefined;
      if (isRemembered || size > askedSinglyMax) return bothOf(among, await bearers(query));
      const numbers = await index.bearers(query, [...numbersIn(among)]);
      return numberSetOf(numbers, among.length * 32);
    },
    changed: borne.forget,
    forget() {
      remembered.clear();
      borne.forgetAll();
      asking.clear();
    },
  };
}

function keyOf({ term, isPrefix }: TermQuery): string {
  return (isPrefix ? '*' : '=') + term;
}
