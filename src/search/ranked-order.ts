import type { Found } from './found-set.ts';
import { type NumberSet, numbersIn, sizeOfNumbers } from './number-set.ts';
import { averageLengths, relevance, type RelevanceStatistics } from './relevance.ts';
import type { SearchPosition } from './search-cursor.ts';
import type { WordBags } from './word-bags.ts';

export type Ranked = { readonly number: number; readonly score: number };

export type OrderedPage = {
  readonly hits: readonly Ranked[];
  /** Where the last hit stands; absent when nothing comes after it, or there is none. */
  readonly position: SearchPosition | undefined;
};

type RelevancePosition = SearchPosition & { readonly by: 'relevance' };

/** A class in its order, or what of it comes after a position: first those with a score, the others by number. */
type OrderedClass = {
  readonly index: number;
  readonly ranked: readonly Ranked[];
  readonly others: Uint32Array;
  /** Left out at the beginning without having been looked at. */
  readonly skipped: number;
  readonly rankedUpTo: number;
  readonly statistics: RelevanceStatistics | null;
};

type Sources = {
  readonly bags: WordBags;
  readonly documents: number;
  /** Of each class, so many are ordered by how well they answer; the others by number (decision 26). */
  readonly rankedMax: number;
};

/** The best hits first, `start` of them left out, or from where a position says on. */
export async function pageByRelevance(
  found: Found,
  wanted: {
    readonly start: number;
    readonly count: number;
    readonly after: RelevancePosition | undefined;
  },
  sources: Sources,
): Promise<OrderedPage> {
  const { after, count } = wanted;
  const placed: { readonly hit: Ranked; readonly isRanked: boolean; readonly from: OrderedClass }[] = [];
  const classes = await found.classes();
  let skip = after === undefined ? wanted.start : 0;
  // One more than is wanted, to see whether anything comes after the page.
  for (let index = after?.class ?? 0; placed.length <= count; index += 1) {
    const members = classes[index];
    if (members === undefined) break;
    const position = after?.class === index ? after : undefined;
    const size = sizeOfNumbers(members);
    if (size === 0 || skip >= size) {
      skip = Math.max(0, skip - size);
      continue;
    }
    const need = count + 1 - placed.length;
    const from = await orderedClass({ found, index, members, position, skip, need }, sources);
    const hits = [
      ...from.ranked.map((hit) => ({ hit, isRanked: true, from })),
      ...Array.from(from.others, (number) => ({ hit: { number, score: 0 }, isRanked: false, from })),
    ].slice(skip - from.skipped);
    placed.push(...hits.slice(0, need));
    skip = 0;
  }
  const page = placed.slice(0, count);
  const last = page.at(-1);
  return {
    hits: page.map(({ hit }) => hit),
    position: last === undefined || placed.length <= count ? undefined : positionOf(last),
  };
}

async function orderedClass(
  asked: {
    readonly found: Found;
    readonly index: number;
    readonly members: NumberSet;
    readonly position: RelevancePosition | undefined;
    readonly skip: number;
    /** So many hits are needed after those that are left out. */
    readonly need: number;
  },
  { bags, documents, rankedMax }: Sources,
): Promise<OrderedClass> {
  const { found, index, members, position, skip, need } = asked;
  const { question } = found;
  const isByNumber = question.kind === 'everything';
  const first = isByNumber ? new Uint32Array() : numbersIn(members, -1, rankedMax);
  const rankedUpTo = position?.rankedUpTo ?? first.at(-1) ?? -1;
  const isBeyond = position !== undefined && position.score === null;
  const others = (count: number): Uint32Array =>
    numbersIn(members, Math.max(rankedUpTo, isBeyond ? position.number : -1), count);
  if (isByNumber || isBeyond || (position === undefined && skip >= first.length)) {
    const skipped = position === undefined ? first.length : 0;
    return { index, ranked: [], others: others(skip + need), skipped, rankedUpTo, statistics: null };
  }
  const known = await bags.of([...(position === undefined ? first : numbersUpTo(members, rankedUpTo))]);
  const statistics = position?.statistics ?? {
    documents,
    frequencies: found.frequencies,
    lengths: averageLengths(known.values()),
  };
  const ranked = [...known]
    .map(([number, bag]) => ({ number, score: relevance(bag, question, statistics) }))
    .filter((hit) => position === undefined || isAfter(hit, position))
    .sort((one, other) => other.score - one.score || one.number - other.number);
  return { index, ranked, others: others(skip + need), skipped: 0, rankedUpTo, statistics };
}

function isAfter({ number, score }: Ranked, position: RelevancePosition): boolean {
  const before = position.score ?? 0;
  return score < before || (score === before && number > position.number);
}

function positionOf(last: {
  readonly hit: Ranked;
  readonly isRanked: boolean;
  readonly from: OrderedClass;
}): SearchPosition {
  const { hit, isRanked, from } = last;
  return {
    by: 'relevance',
    class: from.index,
    score: isRanked ? hit.score : null,
    number: hit.number,
    rankedUpTo: from.rankedUpTo,
    statistics: from.statistics,
  };
}

function numbersUpTo(set: NumberSet, last: number): Uint32Array {
  return numbersIn(set.subarray(0, (last >>> 5) + 1)).filter((number) => number <= last);
}
