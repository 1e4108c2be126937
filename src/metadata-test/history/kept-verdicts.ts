import type { Urn } from '../../urn/urn.ts';
import { chunkOf, hasOffset, offsetOf } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictReader } from '../../verdict/verdict-store.ts';

export const settledVerdicts = ['PASS', 'FAIL', 'EXEMPT'] as const;

/** A verdict that is kept; who is in none of the sets is out of scope, or was not evaluated yet. */
export type SettledVerdict = (typeof settledVerdicts)[number];

/** Which of the sets the entity is in; `undefined` for none. */
export function verdictAt(verdicts: ChunkVerdicts | undefined, offset: number): SettledVerdict | undefined {
  if (verdicts === undefined) return undefined;
  if (hasOffset(verdicts.passing, offset)) return 'PASS';
  if (hasOffset(verdicts.failing, offset)) return 'FAIL';
  return hasOffset(verdicts.exempt, offset) ? 'EXEMPT' : undefined;
}

/** The kept verdicts of these tests for entities, by entity and test; one read for each chunk that they lie in. */
export async function keptVerdicts(
  reader: Pick<VerdictReader, 'numbersOf' | 'verdictsIn'>,
  urns: readonly Urn[],
  tests: readonly Urn[],
): Promise<ReadonlyMap<Urn, ReadonlyMap<Urn, SettledVerdict>>> {
  const kept = new Map<Urn, ReadonlyMap<Urn, SettledVerdict>>();
  if (tests.length === 0) return kept;
  const byChunk = Map.groupBy(await reader.numbersOf(urns), ([, number]) => chunkOf(number));
  for (const [chunk, members] of byChunk) {
    const found = await reader.verdictsIn(chunk, tests);
    for (const [urn, number] of members) {
      const own = new Map<Urn, SettledVerdict>();
      for (const [test, verdicts] of found) {
        const verdict = verdictAt(verdicts, offsetOf(number));
        if (verdict !== undefined) own.set(test, verdict);
      }
      kept.set(urn, own);
    }
  }
  return kept;
}
