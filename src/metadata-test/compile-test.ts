import { PostilError } from '../errors/postil-error.ts';
import { compileWalk } from './compile-path.ts';
import { isEmptyValue } from './emptiness.ts';
import type { EntityTest, LoadedEntity, LoadedFacts, Run, ValueTest, VerdictNote } from './facts.ts';
import { operatorOf } from './operators.ts';
import { type Leaf, leavesOf, type Predicate, type TestDefinition } from './predicate.ts';
import { type ReadSet, readSetOf } from './read-set.ts';

/** What a test says about an entity: NONE is out of scope; ERROR is that it cannot be said (3.2). */
export type Verdict = 'PASS' | 'FAIL' | 'NONE' | 'ERROR';

export type Evaluation = {
  readonly verdict: Verdict;
  readonly notes: ReadonlySet<VerdictNote>;
  /** Of ERROR: why, for people. */
  readonly reason?: string;
};

/** A test as nested functions. Compile once, keep, evaluate often; it holds no state between evaluations. */
export type CompiledTest = {
  readonly definition: TestDefinition;
  /** What has to be loaded before `evaluate`. */
  readonly readSet: ReadSet;
  /** Decides from loaded facts alone: the same facts always give the same verdict. */
  readonly evaluate: (entity: LoadedEntity, facts: LoadedFacts) => Evaluation;
};

/** Steps of pattern matching per evaluation: about 50 ms on an ordinary machine. */
const matchingBudget = 50_000_000;

/** Compiles the typed tree into closures; no text of a definition is ever run as code. */
export function compileTest(definition: TestDefinition): CompiledTest {
  const types = new Set(definition.types);
  const conditions = compilePredicate(definition.conditions);
  const rules = compilePredicate(definition.rules);
  const selectsRemoved = mentionsRemoved(definition.conditions);
  const decide = (entity: LoadedEntity, run: Run): Verdict => {
    // S15, S17: type, soft deletion, conditions, and only then the rules.
    if (!types.has(entity.type) || (entity.removed && !selectsRemoved)) return 'NONE';
    if (!conditions(entity, run)) return 'NONE';
    return rules(entity, run) ? 'PASS' : 'FAIL';
  };
  return {
    definition,
    readSet: readSetOf([...leavesOf(definition.conditions), ...leavesOf(definition.rules)]),
    evaluate: (entity, facts) => {
      const run: Run = { facts, notes: new Set(), budget: matchingBudget };
      try {
        return { verdict: decide(entity, run), notes: run.notes };
      } catch (error) {
        if (!(error instanceof PostilError)) throw error;
        run.notes.add('BUDGET');
        return { verdict: 'ERROR', notes: run.notes, reason: error.message };
      }
    },
  };
}

function compilePredicate(predicate: Predicate): EntityTest {
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
      return compileLeaf(predicate);
  }
}

function compileLeaf(leaf: Leaf): EntityTest {
  const operator = operatorOf(leaf.operator);
  if (operator === undefined) throw new TypeError(`No operator ${leaf.operator} is registered.`);
  const test = operator.compile(leaf.operands, leaf.path);
  const { steps } = leaf.path;
  if (operator.quantifier === 'any') {
    const satisfies: ValueTest = (value, run) => !isEmptyValue(value) && test(value, run);
    return compileWalk(steps, satisfies, operator.readsDefault);
  }
  const isThere = compileWalk(steps, () => true, false);
  const violates = compileWalk(steps, (value, run) => !test(value, run), false);
  return (entity, run) => isThere(entity, run) && !violates(entity, run);
}

function mentionsRemoved(conditions: Predicate): boolean {
  return [...leavesOf(conditions)].some((leaf) => leaf.path.text === 'status.removed');
}
