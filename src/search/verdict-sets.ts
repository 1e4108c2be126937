import type { WorkPace } from '../entity/work-pace.ts';
import { chunkSpan, type ChunkSet } from '../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictReader } from '../verdict/verdict-store.ts';
import { bothOf, emptyNumberSet, type NumberSet, putNumbers, sizeOfNumbers } from './number-set.ts';

/** The fields that are answered from the verdicts of metadata tests: which of the sets of verdicts they mean. */
const setOfField: { readonly [field: string]: (verdicts: ChunkVerdicts) => ChunkSet } = {
  passingTests: ({ passing }) => passing,
  failingTests: ({ failing }) => failing,
};

/** What entities pass and fail, as fields whose values are tests. */
export type VerdictSets = {
  having(
    field: string,
    accepts: (test: string) => boolean,
    bound: number,
    pace: WorkPace,
  ): Promise<NumberSet>;
  counts(field: string, numbers: NumberSet, pace: WorkPace): Promise<ReadonlyMap<string, number>>;
};

export function createVerdictSets(verdicts: Pick<VerdictReader, 'verdictsIn'>): VerdictSets {
  async function eachTest(
    field: string,
    bound: number,
    pace: WorkPace,
    visit: (test: string, numbers: NumberSet) => void,
  ): Promise<void> {
    const setOf = setOfField[field];
    if (setOf === undefined) return;
    for (let chunk = 0; chunk * chunkSpan < bound; chunk += 1) {
      for (const [test, sets] of await verdicts.verdictsIn(chunk)) {
        await pace.step();
        visit(test, inPlace(setOf(sets), chunk, bound));
      }
    }
  }

  return {
    async having(field, accepts, bound, pace) {
      const found = emptyNumberSet(bound);
      await eachTest(field, bound, pace, (test, numbers) => {
        if (accepts(test)) putNumbers(found, numbers);
      });
      return found;
    },
    async counts(field, numbers, pace) {
      const counts = new Map<string, number>();
      await eachTest(field, numbers.length * 32, pace, (test, having) => {
        const count = sizeOfNumbers(bothOf(having, numbers));
        if (count > 0) counts.set(test, (counts.get(test) ?? 0) + count);
      });
      return counts;
    },
  };
}

/** A chunk's set where its numbers stand among all. */
function inPlace(set: ChunkSet, chunk: number, bound: number): NumberSet {
  const numbers = emptyNumberSet(Math.min(bound, (chunk + 1) * chunkSpan));
  const firstWord = chunk * (chunkSpan >>> 5);
  for (let byte = 0; byte < set.length; byte += 1) {
    const word = firstWord + (byte >>> 2);
    if (word < numbers.length) numbers[word] = (numbers[word] ?? 0) | ((set[byte] ?? 0) << ((byte & 3) * 8));
  }
  return numbers;
}
