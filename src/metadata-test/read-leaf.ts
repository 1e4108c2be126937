import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { type Findings, note, pointerTo, report } from './issue.ts';
import { operatorOf, operators } from './operators.ts';
import type { Operator } from './operators/operator.ts';
import { regexMatch } from './operators/regex-match.ts';
import type { Leaf, Operand, Path } from './predicate.ts';
import { expandParameters } from './parameters.ts';
import { resolvePath } from './property-path.ts';
import { maxLeaves, maxOperands, maxPathLength, maxPatterns, type ReadingState } from './reading-state.ts';

const aliases: { readonly [spelling: string]: string | undefined } = {
  any_equals: 'equals',
  in: 'equals',
  matches: 'regex_match',
};

/** Spellings that are read as an operator; `contains` depends on the property. */
export const operatorAliases: readonly string[] = [...Object.keys(aliases), 'contains'];

/** Reads a leaf of any dialect: the property, the operator, its operands. */
export function readLeaf(value: JsonObject, pointer: string, state: ReadingState): Leaf | undefined {
  const { findings } = state;
  state.leaves += 1;
  if (state.leaves > maxLeaves) {
    if (state.leaves === maxLeaves + 1) {
      report(findings, 'MT140', pointer, `A definition has at most ${maxLeaves} conditions and rules.`);
    }
    return undefined;
  }
  if (
    saysTwice(value, propertyKeys, pointer, findings) ||
    saysTwice(value, operatorKeys, pointer, findings)
  ) {
    return undefined;
  }
  const path = readProperty(value, pointer, state);
  const operator = readOperator(value, path, pointer, findings);
  if (operator === undefined) return undefined;
  const written = readValues(value, pointer, state);
  if (written === undefined || !hasRightCount(operator, written, pointer, findings) || path === undefined) {
    return undefined;
  }
  if (!operator.valueTypes.has(path.valueType)) {
    const message = `'${operator.id}' is not defined for '${path.text}', which is a ${path.valueType}.`;
    report(findings, 'MT120', pointerTo(pointer, keyOf(value, operatorKeys) ?? 'operator'), message);
    return undefined;
  }
  if (operator === regexMatch && !mayAddPatterns(written.values.length, pointer, state)) return undefined;
  const operands = readOperands(operator, written, path, findings);
  return { kind: 'Leaf', path, operator: operator.id, operands, pointer };
}

const propertyKeys = ['property', 'query'] as const;
const operatorKeys = ['operator', 'operation', 'condition'] as const;

function keyOf(value: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(value, name));
}

/** Two dialects in one leaf are fine as long as they agree. */
function saysTwice(
  value: JsonObject,
  names: readonly string[],
  pointer: string,
  findings: Findings,
): boolean {
  const present = names.filter((name) => Object.hasOwn(value, name));
  const [first = ''] = present;
  const other = present.find((name) => value[name] !== value[first]);
  if (other === undefined) return false;
  report(
    findings,
    'MT110',
    pointerTo(pointer, other),
    `'${first}' and '${other}' mean the same and say different things.`,
  );
  return true;
}

function readProperty(value: JsonObject, pointer: string, state: ReadingState): Path | undefined {
  const { findings } = state;
  const key = keyOf(value, propertyKeys);
  const property = key === undefined ? undefined : value[key];
  if (key === undefined || typeof property !== 'string' || property === '') {
    report(findings, 'MT101', pointer, 'property or query is a required field and must be a string.');
    return undefined;
  }
  if (property.length > maxPathLength) {
    report(findings, 'MT140', pointerTo(pointer, key), `A property has at most ${maxPathLength} characters.`);
    return undefined;
  }
  if (key !== 'property') note(findings, 'N3', pointerTo(pointer, key), `'${key}' means 'property'.`);
  return resolvePath(property, findings, pointerTo(pointer, key), state.start);
}

function readOperator(
  value: JsonObject,
  path: Path | undefined,
  pointer: string,
  findings: Findings,
): Operator | undefined {
  const key = keyOf(value, operatorKeys);
  const written = key === undefined ? undefined : value[key];
  if (key === undefined || typeof written !== 'string' || written === '') {
    report(findings, 'MT102', pointer, 'operator (or operation) is a required field and must be a string.');
    return undefined;
  }
  const at = pointerTo(pointer, key);
  if (key !== 'operator') note(findings, 'N3', at, `'${key}' means 'operator'.`);
  const id = canonicalOperator(written.toLowerCase(), path);
  const operator = operatorOf(id);
  if (operator === undefined) {
    refuseOperator(written, findings, at);
    return undefined;
  }
  if (operator.isExtension === true) findings.extensions.add(at);
  if (id !== written) note(findings, 'N5', at, `'${written}' means '${id}'.`);
  return operator;
}

function canonicalOperator(spelling: string, path: Path | undefined): string {
  // N5: a list contains an item, a text contains a part.
  if (spelling === 'contains') return path?.isList === true ? 'contains_any' : 'contains_str';
  return (Object.hasOwn(aliases, spelling) ? aliases[spelling] : undefined) ?? spelling;
}

function refuseOperator(written: string, findings: Findings, pointer: string): void {
  const ids = operators.map((operator) => operator.id);
  report(findings, 'MT103', pointer, `Unsupported operation '${written}'.`, nearestName(written, ids));
}

type WrittenValues = {
  readonly values: readonly string[];
  readonly pointers: readonly string[];
  readonly at: string;
};

/** N4, N10: the operands as texts, from whichever key the dialect puts them under. */
function readValues(value: JsonObject, pointer: string, state: ReadingState): WrittenValues | undefined {
  const { findings } = state;
  let holder = value;
  let holderPointer = pointer;
  let key = keyOf(value, ['values', 'value']);
  const params = value['params'];
  if (key === undefined && isJsonObject(params)) {
    holder = params;
    holderPointer = pointerTo(pointer, 'params');
    key = keyOf(params, ['values', 'value']);
  }
  if (key === undefined) return { values: [], pointers: [], at: pointer };
  const at = pointerTo(holderPointer, key);
  const written = holder[key];
  if (key !== 'values' || holder !== value) note(findings, 'N4', at, "The values belong under 'values'.");
  if (written === null) return { values: [], pointers: [], at };
  const items: readonly JsonValue[] = Array.isArray(written)
    ? written
    : written === undefined
      ? []
      : [written];
  if (items.length > maxOperands) {
    report(findings, 'MT140', at, `A predicate has at most ${maxOperands} values, not ${items.length}.`);
    return undefined;
  }
  const values: string[] = [];
  const pointers: string[] = [];
  for (const [index, item] of items.entries()) {
    const itemPointer = Array.isArray(written) ? pointerTo(at, index) : at;
    const texts = readValue(item, itemPointer, state);
    if (texts === undefined) return undefined;
    for (const text of texts) {
      values.push(text);
      pointers.push(itemPointer);
    }
  }
  if (values.length <= maxOperands) return { values, pointers, at };
  report(findings, 'MT140', at, `A predicate has at most ${maxOperands} values, not ${values.length}.`);
  return undefined;
}

/** One written value as texts: several where it is a parameter that holds a list. */
function readValue(item: JsonValue, pointer: string, state: ReadingState): readonly string[] | undefined {
  if (typeof item === 'string') return expandParameters(item, pointer, state);
  if (typeof item === 'number' || typeof item === 'boolean') {
    note(state.findings, 'N10', pointer, 'Values are written as strings.');
    return [String(item)];
  }
  report(state.findings, 'MT104', pointer, 'A value is a string, a number, true or false.');
  return undefined;
}

function hasRightCount(
  operator: Operator,
  written: WrittenValues,
  pointer: string,
  findings: Findings,
): boolean {
  const count = written.values.length;
  if (operator.takes === 'none') {
    if (count === 0) return true;
    report(findings, 'MT105', written.at, `'${operator.id}' takes no values.`);
    return false;
  }
  if (count === 0) {
    report(findings, 'MT104', pointer, `'${operator.id}' needs values.`);
    return false;
  }
  const most = operator.takes === 'one' ? 1 : operator.takes === 'two' ? 2 : Infinity;
  if (count > most) {
    report(
      findings,
      'MT105',
      written.at,
      `'${operator.id}' takes ${most === 1 ? 'one value' : 'two values'}, not ${count}.`,
    );
    return false;
  }
  if (operator.takes === 'two' && count < 2) {
    report(findings, 'MT104', written.at, `'${operator.id}' needs two values.`);
    return false;
  }
  return true;
}

function mayAddPatterns(count: number, pointer: string, state: ReadingState): boolean {
  state.patterns += count;
  if (state.patterns <= maxPatterns) return true;
  report(state.findings, 'MT140', pointer, `A definition has at most ${maxPatterns} regular expressions.`);
  return false;
}

function readOperands(
  operator: Operator,
  written: WrittenValues,
  path: Path,
  findings: Findings,
): readonly Operand[] {
  const operands: Operand[] = [];
  for (const [index, text] of written.values.entries()) {
    const parsed = operator.parseOperand(text, path);
    const finding = 'problem' in parsed ? parsed.problem : parsed.warning;
    if (finding !== undefined) {
      report(
        findings,
        finding.code,
        written.pointers[index] ?? written.at,
        finding.message,
        finding.suggestion,
      );
    }
    if ('operand' in parsed) operands.push(parsed.operand);
  }
  return operands;
}
