import type { AspectStore } from '../../aspect/aspect-store.ts';
import { type Urn } from '../../urn/urn.ts';
import { addOffset, chunkOf, offsetOf } from '../../verdict/chunk-set.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { copyOfVerdicts, differenceOf, emptyVerdicts, setVerdict } from '../keeping/verdict-difference.ts';
import { type TestState, testStateRecord } from '../keeping/test-state.ts';
import type { Verdict } from '../compile-test.ts';

type Stores = AspectStore & { readonly verdicts: VerdictStore };

/** Stores that entities arrived at verdicts at a moment, as an evaluation would. */
export async function arrive(
  store: Stores,
  test: Urn,
  time: number,
  arrivals: ReadonlyMap<Urn, Verdict>,
  definitionMd5 = 'md5',
): Promise<void> {
  const sequence = await store.lastSequence();
  await store.verdicts.transact(async (transaction) => {
    const numbers = await transaction.numbersOf([...arrivals.keys()]);
    const byChunk = Map.groupBy(numbers, ([, number]) => chunkOf(number));
    for (const [chunk, members] of byChunk) {
      const kept = (await transaction.verdictsIn(chunk, [test])).get(test) ?? emptyVerdicts();
      const next = copyOfVerdicts(kept);
      for (const [urn, number] of members) {
        const verdict = arrivals.get(urn) ?? 'NONE';
        setVerdict(next, offsetOf(number), verdict);
        if (verdict === 'ERROR') addOffset(next.undecided, offsetOf(number));
      }
      const difference = differenceOf(test, chunk, kept, next, { time, sequence, definitionMd5 });
      if (difference === undefined) continue;
      await transaction.putVerdicts(test, chunk, difference.verdicts);
      if (difference.change !== undefined) await transaction.appendChanges([difference.change]);
    }
  });
}

const completeState: TestState = {
  definitionMd5: 'md5',
  semanticHash: '',
  revision: 1,
  startedAt: 1,
  completedAt: 2,
  evaluatedChunks: 1,
  chunks: 1,
  confirmedAt: 2,
  isActive: true,
  isStale: false,
  exemptionsMd5: '',
};

/** Stores how far a test is; complete unless something else is said. */
export async function putState(store: Stores, test: Urn, state: Partial<TestState>): Promise<void> {
  await store.verdicts.transact((transaction) =>
    transaction.putRecords([testStateRecord(test, { ...completeState, ...state })]),
  );
}
