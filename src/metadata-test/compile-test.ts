import type { JsonValue } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { compileCollect, compileWalk } from './compile-path.ts';
import { emptyValueSet, addValue } from './operators/value-set.ts';
import { isEmptyValue } from './emptiness.ts';
import { compileElements, enter, isEnough } from './elements.ts';
import {
  type EntityTest,
  type LoadedEntity,
  type LoadedFacts,
  type Run,
  runOn,
  spend,
  valueSteps,
} from './facts.ts';
import type { ValueTest, VerdictNote } from './facts.ts';
import { operatorOf } from './operators.ts';
import { type ForEach, type Leaf, type Predicate, predicatesOf, type Quantifier } from './predicate.ts';
import { rootLeavesOf, type TestDefinition } from './predicate.ts';
import { mergesSiblings } from './read-keys.ts';
import { type ReadSet, readSetOf } from './read-set.ts';
import { subjectOf, withSiblings } from './siblings.ts';

/** What a test says about an entity: NONE is out of scope, EXEMPT fails but is excused; ERROR is that it cannot be said (3.2). */
export type Verdict = 'PASS' | 'FAIL' | 'NONE' | 'EXEMPT' | 'ERROR';

export type Evaluation = {
  readonly verdict: Verdict;
  readonly notes: ReadonlySet<VerdictNote>;
  /** Of ERROR: why, for people. */
  readonly reason?: string;
  /** When the same facts may first give another verdict, in milliseconds; absent when time alone changes nothing. */
  readonly wakeAt?: number;
  /** Of EXEMPT: id of an exemption that excuses it. */
  readonly exemption?: string;
};

/** A test as nested functions. Compile once, keep, evaluate often; it holds no state between evaluations. */
export type CompiledTest = {
  readonly definition: TestDefinition;
  /** What has to be loaded before `evaluate`. */
  readonly readSet: ReadSet;
  /** Decides from loaded facts and the given time alone: the same ones always give the same verdict. */
  readonly evaluate: (entity: LoadedEntity, facts: LoadedFacts, now: number) => Evaluation;
  /** Whether failing may be EXEMPT for the entity, so that `evaluate` has to be asked; absent: for none. */
  readonly mayExempt?: (urn: string) => boolean;
};

/** Steps per evaluation: a step is about a nanosecond, and what is worst takes less than 30 ms (evaluation-budget.test.ts). */
export const evaluationBudget = 25_000_000;

/** Compiles the typed tree into closures; no text of a definition is ever run as code. */
export function compileTest(definition: TestDefinition): CompiledTest {
  const types = new Set(definition.types);
  const conditions = compilePredicate(definition.conditions);
  const rules = definition.rules
    .filter((rule) => rule.severity === 'error')
    .map((rule) => compilePredicate(rule.predicate));
  const selectsRemoved = mentionsRemoved(definition.conditions);
  const decide = (entity: LoadedEntity, run: Run): Verdict => {
    // S15, S17: type, soft deletion, conditions, and only then the rules.
    if (!types.has(entity.type) || (entity.removed && !selectsRemoved)) return 'NONE';
    if (!conditions(entity, run)) return 'NONE';
    return rules.every((rule) => rule(entity, run)) ? 'PASS' : 'FAIL';
  };
  return {
    definition,
    readSet: readSetOfTest(definition),
    evaluate: (entity, facts, now) => {
      let run = runOn(entity, facts, now, evaluationBudget);
      try {
        const subject = subjectOf(definition, entity, facts, run);
        if (subject !== entity) run = runOn(subject, facts, now, run.budget);
        const verdict = decide(subject, run);
        return { verdict, notes: run.notes, ...(run.wakeAt === Infinity ? {} : { wakeAt: run.wakeAt }) };
      } catch (error) {
        if (!(error instanceof PostilError)) throw error;
        run.notes.add('BUDGET');
        return { verdict: 'ERROR', notes: run.notes, reason: error.message };
      }
    },
  };
}

function readSetOfTest(definition: TestDefinition): ReadSet {
  const readSet = readSetOf(predicatesOf(definition));
  return mergesSiblings(definition) ? withSiblings(readSet) : readSet;
}

/** The predicate as a function of an entity and of what its evaluation keeps. */
export function compilePredicate(predicate: Predicate): EntityTest {
  switch (predicate.kind) {
    case 'And': {
      const operands = predicate.operands.map(compilePredicate);
      return (entity, run) => operands.every((operand) => operand(entity, run));
    }
    case 'Or': {
      const operands = predicate.operands.map(compilePredicate);
      return (entity, run) => operands.some((operand) => operand(entity, run));
    }
    case 'None': {
      const operands = predicate.operands.map(compilePredicate);
      return (entity, run) => !operands.some((operand) => operand(entity, run));
    }
    case 'Leaf':
      return predicate.path.steps[0]?.kind === 'Root'
        ? onceInRun(compileLeaf(predicate))
        : compileLeaf(predicate);
    case 'ForEach':
      return compileForEach(predicate);
  }
}

function compileForEach(node: ForEach): EntityTest {
  const elementsOf = compileElements(node);
  const isSelected = node.where === undefined ? undefined : compilePredicate(node.where);
  const satisfies = compilePredicate(node.satisfies);
  const { quantifier } = node;
  return (entity, run) => {
    const around = run.element;
    let selected = 0;
    let satisfied = 0;
    for (const element of elementsOf(entity, run)) {
      const subject = enter(node, element, entity, run);
      if (isSelected?.(subject, run) === false) continue;
      selected += 1;
      if (satisfies(subject, run)) satisfied += 1;
      if (isSettled(quantifier.kind, selected, satisfied)) break;
    }
    run.element = around;
    if (selected > 0) return isEnough(quantifier, selected, satisfied);
    run.notes.add('EMPTY_COLLECTION');
    return node.onEmpty === 'pass';
  };
}

/** What is asked of the entity under test is the same for every element, so it is asked once. */
function onceInRun(test: EntityTest): EntityTest {
  const known = new WeakMap<Run, boolean>();
  return (entity, run) => {
    let outcome = known.get(run);
    if (outcome === undefined) {
      outcome = test(entity, run);
      known.set(run, outcome);
    }
    return outcome;
  };
}

/** Whether no further element can change the outcome. */
function isSettled(kind: Quantifier['kind'], selected: number, satisfied: number): boolean {
  if (kind === 'all') return satisfied < selected;
  return kind !== 'atLeast' && satisfied > 0;
}

function compileLeaf(leaf: Leaf): EntityTest {
  const operator = operatorOf(leaf.operator);
  if (operator === undefined) throw new TypeError(`No operator ${leaf.operator} is registered.`);
  const { steps } = leaf.path;
  if (operator.quantifier === 'set') {
    const holds = operator.compile(leaf.operands, leaf.path);
    const valuesOf = compileCollect(steps);
    return (entity, run) => {
      const values = emptyValueSet();
      for (const value of valuesOf(entity, run)) {
        spend(run, valueSteps(value) + entriesIn(value) * entrySteps);
        if (!isEmptyValue(value))
          spend(run, distinctSteps + characterSteps * addValue(values, value, leaf.path));
      }
      return holds(values, run);
    };
  }
  const test = operator.compile(leaf.operands, leaf.path);
  const satisfies: ValueTest = (value, run) => {
    spend(run, valueSteps(value));
    return !isEmptyValue(value) && test(value, run);
  };
  const some = compileWalk(steps, satisfies, operator.readsDefault);
  if (operator.quantifier === 'any') return some;
  if (operator.quantifier === 'none') return (entity, run) => !some(entity, run);
  const isThere = compileWalk(steps, (value) => !isEmptyValue(value), false);
  const violates = compileWalk(
    steps,
    (value, run) => {
      spend(run, valueSteps(value));
      return !isEmptyValue(value) && !test(value, run);
    },
    false,
  );
  return (entity, run) => isThere(entity, run) && !violates(entity, run);
}

/** What putting a value among those that are known costs; a record is written for it, entry by entry. */
const distinctSteps = 80;
const characterSteps = 20;
const entrySteps = 400;

function entriesIn(value: JsonValue): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** Whether conditions ask about soft deletion themselves, so that soft-deleted entities are in scope (S15). */
export function mentionsRemoved(conditions: Predicate): boolean {
  return [...rootLeavesOf(conditions)].some((leaf) => leaf.path.text.endsWith('status.removed'));
}
