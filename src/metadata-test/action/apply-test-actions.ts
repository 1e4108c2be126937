import type { Command, DecisionView } from '../../command/command.ts';
import type { Urn } from '../../urn/urn.ts';
import { loadFacts } from '../load-facts.ts';
import type { TestDefinition } from '../predicate.ts';
import { emptyReadSet, mergeReadSet } from '../read-set.ts';
import type { LibraryTest } from '../test-library.ts';
import { demandsOfActions } from './action-caller.ts';
import { type ActionJob, actionsOf, planJobs } from './plan-jobs.ts';
import type { PlannedPatch } from './plan-actions.ts';

/** What became of one job, in the order of the jobs. */
export type JobOutcome =
  | { readonly kind: 'done'; readonly patches: readonly PlannedPatch[]; readonly refused: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * Does what tests ask for to entities that still have the verdict that it is done for: decided again inside the transaction,
 * from what is stored there. What is as wanted already is not written (A1).
 */
export function applyTestActions(
  tests: ReadonlyMap<Urn, LibraryTest>,
): Command<readonly ActionJob[], readonly JobOutcome[]> {
  return {
    name: 'applyTestActions',
    demands: (jobs) =>
      jobs.flatMap(({ test, entity, verdict }) => {
        const definition = tests.get(test)?.compiled.definition;
        return definition === undefined ? [] : demandsOfActions(actionsOf(definition, verdict), entity);
      }),
    async decide(view, jobs, { now }) {
      const existing = await view.existing([...new Set(jobs.map(({ entity }) => entity))]);
      const reasons: (string | undefined)[] = [];
      for (const job of jobs) {
        reasons.push(
          existing.has(job.entity) ? await staleness(view, tests, job, now) : 'the entity is gone',
        );
      }
      const current = jobs.filter((_, index) => reasons[index] === undefined);
      const definitions = new Map<Urn, TestDefinition>(
        [...tests].map(([urn, { compiled }]) => [urn, compiled.definition]),
      );
      const { plans, draft } = await planJobs(view, definitions, current, now);
      const outcomes = jobs.map((job, index): JobOutcome => {
        const reason = reasons[index];
        if (reason !== undefined) return { kind: 'skipped', reason };
        const { patches, refused } = plans[current.indexOf(job)] ?? { patches: [], refused: [] };
        return { kind: 'done', patches, refused };
      });
      return { writes: draft.writes(), result: outcomes };
    },
  };
}

/** Why a job is no longer to be done. */
async function staleness(
  view: DecisionView,
  tests: ReadonlyMap<Urn, LibraryTest>,
  { test, entity, verdict }: ActionJob,
  now: number,
): Promise<string | undefined> {
  const compiled = tests.get(test)?.compiled;
  if (compiled === undefined) return 'the test is gone';
  const readSet = emptyReadSet();
  mergeReadSet(readSet, compiled.readSet);
  const facts = await loadFacts(view, entity, readSet);
  const loaded = facts.get(entity);
  const found = loaded === undefined ? 'NONE' : compiled.evaluate(loaded, facts, now).verdict;
  return found === verdict ? undefined : `the verdict is ${found} by now`;
}
