import type { Urn } from '../urn/urn.ts';
import { urnType } from '../urn/urn.ts';
import type { CompiledTest } from './compile-test.ts';
import type { FactSource } from './facts.ts';
import { loadFacts } from './load-facts.ts';
import { emptyReadSet, mergeReadSet } from './read-set.ts';

export type CandidateTest = { readonly urn: Urn; readonly compiled: CompiledTest };

/** Outcome for one entity; each list is sorted by test URN. A test that is in none of them does not apply. */
export type TestOutcome = {
  readonly passing: readonly Urn[];
  readonly failing: readonly Urn[];
  /** Failing, but excused. */
  readonly exempt: readonly Urn[];
  /** Tests that could not decide; whoever stores results keeps their earlier ones. */
  readonly errors: readonly { readonly urn: Urn; readonly reason: string }[];
  /** The time that was given, in milliseconds: when the results hold. */
  readonly evaluatedAt: number;
};

/**
 * Evaluates tests for one entity. All of them share the reads: one call for the entity, one per level of hops and
 * ancestors. Tests for other entity types cost nothing. Whether the entity exists is the caller's question.
 */
export async function evaluateTests(
  source: FactSource,
  urn: Urn,
  tests: readonly CandidateTest[],
  now: number,
): Promise<TestOutcome> {
  const type = urnType(urn);
  const candidates = tests
    .filter(({ compiled }) => compiled.definition.types.includes(type))
    .toSorted((left, right) => (left.urn < right.urn ? -1 : 1));
  const passing: Urn[] = [];
  const failing: Urn[] = [];
  const exempt: Urn[] = [];
  const errors: { urn: Urn; reason: string }[] = [];
  if (candidates.length > 0) {
    const readSet = emptyReadSet();
    for (const { compiled } of candidates) mergeReadSet(readSet, compiled.readSet);
    const facts = await loadFacts(source, urn, readSet);
    const entity = facts.get(urn);
    for (const test of candidates) {
      const evaluation = entity === undefined ? undefined : test.compiled.evaluate(entity, facts, now);
      if (evaluation?.verdict === 'PASS') passing.push(test.urn);
      if (evaluation?.verdict === 'FAIL') failing.push(test.urn);
      if (evaluation?.verdict === 'EXEMPT') exempt.push(test.urn);
      if (evaluation?.verdict === 'ERROR') errors.push({ urn: test.urn, reason: evaluation.reason ?? '' });
    }
  }
  return { passing, failing, exempt, errors, evaluatedAt: now };
}
