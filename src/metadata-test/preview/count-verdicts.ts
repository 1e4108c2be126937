import type { Urn } from '../../urn/urn.ts';
import {
  addMembers,
  addOffset,
  type ChunkSet,
  chunkOf,
  chunkSpan,
  emptyChunkSet,
  minus,
  offsetOf,
  offsetsIn,
  removeOffset,
  sizeOfSet,
} from '../../verdict/chunk-set.ts';
import type { RowQuestion } from '../../verdict/row-predicate.ts';
import type { ChunkAnswer, VerdictStore } from '../../verdict/verdict-store.ts';
import type { CompiledTest } from '../compile-test.ts';
import type { FactSource } from '../facts.ts';
import { type Decided, decideEntities } from './decide-entities.ts';

/** What a test says of the entities of one chunk. Of each entity in scope, it is in one of the first five sets. */
export type ChunkOutcome = {
  readonly passing: ChunkSet;
  readonly failing: ChunkSet;
  readonly exempt: ChunkSet;
  readonly undecided: ChunkSet;
  /** What the limits left no room for; some of them may be out of scope. */
  readonly notLookedAt: ChunkSet;
  /** Failing or exempt by one rule alone, by the position of that rule. */
  readonly failingAlone: readonly ChunkSet[];
  /** Decided by evaluation, because rows do not tell. */
  readonly evaluated: ChunkSet;
};

export type CountedVerdicts = {
  /** By chunk. */
  readonly chunks: Map<number, ChunkOutcome>;
  /** Of each rule that decides: how many entities it fails. */
  readonly failingByRule: number[];
  /** Entities that were evaluated one by one. */
  evaluated: number;
};

/** How much may be evaluated one by one. */
export type EvaluationLimits = {
  readonly entitiesMax: number;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
};

export function noVerdicts(ruleCount: number): CountedVerdicts {
  return { chunks: new Map(), failingByRule: Array.from({ length: ruleCount }, () => 0), evaluated: 0 };
}

/** The test asked of rows of one entity type, with what it takes to decide what rows do not tell. */
export type TypeCount = {
  readonly verdicts: VerdictStore;
  readonly source: FactSource;
  readonly compiled: CompiledTest;
  readonly entityType: string;
  /** The test as a question: the deciding rules in their order, or fewer where nothing is in scope or all is unknown. */
  readonly question: RowQuestion;
  readonly now: number;
  readonly limits: EvaluationLimits;
};

/**
 * Adds the verdicts of all entities of one type to `counted`: one scan over the rows, which asks for the scope and for each
 * rule; then evaluation of those entities that rows do not decide, as far as the limits go.
 */
export async function countType(count: TypeCount, counted: CountedVerdicts): Promise<void> {
  const { scope, rules } = count.question;
  const questions = [{ scope, rules: [] }, ...rules.map((rule) => ({ scope, rules: [rule] }))];
  const last = chunkOf(await count.verdicts.largestNumber());
  const scan = await count.verdicts.prepareScan(count.entityType, questions);
  try {
    let asked = scan.chunk(0);
    for (let chunk = 0; chunk <= last; chunk += 1) {
      const answers = await asked;
      // The next one is read while this one is worked on.
      if (chunk < last) asked = ahead(scan.chunk(chunk + 1));
      const outcome = outcomeIn(counted, chunk);
      const unknown = addAnswers(answers, outcome, counted);
      await decide(count, counted, chunk, unknown);
      await excuse(count, counted, chunk);
    }
  } finally {
    await scan.close();
  }
}

/** A promise that may fail before anybody awaits it. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function outcomeIn({ chunks, failingByRule }: CountedVerdicts, chunk: number): ChunkOutcome {
  let outcome = chunks.get(chunk);
  if (outcome === undefined) {
    outcome = {
      passing: emptyChunkSet(),
      failing: emptyChunkSet(),
      exempt: emptyChunkSet(),
      undecided: emptyChunkSet(),
      notLookedAt: emptyChunkSet(),
      failingAlone: failingByRule.map(emptyChunkSet),
      evaluated: emptyChunkSet(),
    };
    chunks.set(chunk, outcome);
  }
  return outcome;
}

/** Notes what rows tell; the answer is the entities that they do not tell enough of. */
function addAnswers(
  [scope, ...rules]: readonly ChunkAnswer[],
  outcome: ChunkOutcome,
  counted: CountedVerdicts,
): ChunkSet {
  const unknown = emptyChunkSet();
  if (scope === undefined) return unknown;
  for (const answer of [scope, ...rules]) addMembers(unknown, answer.unknown);
  const failing = emptyChunkSet();
  const failingTwice = emptyChunkSet();
  const failingOf = rules.map((answer) => minus(answer.failing, unknown));
  for (const [at, set] of failingOf.entries()) {
    counted.failingByRule[at] = (counted.failingByRule[at] ?? 0) + sizeOfSet(set);
    for (let byte = 0; byte < set.length; byte += 1) {
      failingTwice[byte] = (failingTwice[byte] ?? 0) | ((failing[byte] ?? 0) & (set[byte] ?? 0));
    }
    addMembers(failing, set);
  }
  for (const [at, set] of failingOf.entries()) {
    const alone = outcome.failingAlone[at];
    if (alone !== undefined) addMembers(alone, minus(set, failingTwice));
  }
  addMembers(outcome.failing, failing);
  addMembers(outcome.passing, minus(minus(scope.passing, unknown), failing));
  return unknown;
}

async function decide(
  { verdicts, source, compiled, now, limits }: TypeCount,
  counted: CountedVerdicts,
  chunk: number,
  unknown: ChunkSet,
): Promise<void> {
  const offsets = [...offsetsIn(unknown)];
  const outcome = counted.chunks.get(chunk);
  if (offsets.length === 0 || outcome === undefined) return;
  const room = Math.max(0, limits.entitiesMax - counted.evaluated);
  const numbers = offsets.slice(0, room).map((offset) => chunk * chunkSpan + offset);
  const urns = await verdicts.urnsOf(numbers);
  const numberOf = new Map([...urns].map(([number, urn]) => [urn, number]));
  addMembers(outcome.notLookedAt, unknown);
  const inTime = (): boolean => performance.now() < limits.deadline;
  for await (const decided of decideEntities(source, compiled, [...numberOf.keys()], now, inTime)) {
    const number = numberOf.get(decided.urn);
    if (number === undefined) continue;
    counted.evaluated += 1;
    addDecided(decided, offsetOf(number), outcome, counted);
  }
}

function addDecided(
  { verdict, failingRules }: Decided,
  offset: number,
  outcome: ChunkOutcome,
  counted: CountedVerdicts,
): void {
  removeOffset(outcome.notLookedAt, offset);
  addOffset(outcome.evaluated, offset);
  if (verdict === 'PASS') addOffset(outcome.passing, offset);
  if (verdict === 'FAIL') addOffset(outcome.failing, offset);
  if (verdict === 'EXEMPT') addOffset(outcome.exempt, offset);
  if (verdict === 'ERROR') addOffset(outcome.undecided, offset);
  for (const at of failingRules) counted.failingByRule[at] = (counted.failingByRule[at] ?? 0) + 1;
  const [only, ...others] = failingRules;
  const alone = only === undefined || others.length > 0 ? undefined : outcome.failingAlone[only];
  if (alone !== undefined) addOffset(alone, offset);
}

/** Rows know no exemptions, so failing entities that may be exempt are asked of the test itself. */
async function excuse(
  { verdicts, source, compiled, now, limits }: TypeCount,
  counted: CountedVerdicts,
  chunk: number,
): Promise<void> {
  const { mayExempt } = compiled;
  const outcome = counted.chunks.get(chunk);
  if (mayExempt === undefined || outcome === undefined) return;
  const numbers = [...offsetsIn(minus(outcome.failing, outcome.evaluated))].map(
    (offset) => chunk * chunkSpan + offset,
  );
  const candidates = new Map<Urn, number>();
  for (const [number, urn] of await verdicts.urnsOf(numbers)) {
    if (!mayExempt(urn)) continue;
    candidates.set(urn, offsetOf(number));
  }
  const inTime = (): boolean => performance.now() < limits.deadline;
  for await (const { urn, verdict } of decideEntities(
    source,
    compiled,
    [...candidates.keys()],
    now,
    inTime,
  )) {
    const offset = candidates.get(urn);
    candidates.delete(urn);
    if (offset === undefined || verdict === 'FAIL') continue;
    removeOffset(outcome.failing, offset);
    addOffset(verdict === 'EXEMPT' ? outcome.exempt : outcome.undecided, offset);
  }
  for (const offset of candidates.values()) {
    removeOffset(outcome.failing, offset);
    addOffset(outcome.notLookedAt, offset);
  }
}
