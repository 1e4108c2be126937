import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { type Findings, note, pointerTo, renamed, report } from './issue.ts';
import type { And, None, Or, Predicate } from './predicate.ts';
import { readForEach } from './read-for-each.ts';
import { readLeaf } from './read-leaf.ts';
import { maxLeaves, maxNesting, type ReadingState } from './reading-state.ts';

const compositions: readonly string[] = ['and', 'or', 'not'];
const nodeKeys: readonly string[] = [...compositions, 'forEach'];

/**
 * Reads a predicate of any dialect into the typed tree. What cannot be read is reported at its pointer and left out, so
 * that one reading finds everything; the tree is only good when no error was reported.
 */
export function readPredicate(
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
  depth = 1,
): Predicate | undefined {
  if (depth > maxNesting) {
    if (depth === maxNesting + 1) {
      report(state.findings, 'MT140', pointer, `Predicates nest deeper than ${maxNesting} levels.`);
    }
    return undefined;
  }
  if (Array.isArray(value)) {
    note(state.findings, 'N6', pointer, 'A list of predicates means and.');
    return single({ kind: 'And', operands: readOperands(value, pointer, state, depth), pointer });
  }
  if (!isJsonObject(value)) {
    report(state.findings, 'MT110', pointer, `A predicate is an object or a list, not ${nameOf(value)}.`);
    return undefined;
  }
  const negate = value['negate'];
  if (negate !== undefined && typeof negate !== 'boolean') {
    report(state.findings, 'MT110', pointerTo(pointer, 'negate'), "'negate' is either true or false.");
  }
  const predicate = readNode(value, pointer, state, depth);
  if (negate !== true || predicate === undefined) return predicate;
  note(state.findings, 'N8', pointerTo(pointer, 'negate'), "'negate' means not.");
  return { kind: 'None', operands: [predicate], pointer };
}

function readNode(
  value: JsonObject,
  pointer: string,
  state: ReadingState,
  depth: number,
): Predicate | undefined {
  refuseSeverity(value, pointer, depth, state.findings);
  if (Object.hasOwn(value, 'cel')) {
    const message = "'cel' belongs to the extended language, which this version does not evaluate.";
    report(state.findings, 'MT110', pointerTo(pointer, 'cel'), message);
    return undefined;
  }
  const present = nodeKeys.filter((name) => Object.hasOwn(value, name));
  const isLeaf = ['property', 'query', 'operator', 'operation', 'condition'].some((name) =>
    Object.hasOwn(value, name),
  );
  const operands = value['operands'];
  if (present.length === 0 && Array.isArray(operands))
    return readDraft(value, operands, pointer, state, depth);
  if (present.length > 1 || (present.length === 1 && isLeaf)) {
    report(
      state.findings,
      'MT110',
      pointer,
      `One predicate has to be either a leaf or one of ${nodeKeys.join(', ')}.`,
    );
    return undefined;
  }
  const [composition] = present;
  if (composition === undefined && !isLeaf) {
    const [key = ''] = Object.keys(value);
    const message = "A predicate has a 'property' and an 'operator', or it is one of and, or, not, forEach.";
    report(state.findings, 'MT110', pointer, message, renamed(pointer, key, nearestName(key, nodeKeys)));
    return undefined;
  }
  if (composition === undefined) return readLeaf(value, pointer, state);
  if (composition === 'forEach') {
    return readForEach(value, pointer, state, (part, at) => readPredicate(part, at, state, depth + 1));
  }
  return compose(composition, value[composition], pointerTo(pointer, composition), pointer, state, depth);
}

/** Drafts of DataHub's builder: `{"operator": "and", "operands": [...]}`. */
function readDraft(
  value: JsonObject,
  operands: JsonValue,
  pointer: string,
  state: ReadingState,
  depth: number,
): Predicate | undefined {
  const operator = value['operator'];
  const composition = typeof operator === 'string' ? operator.toLowerCase() : '';
  if (!compositions.includes(composition)) {
    const message = `'operands' needs 'operator' to be one of ${compositions.join(', ')}.`;
    report(state.findings, 'MT110', pointerTo(pointer, 'operator'), message);
    return undefined;
  }
  return compose(composition, operands, pointerTo(pointer, 'operands'), pointer, state, depth);
}

function compose(
  composition: string,
  value: JsonValue | undefined,
  listPointer: string,
  pointer: string,
  state: ReadingState,
  depth: number,
): Predicate | undefined {
  let operands: readonly Predicate[];
  if (Array.isArray(value)) {
    operands = readOperands(value, listPointer, state, depth);
    warnOfList(composition, value.length, listPointer, state.findings);
  } else {
    if (isJsonObject(value)) {
      note(state.findings, 'N7', listPointer, `One predicate under '${composition}' is a list of one.`);
    }
    const operand = readPredicate(value, listPointer, state, depth + 1);
    if (operand === undefined) return undefined;
    operands = [operand];
  }
  if (composition === 'and') return single({ kind: 'And', operands, pointer });
  if (composition === 'or') return single({ kind: 'Or', operands, pointer });
  return { kind: 'None', operands, pointer } satisfies None;
}

function readOperands(
  values: readonly JsonValue[],
  pointer: string,
  state: ReadingState,
  depth: number,
): readonly Predicate[] {
  const operands: Predicate[] = [];
  for (const [index, item] of values.entries()) {
    // Everything beyond the limit would be the same complaint again.
    if (state.leaves > maxLeaves) break;
    const operand = readPredicate(item, pointerTo(pointer, index), state, depth + 1);
    if (operand !== undefined) operands.push(operand);
  }
  return operands;
}

/** `and` and `or` of one predicate are that predicate, so that dialects that wrap differently mean the same tree. */
function single(node: And | Or): Predicate {
  const [only, ...others] = node.operands;
  return only !== undefined && others.length === 0 ? only : node;
}

function warnOfList(composition: string, length: number, pointer: string, findings: Findings): void {
  if (composition === 'not' && length > 1) {
    const message =
      "'not' over several predicates is true only if none of them holds; put them under 'and' to negate the whole.";
    report(findings, 'MT201', pointer, message);
  }
  if (composition !== 'and' && length === 0) {
    report(findings, 'MT202', pointer, `'${composition}' of nothing is always ${composition === 'not'}.`);
  }
}

/** Only whole rules have a severity, and those read it before; on a part of one it would be read over. */
function refuseSeverity(value: JsonObject, pointer: string, depth: number, findings: Findings): void {
  const severity = value['severity'];
  if (severity === undefined || severity === 'error' || depth === 0) return;
  report(findings, 'MT007', pointerTo(pointer, 'severity'), 'Only a whole rule can have a severity.');
}

function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  return value === null ? 'null' : `a ${typeof value}`;
}
