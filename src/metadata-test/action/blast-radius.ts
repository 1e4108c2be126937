import type { AspectReader } from '../../aspect/aspect-store.ts';
import { objectIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';
import { type ChunkSet, chunkSpan, hasOffset, offsetOf, offsetsIn } from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import type { TestDefinition } from '../predicate.ts';
import type { LibraryTest } from '../test-library.ts';
import { actingSets } from './acting-sets.ts';
import type { RunPlan } from './action-state.ts';
import { nameOfElement, sourceOfElement, type AssociationPatch } from './association-patch.ts';
import type { PlannedPatch } from './plan-actions.ts';
import { ownAssociations } from './action-log.ts';
import { type ActionJob, isRemovingOnlyOwn, planJobs } from './plan-jobs.ts';

/** A9: entities that a run may change without approval: 1,000 and a tenth of the scope, but 20 in any catalogue. */
const maxEntitiesDefault = 1_000;
const scopeShare = 0.1;
const smallCatalogue = 20;

export function blastLimit(definition: TestDefinition, scope: number): number {
  const maxEntities = objectIn(definition.keys, 'actionPolicy')?.['maxEntities'];
  const most = typeof maxEntities === 'number' ? maxEntities : maxEntitiesDefault;
  return Math.min(most, Math.max(smallCatalogue, Math.floor(scope * scopeShare)));
}

export async function scopeOf(verdicts: VerdictReader, test: Urn): Promise<number> {
  const { passing, failing, exempt } = await verdicts.counts(test);
  return passing + failing + exempt;
}

export type ChunkEntities = { readonly chunk: number; readonly entities: ChunkSet };

/** All entities that a test acts on with their verdicts of now: what its first activation is about. */
export async function* entitiesActedOn(
  verdicts: VerdictReader,
  test: Urn,
  actsOn: { readonly passing: boolean; readonly failing: boolean },
): AsyncGenerator<ChunkEntities> {
  for (const chunk of await verdicts.chunksOf(test)) {
    const kept = (await verdicts.verdictsIn(chunk, [test])).get(test);
    if (kept === undefined) continue;
    const { passing, failing } = actingSets(kept);
    const entities = passing.map(
      (byte, index) => (actsOn.passing ? byte : 0) | (actsOn.failing ? (failing[index] ?? 0) : 0),
    );
    yield { chunk, entities };
  }
}

/** Counting stops here: nobody approves by the exact number beyond. */
const countedMax = 10_000;
const sampleMax = 50;
const batchSize = 200;

/** Where counting may stop: once more entities than this would change, or after so many milliseconds. */
export type CountingLimits = { readonly enough?: number; readonly milliseconds?: number };

/** What acting on these entities would change; nothing is written. */
export async function planEntities(
  reader: AspectReader,
  verdicts: VerdictReader,
  test: LibraryTest,
  chunks: AsyncIterable<ChunkEntities>,
  now: number,
  { enough = countedMax, milliseconds = Infinity }: CountingLimits = {},
): Promise<RunPlan> {
  const end = performance.now() + milliseconds;
  const writes = new Map<string, number>();
  const sample: { entity: string; verdict: string; changes: readonly string[] }[] = [];
  let entities = 0;
  let removedOfPeople = 0;
  let isComplete = true;
  for await (const { entity, verdict, patches } of plannedIn(reader, verdicts, test, chunks, now)) {
    if (performance.now() > end) isComplete = false;
    if (entity === undefined) {
      if (isComplete) continue;
      break;
    }
    entities += 1;
    for (const { action } of patches) writes.set(action, (writes.get(action) ?? 0) + 1);
    removedOfPeople += patches.filter(isOfPeople).length;
    if (sample.length < sampleMax) sample.push({ entity, verdict, changes: patches.map(describePatch) });
    if (entities > enough) isComplete = false;
    if (!isComplete) break;
  }
  const scope = await scopeOf(verdicts, test.urn);
  return { entities, scope, isComplete, writes: Object.fromEntries(writes), removedOfPeople, sample };
}

type PlannedEntity = {
  /** `undefined` after each batch, so that whoever counts may stop where nothing would change. */
  readonly entity: Urn | undefined;
  readonly verdict: ActionJob['verdict'];
  readonly patches: readonly PlannedPatch[];
};

/** The entities that would change, with how. */
async function* plannedIn(
  reader: AspectReader,
  verdicts: VerdictReader,
  test: LibraryTest,
  chunks: AsyncIterable<ChunkEntities>,
  now: number,
): AsyncGenerator<PlannedEntity> {
  const definitions = new Map([[test.urn, test.compiled.definition]]);
  const isByOwner = isRemovingOnlyOwn(test.compiled.definition);
  for await (const { chunk, entities } of chunks) {
    const kept = (await verdicts.verdictsIn(chunk, [test.urn])).get(test.urn);
    if (kept === undefined) continue;
    const { passing, failing } = actingSets(kept);
    const offsets = [...offsetsIn(entities)].filter(
      (offset) => hasOffset(passing, offset) || hasOffset(failing, offset),
    );
    for (let start = 0; start < offsets.length; start += batchSize) {
      const numbers = offsets.slice(start, start + batchSize).map((offset) => chunk * chunkSpan + offset);
      const jobs: ActionJob[] = [];
      for (const [number, entity] of await verdicts.urnsOf(numbers)) {
        jobs.push({
          test: test.urn,
          entity,
          verdict: hasOffset(passing, offsetOf(number)) ? 'PASS' : 'FAIL',
          run: '',
          depth: 0,
          revision: '',
          refused: [],
          own: isByOwner ? await ownAssociations(verdicts, test.urn, entity) : [],
        });
      }
      const { plans } = await planJobs(reader, definitions, jobs, now);
      for (const [index, { entity, verdict }] of jobs.entries()) {
        const patches = plans[index]?.patches ?? [];
        if (patches.length > 0) yield { entity, verdict, patches };
      }
      yield { entity: undefined, verdict: 'PASS', patches: [] };
    }
  }
}

/** A4: what no test added, so people or ingestion did. */
export function isOfPeople(patch: AssociationPatch): boolean {
  return (
    patch.op === 'remove' &&
    patch.list !== 'domainAssociations' &&
    patch.elements.some((element) => sourceOfElement(element)?.startsWith('urn:li:test:') !== true)
  );
}

export function describePatch(patch: AssociationPatch): string {
  if (patch.op === 'set') return `${patch.aspect}.deprecated = ${String(patch.after['deprecated'])}`;
  const [element] = patch.elements;
  const name = element === undefined ? undefined : nameOfElement(element, patch.member);
  return `${patch.op === 'add' ? '+' : '-'} ${patch.aspect}.${patch.list} ${name ?? patch.value}`;
}
