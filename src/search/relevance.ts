import { countsIn, type WordBag } from './word-bag.ts';

/** BM25 with the usual constants (decision 26). */
const k1 = 1.2;
const b = 0.75;
/** What a word counts in a name, a label and running text. */
const weights = [4, 2, 1] as const;
const digits = 1e6;

/** What a score is made from beside the entity itself; kept in cursors, so that a score does not change between pages. */
export type RelevanceStatistics = {
  /** Entities that exist. */
  readonly documents: number;
  /** Entities that bear each word of the question. */
  readonly frequencies: readonly number[];
  /** Words of an entity in each group, on average. */
  readonly lengths: readonly [number, number, number];
};

export type RankedWords = { readonly words: readonly string[]; readonly isLastPrefix: boolean };

/** How well an entity that bears all of the words answers them: BM25 over weighted groups, rounded to six digits. */
export function relevance(
  bag: WordBag,
  { words, isLastPrefix }: RankedWords,
  known: RelevanceStatistics,
): number {
  let score = 0;
  for (const [index, word] of words.entries()) {
    const frequency = known.frequencies[index] ?? 0;
    const rarity = Math.log(1 + Math.max(0, known.documents - frequency + 0.5) / (frequency + 0.5));
    const counts = countsIn(bag, word, isLastPrefix && index === words.length - 1);
    let weighted = 0;
    for (const group of [0, 1, 2] as const) {
      const length = known.lengths[group] === 0 ? 1 : bag.lengths[group] / known.lengths[group];
      weighted += (weights[group] * counts[group]) / (1 - b + b * length);
    }
    // A word beyond those that are kept for ranking: it is there all the same.
    if (weighted === 0) weighted = 1;
    score += (rarity * weighted * (k1 + 1)) / (weighted + k1);
  }
  return Math.round(score * digits) / digits;
}

export function averageLengths(bags: Iterable<WordBag>): readonly [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const { lengths } of bags) {
    count += 1;
    for (const group of [0, 1, 2] as const) sums[group] += lengths[group];
  }
  if (count === 0) return sums;
  return [rounded(sums[0] / count), rounded(sums[1] / count), rounded(sums[2] / count)];
}

/** As it is written into cursors, so that the first page and the next are ordered by the same numbers. */
function rounded(value: number): number {
  return Math.round(value * digits) / digits;
}
