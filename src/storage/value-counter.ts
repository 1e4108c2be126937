import { type ChunkSet, chunkSpan, hasOffset, offsetsIn, sizeOfSet } from '../verdict/chunk-set.ts';
import type { ValueCount, VerdictStore } from '../verdict/verdict-store.ts';

const [newline, comma, semicolon, zero] = [0x0a, 0x2c, 0x3b, 0x30];
/** Stands for members without a value among the numbers of values, which are above it. */
const noValue = -1;

/** Up to here the rows of one chunk are looked up one by one; for more of them, all rows of the chunk are read. */
const lookedUpMax = chunkSpan / 8;

/**
 * How often which values occur, by column: groups of `1 + sets` numbers, which are a value, and how many members of each set
 * have it. In this form it crosses from one thread to another.
 */
export type CountedValues = readonly Float64Array<ArrayBuffer>[];

export type ValueCounter = {
  /**
   * Adds rows of one chunk. Each is a line of ASCII: its offset, then for each column a semicolon and the numbers of its values
   * with commas between or around them. Rows in none of the sets are left out.
   */
  add(lines: Uint8Array, sets: readonly ChunkSet[]): void;
  counted(): CountedValues;
};

type Counts = {
  /** Where the numbers of a value begin. */
  readonly places: Map<number, number>;
  /** As in `CountedValues`. */
  readonly numbers: number[];
};

/** Counts by `columnCount` columns the members of `setCount` sets. */
export function createValueCounter(columnCount: number, setCount: number): ValueCounter {
  const columns = Array.from({ length: columnCount }, (): Counts => ({ places: new Map(), numbers: [] }));

  function addOne({ places, numbers }: Counts, value: number, members: readonly number[]): void {
    let place = places.get(value);
    if (place === undefined) {
      place = numbers.length;
      places.set(value, place);
      numbers.push(value);
      for (let set = 0; set < setCount; set += 1) numbers.push(0);
    }
    for (const set of members) numbers[place + 1 + set] = (numbers[place + 1 + set] ?? 0) + 1;
  }

  /** The answer is where the list ends. */
  function addList(column: Counts, lines: Uint8Array, from: number, members: readonly number[]): number {
    let [at, value, isEmpty] = [from, 0, true];
    for (; ; at += 1) {
      const byte = lines[at] ?? newline;
      if (byte >= zero && byte !== semicolon) {
        value = value * 10 + byte - zero;
        continue;
      }
      if (value > 0) {
        addOne(column, value, members);
        [value, isEmpty] = [0, false];
      }
      if (byte !== comma) break;
    }
    if (isEmpty) addOne(column, noValue, members);
    return at;
  }

  return {
    add(lines, sets) {
      for (let at = 0; at < lines.length; at += 1) {
        let offset = 0;
        for (; at < lines.length && lines[at] !== semicolon; at += 1) {
          offset = offset * 10 + (lines[at] ?? zero) - zero;
        }
        const members: number[] = [];
        for (const [index, set] of sets.entries()) if (hasOffset(set, offset)) members.push(index);
        if (members.length > 0) {
          for (const column of columns) at = addList(column, lines, at + 1, members);
        } else {
          const end = lines.indexOf(newline, at);
          at = end < 0 ? lines.length : end;
        }
      }
    },
    counted: () => columns.map(({ numbers }) => Float64Array.from(numbers)),
  };
}

/** What was counted, as the port says it. */
export function valueCountsOf(counted: CountedValues, setCount: number): readonly (readonly ValueCount[])[] {
  return counted.map((numbers) =>
    Array.from({ length: numbers.length / (1 + setCount) }, (_, index): ValueCount => {
      const [value = noValue, ...counts] = numbers.subarray(
        index * (1 + setCount),
        (index + 1) * (1 + setCount),
      );
      return { value: value === noValue ? undefined : value, counts };
    }),
  );
}

type Chunks = Parameters<VerdictStore['countValues']>[0]['chunks'];

/** How many sets each chunk has. */
export function setCountOf(chunks: Chunks): number {
  for (const sets of chunks.values()) return sets.length;
  return 0;
}

/** Which rows of a chunk have to be read to count its members: those of these entities, or where they are many, all of them. */
export function rowsToCount(chunk: number, sets: readonly ChunkSet[]): readonly number[] | 'all' {
  if (sets.reduce((sum, set) => sum + sizeOfSet(set), 0) > lookedUpMax) return 'all';
  const offsets = new Set(sets.flatMap((set) => [...offsetsIn(set)]));
  return [...offsets].map((offset) => chunk * chunkSpan + offset);
}
