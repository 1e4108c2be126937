import type { AspectReader } from '../../aspect/aspect-store.ts';
import { nearestName } from '../../entity/nearest-name.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { sizeOfSet } from '../../verdict/chunk-set.ts';
import { definitionMd5 } from '../canonical-text.ts';
import { type CompiledTest, compileTest } from '../compile-test.ts';
import { withExemptions } from '../exemption/exempt-test.ts';
import type { VerdictKeeper } from '../keeping/verdict-keeper.ts';
import { readTests } from '../test-entity.ts';
import type { TestServices } from '../test-services.ts';
import { requireValidDefinition } from '../require-valid.ts';
import { validateDefinition } from '../validate.ts';
import { previewActions } from './action-preview.ts';
import { type CountedVerdicts, countType, noVerdicts } from './count-verdicts.ts';
import { decidingRules } from './decide-entities.ts';
import { differenceTo } from './difference.ts';
import { countGroups } from './group-counts.ts';
import { estimatedMilliseconds, planClassOf } from './plan-class.ts';
import type { Preview, PreviewCost, PreviewCounts, PreviewInput, RulePreview } from './preview.ts';
import { type AskedRows, askRows } from './row-questions.ts';
import { sampleOf } from './samples.ts';

export const sampleSizeMax = 20;

export type PreviewLimits = {
  /** How many entities are evaluated one by one, and for how long; what is beyond is told, not guessed. */
  readonly entitiesMax: number;
  readonly milliseconds: number;
  /** How long rows and verdicts are waited for. */
  readonly waitMilliseconds: number;
};

const defaultLimits: PreviewLimits = {
  entitiesMax: 200_000,
  milliseconds: 20_000,
  waitMilliseconds: 30_000,
};

export type PreviewParts = {
  readonly store: AspectReader;
  readonly tests: Pick<TestServices, 'library' | 'verdicts'> & {
    readonly keeper: Pick<VerdictKeeper, 'ensureRows' | 'settled' | 'status'> | undefined;
  };
  /** Whether the caller may see an entity; others are counted, and neither named nor explained. */
  canSee(urn: Urn): boolean;
  readonly limits?: Partial<PreviewLimits>;
};

/**
 * Says what a definition, saved or not, makes of the whole catalogue as of now: exact counts, samples, and what it changes
 * against the verdicts of a stored test. Waits until rows and verdicts are as of the newest change; stores nothing.
 * Throws INVALID_TEST_DEFINITION with all issues, ENTITY_NOT_FOUND for an unknown test, BAD_REQUEST, OVERLOADED while
 * rows are not up to date, or because keeping verdicts is switched off.
 */
export async function previewDefinition(
  parts: PreviewParts,
  input: PreviewInput,
  now: number,
): Promise<Preview> {
  const { store, tests, canSee } = parts;
  const { verdicts } = tests;
  const limits = { ...defaultLimits, ...parts.limits };
  const size = checkedSize(input.sampleSize);
  const { text, compiled } = await testOf(parts, input);
  const types = checkedTypes(input.types, compiled.definition.types);
  const sequence = await store.lastSequence();
  await upToDate(tests, input.testUrn, limits.waitMilliseconds);
  const start = performance.now();
  const deadline = start + limits.milliseconds;
  const asked = await askRows(verdicts, store, compiled.definition, types);
  const questions = [...asked.values()].map(({ question }) => question);
  const rules = decidingRules(compiled);
  const entities = await entitiesOf(store, types);
  const plan = planClassOf(questions);
  const counted = noVerdicts(rules.length);
  for (const [entityType, { question }] of asked) {
    await countType(
      {
        verdicts,
        source: store,
        compiled,
        entityType,
        question,
        now,
        limits: { entitiesMax: limits.entitiesMax, deadline },
      },
      counted,
    );
  }
  const groups = await countGroups(verdicts, counted);
  const all = types.length === compiled.definition.types.length;
  const difference =
    input.testUrn === undefined
      ? undefined
      : await differenceTo(verdicts, input.testUrn, counted, { looked: types, all }, canSee);
  const isOfOneMoment = (await store.lastSequence()) === sequence;
  const counts = countsOf(counted);
  const notLookedAt = total(counted, 'notLookedAt');
  const planned = await previewActions({
    store,
    verdicts,
    definition: compiled.definition,
    test: input.testUrn,
    counted,
    scope: counts.inScope,
    now,
    deadline,
    canSee,
  });
  const actions = planned && { ...planned, isComplete: planned.isComplete && notLookedAt === 0 };
  const samples = await sampleOf({ verdicts, source: store, compiled, counted, size, now, canSee });
  const { issues } = await validateDefinition(text, store, {
    ...(input.testUrn === undefined ? {} : { urn: input.testUrn }),
    sampling: { verdicts, now, canSee },
  });
  const cost: PreviewCost = {
    plan,
    entities,
    evaluated: counted.evaluated,
    beyondRows: beyondRows(asked),
    estimatedMilliseconds: estimatedMilliseconds(plan, entities, rules.length, limits.entitiesMax),
    milliseconds: Math.round(performance.now() - start),
  };
  return {
    test: input.testUrn,
    definitionMd5: definitionMd5(text),
    sequence,
    isOfOneMoment,
    isComplete: notLookedAt === 0,
    notLookedAt,
    counts,
    rules: rulesOf(compiled, counted),
    groups,
    samples,
    difference,
    actions,
    cost,
    issues,
  };
}

function checkedSize(size: number = sampleSizeMax): number {
  if (Number.isInteger(size) && size >= 0 && size <= sampleSizeMax) return size;
  throw new PostilError(
    'BAD_REQUEST',
    `'sampleSize' is a whole number from 0 to ${sampleSizeMax}, not ${size}.`,
  );
}

async function testOf(
  { store, tests: { library } }: PreviewParts,
  { json, testUrn }: PreviewInput,
): Promise<{ readonly text: string; readonly compiled: CompiledTest }> {
  if (testUrn === undefined) {
    if (json === undefined) {
      throw new PostilError('BAD_REQUEST', 'Nothing to preview: send a definition, or name a stored test.');
    }
    return { text: json, compiled: compileTest(requireValidDefinition(json)) };
  }
  const saved = (await readTests(store)).find(({ urn }) => urn === testUrn);
  if (saved === undefined) throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${testUrn}.`);
  const text = json ?? saved.json ?? '';
  const compiled = compileTest(requireValidDefinition(text));
  const exemptions = (await library.all()).get(testUrn)?.exemptions ?? [];
  return { text, compiled: withExemptions(compiled, exemptions) };
}

function checkedTypes(asked: readonly string[] | undefined, types: readonly string[]): readonly string[] {
  if (asked === undefined) return types;
  for (const type of asked) {
    if (types.includes(type)) continue;
    const nearest = nearestName(type, types);
    const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new PostilError(
      'BAD_REQUEST',
      `The test is for ${types.length === 0 ? 'no type' : types.join(', ')}, not for ${type}.${meant}`,
    );
  }
  return types.filter((type) => asked.includes(type));
}

/** Verdicts matter only where they are compared with. */
async function upToDate(
  { keeper }: PreviewParts['tests'],
  testUrn: Urn | undefined,
  waitMilliseconds: number,
): Promise<void> {
  if (keeper === undefined) {
    throw new PostilError(
      'OVERLOADED',
      'A preview counts rows that are kept beside the catalogue, and keeping them is switched off on this node; ' +
        'ask another one, or start this one with POSTIL_METADATA_TESTS=on.',
    );
  }
  const ready = keeper.ensureRows().then(() => (testUrn === undefined ? undefined : keeper.settled()));
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const { rowsBuilt } = keeper.status();
      const far = rowsBuilt === undefined ? '' : ` (rows: ${rowsBuilt.done} of ${rowsBuilt.of} parts)`;
      const message = `What a preview counts is not up to date yet${far}; ask again in a moment.`;
      reject(new PostilError('OVERLOADED', message));
    }, waitMilliseconds);
  });
  try {
    await Promise.race([ready, end]);
  } finally {
    clearTimeout(timer);
  }
}

async function entitiesOf(store: AspectReader, types: readonly string[]): Promise<number> {
  const totals = await Promise.all(
    types.map(async (type) => (await store.entities({ type, start: 0, count: 0 })).total),
  );
  return totals.reduce((sum, each) => sum + each, 0);
}

function beyondRows(asked: ReadonlyMap<string, AskedRows>): readonly string[] {
  return [...new Set([...asked.values()].flatMap((each) => each.beyondRows))];
}

type CountedSet = 'passing' | 'failing' | 'exempt' | 'undecided' | 'notLookedAt';

function total({ chunks }: CountedVerdicts, set: CountedSet): number {
  let sum = 0;
  for (const outcome of chunks.values()) sum += sizeOfSet(outcome[set]);
  return sum;
}

function countsOf(counted: CountedVerdicts): PreviewCounts {
  const [passing, failing, exempt] = [
    total(counted, 'passing'),
    total(counted, 'failing'),
    total(counted, 'exempt'),
  ];
  return {
    inScope: passing + failing + exempt,
    passing,
    failing,
    exempt,
    undecided: total(counted, 'undecided'),
  };
}

function rulesOf(compiled: CompiledTest, counted: CountedVerdicts): readonly RulePreview[] {
  return decidingRules(compiled).map(({ id, pointer }, at) => {
    let failingAlone = 0;
    for (const { failingAlone: byRule } of counted.chunks.values()) {
      const alone = byRule[at];
      if (alone !== undefined) failingAlone += sizeOfSet(alone);
    }
    return { id, pointer, failing: counted.failingByRule[at] ?? 0, failingAlone };
  });
}
