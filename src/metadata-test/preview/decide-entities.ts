import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { type CompiledTest, compilePredicate, evaluationBudget, type Verdict } from '../compile-test.ts';
import { type EntityTest, type FactSource, type LoadedEntity, type LoadedFacts, runOn } from '../facts.ts';
import { createPace } from '../keeping/pace.ts';
import { loadFacts, loadFactsOfMany } from '../load-facts.ts';
import type { Rule, TestDefinition } from '../predicate.ts';
import { subjectOf } from '../siblings.ts';

/** Entities whose facts are in memory at once. */
const batchSize = 100;

/** What a test says of one entity. */
export type Decided = {
  readonly urn: Urn;
  readonly entity: LoadedEntity;
  readonly facts: LoadedFacts;
  readonly verdict: Verdict;
  /** Of FAIL and EXEMPT: positions of the deciding rules that do not hold. */
  readonly failingRules: readonly number[];
};

/** The rules that decide the verdict, in their order. */
export function decidingRules({ definition }: CompiledTest): readonly Rule[] {
  return definition.rules.filter((rule) => rule.severity === 'error');
}

/**
 * Evaluates a test for entities one by one, from facts that are read in batches. `mayGoOn` is asked before each batch; when
 * it says no, the rest is left out.
 */
export async function* decideEntities(
  source: FactSource,
  compiled: CompiledTest,
  urns: readonly Urn[],
  now: number,
  mayGoOn: () => boolean = () => true,
): AsyncGenerator<Decided> {
  const rules = decidingRules(compiled).map((rule) => compilePredicate(rule.predicate));
  const pause = createPace();
  for (let start = 0; start < urns.length && mayGoOn(); start += batchSize) {
    const batch = urns.slice(start, start + batchSize);
    const together = await loadFactsOfMany(source, batch, compiled.readSet);
    for (const urn of batch) {
      // Where a limit was met, each has to be asked alone, so that its verdict is that of an evaluation.
      const facts = together ?? (await loadFacts(source, urn, compiled.readSet));
      const entity = facts.get(urn);
      if (entity === undefined) continue;
      const { verdict } = compiled.evaluate(entity, facts, now);
      const isFailing = verdict === 'FAIL' || verdict === 'EXEMPT';
      const failingRules = isFailing ? failingOf(compiled.definition, rules, entity, facts, now) : [];
      yield { urn, entity, facts, verdict, failingRules };
      await pause();
    }
  }
}

/** Each rule has a budget of its own; one that cannot be decided is not known to fail. */
function failingOf(
  definition: TestDefinition,
  rules: readonly EntityTest[],
  entity: LoadedEntity,
  facts: LoadedFacts,
  now: number,
): readonly number[] {
  return rules.flatMap((rule, at) => {
    try {
      const subject = subjectOf(definition, entity, facts, { budget: evaluationBudget });
      return rule(subject, runOn(subject, facts, now, evaluationBudget)) ? [] : [at];
    } catch (error) {
      if (error instanceof PostilError) return [];
      throw error;
    }
  });
}
