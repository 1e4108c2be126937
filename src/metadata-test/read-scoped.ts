import type { JsonValue } from '../aspect/json.ts';
import { report } from './issue.ts';
import type { Parameters } from './parameters.ts';
import { leavesOf, type Predicate } from './predicate.ts';
import { readPredicate } from './read-predicate.ts';
import { maxLeaves, maxScopedCases, type ReadingState, type ScopedValue } from './reading-state.ts';

/** Written out, the predicate of a binding stands below `or`, `and` and `not` of a rule. */
const bindingDepth = 5;

/** Reads the predicates of bindings; they may use constants, but no parameter that has bindings itself. */
export function readScopedValues(
  parameters: Parameters,
  state: ReadingState,
): ReadonlyMap<string, readonly ScopedValue[]> {
  const scoped = new Map<string, readonly ScopedValue[]>();
  for (const name of parameters.bound.keys()) scoped.set(name, []);
  // So that a predicate which uses one of them is told why it cannot.
  state.bound = scoped;
  const { leaves } = state;
  for (const [name, { fallback, bindings }] of parameters.bound) {
    const values: ScopedValue[] = [];
    for (const { when, texts, pointer } of bindings) {
      const predicate = readPredicate(when, pointer, state, bindingDepth);
      if (predicate !== undefined) values.push({ when: predicate, texts });
    }
    scoped.set(name, [...values, { when: undefined, texts: fallback }]);
  }
  // They count where they are used.
  state.leaves = leaves;
  return scoped;
}

/** One way in which the scopes of an entity can be: what holds then, and the values that the parameters have. */
type Case = {
  readonly demands: readonly Predicate[];
  readonly values: readonly (readonly [name: string, texts: readonly string[]])[];
};

/**
 * Reads a condition or a rule, which may use parameters with bindings: then it is, for one of the cases, what selects the case and
 * the predicate with the values of that case. The cases exclude each other.
 */
export function readScoped(
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
  depth?: number,
): Predicate | undefined {
  const names = [...state.bound.keys()].filter((name) => uses(value, name));
  const [first, ...others] = names;
  if (first === undefined) return readPredicate(value, pointer, state, depth);
  let cases = casesOf(first, state, pointer);
  for (const name of others) {
    if (cases.length > maxScopedCases) break;
    const more = casesOf(name, state, pointer);
    cases = cases.flatMap((one) =>
      more.map((other) => ({
        demands: [...one.demands, ...other.demands],
        values: [...one.values, ...other.values],
      })),
    );
  }
  if (cases.length > maxScopedCases) {
    const message = `A condition or rule depends on at most ${maxScopedCases} combinations of bindings.`;
    report(state.findings, 'MT140', pointer, message);
    return undefined;
  }
  const operands = cases.map((one) => readCase(one, value, pointer, state, depth ?? 1));
  const known = operands.filter((operand) => operand !== undefined);
  const [only, ...more] = known;
  if (only === undefined || known.length < operands.length) return undefined;
  return more.length === 0 ? only : { kind: 'Or', operands: known, pointer };
}

function casesOf(name: string, state: ReadingState, pointer: string): readonly Case[] {
  const earlier: Predicate[] = [];
  return (state.bound.get(name) ?? []).map(({ when, texts }) => {
    const excluded: readonly Predicate[] =
      earlier.length === 0 ? [] : [{ kind: 'None', operands: [...earlier], pointer }];
    if (when !== undefined) earlier.push(when);
    return { demands: when === undefined ? excluded : [...excluded, when], values: [[name, texts]] };
  });
}

function readCase(
  { demands, values }: Case,
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
  depth: number,
): Predicate | undefined {
  const { parameters } = state;
  state.parameters = new Map([...(parameters ?? []), ...values]);
  // Written out, the predicate stands below `or` and `and`.
  const predicate = readPredicate(value, pointer, state, depth + 2);
  state.parameters = parameters;
  const before = state.leaves;
  for (const demand of demands) state.leaves += [...leavesOf(demand)].length;
  if (state.leaves > maxLeaves && before <= maxLeaves) {
    const message = `A definition has at most ${maxLeaves} conditions and rules, written out for every binding.`;
    report(state.findings, 'MT140', pointer, message);
  }
  if (predicate === undefined) return undefined;
  return demands.length === 0 ? predicate : { kind: 'And', operands: [...demands, predicate], pointer };
}

/** Whether a text anywhere in the value asks for the parameter. */
function uses(value: JsonValue | undefined, name: string): boolean {
  if (typeof value === 'string') return value.includes(`\${${name}}`);
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => uses(member, name));
}
