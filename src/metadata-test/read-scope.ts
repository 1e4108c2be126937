import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../aspect/json.ts';
import { type Findings, note, pointerTo, report } from './issue.ts';
import type { Predicate } from './predicate.ts';
import { entityTypeNamed, isTestable, nearestTestableType } from './property-catalogue.ts';
import type { ReadingState } from './reading-state.ts';
import { readScoped } from './read-scoped.ts';

export type Scope = { readonly types: readonly string[]; readonly conditions: Predicate };

/** Reads `on` of any dialect: the entity types and the conditions. */
export function readScope(
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
): Scope | undefined {
  const { findings } = state;
  if (!isJsonObject(value)) {
    const message =
      'A test definition must have a on clause and a rules clause: on says which entities are tested.';
    report(findings, 'MT001', pointer, message);
    return undefined;
  }
  if (Object.hasOwn(value, 'types')) return readTypes(value, pointer, state);
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => entityTypeNamed(key) !== undefined)) {
    return readTypeKeys(value, keys, pointer, state);
  }
  const message = 'The targeting rule must contain field types with a list of types to target.';
  report(findings, 'MT002', pointer, message);
  return undefined;
}

function readTypes(value: JsonObject, pointer: string, state: ReadingState): Scope | undefined {
  const at = pointerTo(pointer, 'types');
  const written = value['types'];
  const items: readonly JsonValue[] = Array.isArray(written) ? written : [written ?? null];
  const types = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'string') {
      const message = 'The targeting rule must contain field types with a list of types to target.';
      report(state.findings, 'MT002', at, message);
      return undefined;
    }
    const itemPointer = Array.isArray(written) ? pointerTo(at, index) : at;
    const type = readType(item, itemPointer, state.findings);
    if (type !== undefined) types.add(type);
  }
  if (items.length === 0)
    report(state.findings, 'MT202', at, 'No entity type is listed, so nothing is in scope.');
  const conditions = readConditions(value, pointer, state);
  return conditions === undefined ? undefined : { types: [...types], conditions };
}

function readConditions(value: JsonObject, pointer: string, state: ReadingState): Predicate | undefined {
  if (Object.hasOwn(value, 'match') && Object.hasOwn(value, 'conditions')) {
    const message = "'match' and 'conditions' mean the same; keep one of them.";
    report(state.findings, 'MT005', pointerTo(pointer, 'match'), message);
    return undefined;
  }
  const key = Object.hasOwn(value, 'match') ? 'match' : 'conditions';
  const at = pointerTo(pointer, key);
  const written = value[key];
  if (written === undefined || written === null) return { kind: 'And', operands: [], pointer: at };
  if (key === 'match') note(state.findings, 'N2', at, "'match' means 'conditions'.");
  return readScoped(written, at, state);
}

/** N1, dialect A: entity types are the keys; they must all carry the same conditions. */
function readTypeKeys(
  value: JsonObject,
  keys: readonly string[],
  pointer: string,
  state: ReadingState,
): Scope | undefined {
  const [first = ''] = keys;
  const unlike = keys.find((key) => !jsonEqual(value[key], value[first]));
  if (unlike !== undefined) {
    const message = `'${first}' and '${unlike}' have different conditions, which takes one test for each.`;
    report(state.findings, 'MT003', pointerTo(pointer, unlike), message);
    return undefined;
  }
  note(state.findings, 'N1', pointer, "Entity types as keys mean 'types', what is under them 'conditions'.");
  const types = keys.map((key) => readType(key, pointerTo(pointer, key), state.findings));
  const conditions = readScoped(value[first] ?? [], pointerTo(pointer, first), state);
  if (conditions === undefined) return undefined;
  return { types: [...new Set(types.filter((type) => type !== undefined))], conditions };
}

function readType(written: string, pointer: string, findings: Findings): string | undefined {
  const type = entityTypeNamed(written);
  if (type !== undefined && isTestable(type)) {
    if (type !== written) note(findings, 'N12', pointer, `'${written}' means '${type}'.`);
    return type;
  }
  const message =
    type === undefined ? `Unknown entity type '${written}'.` : `Entities of type '${type}' cannot be tested.`;
  report(findings, 'MT006', pointer, message, type === undefined ? nearestTestableType(written) : undefined);
  return undefined;
}
