import type { Urn } from '../urn/urn.ts';
import { urnType } from '../urn/urn.ts';
import type { CompiledTest, Evaluation } from './compile-test.ts';
import type { FactSource, LoadedFacts } from './facts.ts';
import { loadFacts, loadFactsOfMany } from './load-facts.ts';
import { emptyReadSet, mergeReadSet, type ReadSet } from './read-set.ts';

type Candidate = { readonly urn: Urn; readonly compiled: CompiledTest };

/** Entities whose facts are loaded together. */
const sliceSize = 100;

/**
 * Evaluates for each existing entity the tests that are given for it, and tells each evaluation. What the tests read is loaded
 * for many entities at once. `pause` is awaited between evaluations, so that a long run can let others go first.
 */
export async function evaluateMany<Test extends Candidate>(
  source: FactSource,
  candidates: ReadonlyMap<Urn, readonly Test[]>,
  now: number,
  tell: (entity: Urn, test: Test, evaluation: Evaluation) => void,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  for (const slice of slicesOf(candidates)) {
    const readSet = readSetOfSlice(slice);
    const urns = slice.map(([urn]) => urn);
    const together = await loadFactsOfMany(source, urns, readSet);
    for (const [urn, tests] of slice) {
      const facts: LoadedFacts = together ?? (await loadFacts(source, urn, readSet));
      const entity = facts.get(urn);
      if (entity === undefined) continue;
      for (const test of tests) {
        tell(urn, test, test.compiled.evaluate(entity, facts, now));
        await pause();
      }
    }
    await pause();
  }
}

type Slice<Test> = readonly (readonly [Urn, readonly Test[]])[];

/** Entities of one type have most in common. */
function* slicesOf<Test>(candidates: ReadonlyMap<Urn, readonly Test[]>): Generator<Slice<Test>> {
  const byType = new Map<string, [Urn, readonly Test[]][]>();
  for (const [urn, tests] of candidates) {
    if (tests.length === 0) continue;
    const type = urnType(urn);
    const slice = byType.get(type) ?? [];
    byType.set(type, slice);
    slice.push([urn, tests]);
    if (slice.length < sliceSize) continue;
    yield slice;
    byType.delete(type);
  }
  yield* byType.values();
}

function readSetOfSlice<Test extends Candidate>(slice: Slice<Test>): ReadSet {
  const readSet = emptyReadSet();
  const seenLists = new Set<readonly Test[]>();
  const seen = new Set<Test>();
  for (const [, tests] of slice) {
    if (seenLists.has(tests)) continue;
    seenLists.add(tests);
    for (const test of tests) {
      if (seen.has(test)) continue;
      seen.add(test);
      mergeReadSet(readSet, test.compiled.readSet);
    }
  }
  return readSet;
}
