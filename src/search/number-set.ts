/**
 * A set of entity numbers as bits. Sets of different lengths may be combined: what lies beyond the end of one is not in it.
 * Plain loops, because iterators would cost many times what is done here.
 */
export type NumberSet = Uint32Array<ArrayBuffer>;

/** An empty set with room for the numbers below `bound`. */
export function emptyNumberSet(bound: number): NumberSet {
  return new Uint32Array((bound + 31) >>> 5);
}

/** The set of these numbers; numbers from `bound` on are left out. */
export function numberSetOf(numbers: ArrayLike<number>, bound: number): NumberSet {
  const set = emptyNumberSet(bound);
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (number < bound) addNumber(set, number);
  }
  return set;
}

export function hasNumber(set: NumberSet, number: number): boolean {
  return ((set[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
}

/** There must be room for the number. */
export function addNumber(set: NumberSet, number: number): void {
  set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));
}

export function removeNumber(set: NumberSet, number: number): void {
  if (number >>> 5 < set.length) set[number >>> 5] = (set[number >>> 5] ?? 0) & ~(1 << (number & 31));
}

/** The set itself, or a copy with room for the numbers below `bound`, and some more. */
export function withRoomFor(set: NumberSet, bound: number): NumberSet {
  if (set.length * 32 >= bound) return set;
  const grown = emptyNumberSet(Math.max(bound, set.length * 64, 1024));
  grown.set(set);
  return grown;
}

/** Leaves in `set` what is in `other` too. */
export function keepNumbers(set: NumberSet, other: NumberSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) & (other[word] ?? 0);
}

/** Takes out of `set` what is in `other`. */
export function takeNumbers(set: NumberSet, other: NumberSet): void {
  const length = Math.min(set.length, other.length);
  for (let word = 0; word < length; word += 1) set[word] = (set[word] ?? 0) & ~(other[word] ?? 0);
}

/** Puts into `set` what is in `other`, as far as there is room. */
export function putNumbers(set: NumberSet, other: NumberSet): void {
  const length = Math.min(set.length, other.length);
  for (let word = 0; word < length; word += 1) set[word] = (set[word] ?? 0) | (other[word] ?? 0);
}

export function bothOf(left: NumberSet, right: NumberSet): NumberSet {
  const set = left.slice();
  keepNumbers(set, right);
  return set;
}

export function sizeOfNumbers(set: NumberSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word += 1) size += bitsIn(set[word] ?? 0);
  return size;
}

/** The members, ascending; with `after`, those above it; with `count`, at most so many. */
export function numbersIn(set: NumberSet, after = -1, count = Infinity): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(Math.min(count, sizeOfNumbers(set)));
  let size = 0;
  for (let word = (after + 1) >>> 5; word < set.length && size < found.length; word += 1) {
    let bits = set[word] ?? 0;
    while (bits !== 0 && size < found.length) {
      const number = word * 32 + 31 - Math.clz32(bits & -bits);
      bits &= bits - 1;
      if (number <= after) continue;
      found[size] = number;
      size += 1;
    }
  }
  return found.subarray(0, size);
}

/** Members lie in pages of so many numbers. */
export const pageBits = 10;

/**
 * The members of a set by pages, ascending: whoever goes through them for many columns would spend most of the time looking for them.
 * `places` are numbers within their page; those of page p end before `ends[p]`.
 */
export type Members = { readonly places: Uint16Array; readonly ends: Uint32Array };

export function membersOf(set: NumberSet): Members {
  const places = new Uint16Array(sizeOfNumbers(set));
  const wordsPerPage = 1 << (pageBits - 5);
  const ends = new Uint32Array(Math.ceil(set.length / wordsPerPage));
  let size = 0;
  for (let page = 0; page < ends.length; page += 1) {
    for (let word = 0; word < wordsPerPage; word += 1) {
      for (let bits = set[page * wordsPerPage + word] ?? 0; bits !== 0; bits &= bits - 1) {
        places[size] = word * 32 + 31 - Math.clz32(bits & -bits);
        size += 1;
      }
    }
    ends[page] = size;
  }
  return { places, ends };
}

/** How many of the 32 bits are set. */
export function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (((fours + (fours >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
