import type { JsonObject } from '../../aspect/json.ts';
import type { AuditStamp } from '../../aspect/aspect.ts';
import type { AspectDraft } from '../../command/aspect-draft.ts';
import type { Urn } from '../../urn/urn.ts';
import type { Action, TestDefinition } from '../predicate.ts';
import { objectIn } from '../../entity/stored-member.ts';
import { identityOf } from './association-patch.ts';
import { testActor } from './action-caller.ts';
import { type Plan, planActions } from './plan-actions.ts';
import { loadPlanFacts, type PlanReader } from './plan-facts.ts';

/** One test that has to be looked at for one entity. Plain JSON. */
export type ActionJob = {
  readonly test: Urn;
  readonly entity: Urn;
  readonly verdict: 'PASS' | 'FAIL';
  readonly run: string;
  readonly depth: number;
  /** Of the definition, for the attribution. */
  readonly revision: string;
  /** Identities of patches that people took back (A5). */
  readonly refused: readonly string[];
  /** Identities of what the test once did to the entity, as far as its last time goes (A4). */
  readonly own: readonly string[];
};

export function actionsOf(definition: TestDefinition, verdict: 'PASS' | 'FAIL'): readonly Action[] {
  return verdict === 'PASS' ? definition.actions.passing : definition.actions.failing;
}

export function isRemovingOnlyOwn(definition: TestDefinition): boolean {
  const policy = objectIn(definition.keys, 'actionPolicy');
  return policy?.['removeOnlyOwn'] === true;
}

export type PlannedJobs = { readonly plans: readonly Plan[]; readonly draft: AspectDraft };

/** Plans jobs one after the other on one draft, so that all that happens to an entity is one write per aspect (A2). */
export async function planJobs(
  reader: PlanReader,
  definitions: ReadonlyMap<Urn, TestDefinition>,
  jobs: readonly ActionJob[],
  now: number,
): Promise<PlannedJobs> {
  const ofJob = jobs.map((job) => {
    const definition = definitions.get(job.test);
    return { definition, actions: definition === undefined ? [] : actionsOf(definition, job.verdict) };
  });
  const entities = [...new Set(jobs.map(({ entity }) => entity))];
  const facts = await loadPlanFacts(reader, entities, [...new Set(ofJob.flatMap(({ actions }) => actions))]);
  const stamp: AuditStamp = { time: now, actor: testActor };
  const plans = jobs.map((job, index): Plan => {
    const { definition, actions = [] } = ofJob[index] ?? {};
    if (definition === undefined) return { patches: [], refused: [] };
    return planActions(actions, facts.draft, {
      entity: job.entity,
      test: job.test,
      attribution: attributionOf(job, stamp),
      stamp,
      removeOnlyOwn: isRemovingOnlyOwn(definition),
      products: facts.products.get(job.entity) ?? [],
      isMissing: (product) => facts.missingProducts.has(product),
      definitionOf: (property) => facts.definitions.get(property),
      isOwn: (association) => job.own.includes(association),
      refusal: (patch) =>
        job.refused.includes(identityOf(patch))
          ? `somebody took back '${patch.op}' of ${patch.aspect}`
          : undefined,
    });
  });
  return { plans, draft: facts.draft };
}

/** DataHub's `MetadataAttribution`; all details are texts (A3). */
function attributionOf(job: ActionJob, stamp: AuditStamp): JsonObject {
  return {
    time: stamp.time,
    actor: stamp.actor,
    source: job.test,
    sourceDetail: {
      revision: job.revision,
      verdict: job.verdict,
      runId: job.run,
      depth: String(job.depth),
    },
  };
}
