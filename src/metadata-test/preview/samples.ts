import { PostilError } from '../../errors/postil-error.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import { type ChunkSet, chunkSpan, hasOffset, offsetsIn } from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { type CompiledTest, evaluationBudget } from '../compile-test.ts';
import { explainTest } from '../explain-test.ts';
import type { Explanation } from '../explanation.ts';
import { type FactSource, runOn } from '../facts.ts';
import { subjectOf } from '../siblings.ts';
import type { ChunkOutcome, CountedVerdicts } from './count-verdicts.ts';
import { type Decided, decideEntities, decidingRules } from './decide-entities.ts';
import { compileLeafDistance } from './leaf-distance.ts';
import type { PreviewSamples } from './preview.ts';

/** Entities that one rule alone fails and that are looked at for how near they are to passing. */
const nearlyLookedAtMax = 200;
/** Entities that are looked up for one sample, because not everyone may see all of them. */
const lookedUpMax = 1_000;

/** Explains some of the entities that were counted; entities that the caller may not see are never shown. */
export async function sampleOf(parts: {
  readonly verdicts: VerdictReader;
  readonly source: FactSource;
  readonly compiled: CompiledTest;
  readonly counted: CountedVerdicts;
  readonly size: number;
  readonly now: number;
  canSee(urn: Urn): boolean;
}): Promise<PreviewSamples> {
  const { verdicts, source, compiled, counted, size, now } = parts;
  if (size === 0) return { failing: [], passing: [], nearlyPassing: [] };
  const decided = async (numbers: Iterable<number>, count: number): Promise<readonly Decided[]> => {
    const urns = await seenAmong(verdicts, numbers, parts.canSee, count);
    return Array.fromAsync(decideEntities(source, compiled, urns, now));
  };
  const sees = (urn: string): boolean => !isUrn(urn) || parts.canSee(urn);
  const explained = ({ entity, facts }: Decided): Explanation =>
    explainTest(compiled, entity, facts, now, sees);
  const failing = numbersIn(counted, ({ failing: members }) => members);
  const passing = numbersIn(counted, ({ passing: members }) => members);
  const distanceOf = distance(compiled, now);
  const near = (await decided(nearbyIn(counted), nearlyLookedAtMax)).filter((each) => distanceOf(each) === 1);
  // What changed since it was counted is not shown as what it no longer is.
  return {
    failing: (await decided(failing, size)).filter(({ verdict }) => verdict === 'FAIL').map(explained),
    passing: (await decided(passing, size)).filter(({ verdict }) => verdict === 'PASS').map(explained),
    nearlyPassing: near.slice(0, Math.ceil(size / 2)).map(explained),
  };
}

function distance(compiled: CompiledTest, now: number): (decided: Decided) => number {
  const rules = decidingRules(compiled).map((rule) => compileLeafDistance(rule.predicate));
  return ({ entity, facts, verdict }) => {
    if (verdict !== 'FAIL') return Infinity;
    try {
      const subject = subjectOf(compiled.definition, entity, facts, { budget: evaluationBudget });
      const run = runOn(subject, facts, now, evaluationBudget);
      return rules.reduce((sum, rule) => sum + rule(subject, run, true), 0);
    } catch (error) {
      if (error instanceof PostilError) return Infinity;
      throw error;
    }
  };
}

type SetOf = (outcome: ChunkOutcome) => ChunkSet;

function* numbersIn({ chunks }: CountedVerdicts, setOf: SetOf): Generator<number> {
  for (const [chunk, outcome] of chunks) {
    for (const offset of offsetsIn(setOf(outcome))) yield chunk * chunkSpan + offset;
  }
}

/** Failing by one rule alone, in turns of the rules, so that the first rule does not hide the others. */
function* nearbyIn(counted: CountedVerdicts): Generator<number> {
  const byRule = counted.failingByRule.map((_count, rule) => aloneBy(counted, rule));
  for (let open = byRule; open.length > 0;) {
    const still: typeof byRule = [];
    for (const numbers of open) {
      const next = numbers.next();
      if (next.done === true) continue;
      still.push(numbers);
      yield next.value;
    }
    open = still;
  }
}

function* aloneBy({ chunks }: CountedVerdicts, rule: number): Generator<number> {
  for (const [chunk, { failing, failingAlone }] of chunks) {
    const alone = failingAlone[rule];
    if (alone === undefined) continue;
    for (const offset of offsetsIn(alone)) if (hasOffset(failing, offset)) yield chunk * chunkSpan + offset;
  }
}

/** The first of them that may be seen; those that are needed are looked up, and few more. */
async function seenAmong(
  verdicts: VerdictReader,
  numbers: Iterable<number>,
  canSee: (urn: Urn) => boolean,
  count: number,
): Promise<readonly Urn[]> {
  const seen: Urn[] = [];
  let page: number[] = [];
  const lookUp = async (): Promise<void> => {
    const urns = await verdicts.urnsOf(page);
    seen.push(...page.flatMap((number) => urns.get(number) ?? []).filter(canSee));
    page = [];
  };
  let left = lookedUpMax;
  for (const number of numbers) {
    if (left === 0 || seen.length >= count) break;
    left -= 1;
    page.push(number);
    if (page.length === count) await lookUp();
  }
  if (seen.length < count) await lookUp();
  return seen.slice(0, count);
}
