import type { AspectReader } from '../../aspect/aspect-store.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { type ChunkSet, chunkSpan, offsetsIn } from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { readActionState } from '../action/action-state.ts';
import { blastLimit, describePatch, isOfPeople } from '../action/blast-radius.ts';
import { effectsOf } from '../action/effects.ts';
import type { PlannedPatch } from '../action/plan-actions.ts';
import { ownAssociations } from '../action/action-log.ts';
import { type ActionJob, isRemovingOnlyOwn, planJobs } from '../action/plan-jobs.ts';
import { semanticHash } from '../canonical-text.ts';
import type { TestDefinition } from '../predicate.ts';
import type { CountedVerdicts } from './count-verdicts.ts';
import type { PreviewActions } from './preview.ts';

const batchSize = 200;
/** Entities that would change and are named. */
const sampleMax = 50;
/** Counting stops here: nobody approves by the exact number beyond. */
const countedMax = 10_000;

/** Stands for a test that is not stored: nothing that is there was added by it. */
const unsaved = parseUrn('urn:li:test:__preview');

/**
 * What the actions of a definition would write if it were saved as it is and all entities were acted on by what was counted;
 * `undefined` for one that does not act. The exempt and those that could not be decided are not acted on.
 */
export async function previewActions(parts: {
  readonly store: AspectReader;
  readonly verdicts: VerdictReader;
  readonly definition: TestDefinition;
  readonly test: Urn | undefined;
  readonly counted: CountedVerdicts;
  readonly scope: number;
  readonly now: number;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  canSee(urn: Urn): boolean;
}): Promise<PreviewActions | undefined> {
  const { definition, test, scope } = parts;
  const sides = new Set(effectsOf(definition).map(({ side }) => side));
  if (sides.size === 0) return undefined;
  const writes = new Map<string, number>();
  const sample: { entity: Urn; verdict: 'PASS' | 'FAIL'; changes: readonly string[] }[] = [];
  let [entities, removedOfPeople, isComplete] = [0, 0, true];
  for await (const planned of plannedOf(parts, sides)) {
    if (planned === 'late' || entities >= countedMax) {
      isComplete = false;
      break;
    }
    const { entity, verdict, patches } = planned;
    entities += 1;
    for (const { action } of patches) writes.set(action, (writes.get(action) ?? 0) + 1);
    removedOfPeople += patches.filter(isOfPeople).length;
    if (sample.length < sampleMax && parts.canSee(entity)) {
      sample.push({ entity, verdict, changes: patches.map(describePatch) });
    }
  }
  const approved = test === undefined ? undefined : await readActionState(parts.verdicts, test);
  const isActivated = approved?.semanticHash === semanticHash(definition);
  const isWide = !isComplete || entities > blastLimit(definition, scope);
  return {
    entities,
    isComplete,
    writes: Object.fromEntries(writes),
    removedOfPeople,
    sample,
    approval: isActivated ? (isWide ? 'blast-radius' : undefined) : 'activation',
  };
}

type Planned = {
  readonly entity: Urn;
  readonly verdict: 'PASS' | 'FAIL';
  readonly patches: readonly PlannedPatch[];
};

async function* plannedOf(
  parts: Parameters<typeof previewActions>[0],
  sides: ReadonlySet<'passing' | 'failing'>,
): AsyncGenerator<Planned | 'late'> {
  const { store, verdicts, definition, counted, now } = parts;
  const test = parts.test ?? unsaved;
  const definitions = new Map([[test, definition]]);
  const isByOwner = isRemovingOnlyOwn(definition);
  for (const [chunk, outcome] of counted.chunks) {
    const verdictOf = new Map<number, 'PASS' | 'FAIL'>();
    const add = (set: ChunkSet, verdict: 'PASS' | 'FAIL'): void => {
      for (const offset of offsetsIn(set)) verdictOf.set(chunk * chunkSpan + offset, verdict);
    };
    if (sides.has('passing')) add(outcome.passing, 'PASS');
    if (sides.has('failing')) add(outcome.failing, 'FAIL');
    const numbers = [...verdictOf.keys()];
    for (let start = 0; start < numbers.length; start += batchSize) {
      if (performance.now() >= parts.deadline) yield 'late';
      const urns = await verdicts.urnsOf(numbers.slice(start, start + batchSize));
      const jobs: ActionJob[] = [];
      for (const [number, entity] of urns) {
        jobs.push({
          test,
          entity,
          verdict: verdictOf.get(number) ?? 'FAIL',
          run: '',
          depth: 0,
          revision: '',
          refused: [],
          own: isByOwner ? await ownAssociations(verdicts, test, entity) : [],
        });
      }
      const { plans } = await planJobs(store, definitions, jobs, now);
      for (const [index, { entity, verdict }] of jobs.entries()) {
        const patches = plans[index]?.patches ?? [];
        if (patches.length > 0) yield { entity, verdict, patches };
      }
    }
  }
}
