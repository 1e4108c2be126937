import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import { type ActionKind, actionKindOf, actionKinds, appliesTo } from './actions.ts';
import { type Findings, note, pointerTo, renamed, report } from './issue.ts';
import { expandParameters } from './parameters.ts';
import type { Action, TestDefinition } from './predicate.ts';
import type { ReadingState } from './reading-state.ts';

/** Parameters that say how something is added rather than what. */
const modifiers: ReadonlySet<string> = new Set(['ownershipType', 'ownershipTypeUrn', 'ownerType']);

/** Reads `actions`; absent is none (N11). */
export function readActions(
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
  types: readonly string[],
): TestDefinition['actions'] {
  const { findings } = state;
  if (value === undefined || value === null) return { passing: [], failing: [] };
  if (!isJsonObject(value)) {
    report(findings, 'MT130', pointer, "'actions' is an object with the lists 'passing' and 'failing'.");
    return { passing: [], failing: [] };
  }
  for (const name of Object.keys(value)) {
    if (name === 'passing' || name === 'failing') continue;
    const message = `Actions are for 'passing' or 'failing', not '${name}'.`;
    const nearest = nearestName(name, ['passing', 'failing']);
    report(findings, 'MT130', pointerTo(pointer, name), message, renamed(pointer, name, nearest));
  }
  return {
    passing: readList(value['passing'], pointerTo(pointer, 'passing'), state, types),
    failing: readList(value['failing'], pointerTo(pointer, 'failing'), state, types),
  };
}

function readList(
  value: JsonValue | undefined,
  pointer: string,
  state: ReadingState,
  types: readonly string[],
): readonly Action[] {
  if (value === undefined || value === null) return [];
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return items
    .map((item, index) =>
      readAction(item, Array.isArray(value) ? pointerTo(pointer, index) : pointer, state, types),
    )
    .filter((action) => action !== undefined);
}

function readAction(
  value: JsonValue,
  pointer: string,
  state: ReadingState,
  types: readonly string[],
): Action | undefined {
  const { findings } = state;
  const type = isJsonObject(value) ? value['type'] : undefined;
  if (!isJsonObject(value) || typeof type !== 'string') {
    report(findings, 'MT130', pointer, "An action is an object with the member 'type'.");
    return undefined;
  }
  const id = type.toLowerCase();
  const kind = actionKindOf(id);
  if (kind === undefined) {
    const suggestion = nearestName(id, Object.keys(actionKinds));
    report(findings, 'MT130', pointerTo(pointer, 'type'), `Unknown action '${type}'.`, suggestion);
    return undefined;
  }
  const unfit = types.filter((name) => !appliesTo(kind, name));
  if (unfit.length > 0) {
    const message = `'${id}' cannot be done to entities of type ${unfit.join(', ')}.`;
    report(findings, 'MT133', pointerTo(pointer, 'type'), message);
  }
  const parts = readParts(value, kind, pointer, findings);
  if (parts === undefined) return undefined;
  const values = parts.values.flatMap((text, index) =>
    expandParameters(text, pointerTo(pointerTo(pointer, 'values'), index), state),
  );
  checkValues(id, kind, values, pointer, findings);
  return { type: id, ...parts, values };
}

/** N13: values from `values`, from `params`, or from the one named parameter that is the list. */
function readParts(
  value: JsonObject,
  kind: ActionKind,
  pointer: string,
  findings: Findings,
): Pick<Action, 'values' | 'params'> | undefined {
  const nested = value['params'];
  const named = Object.entries({ ...value, ...(isJsonObject(nested) ? nested : {}) }).filter(
    ([name]) => name !== 'type' && name !== 'params' && name !== 'values',
  );
  const direct = value['values'] ?? (isJsonObject(nested) ? nested['values'] : undefined);
  let values = textsOf(direct);
  const params = new Map<string, string | readonly string[]>();
  for (const [name, parameter] of named) {
    const texts = textsOf(parameter);
    if (texts === undefined) {
      report(findings, 'MT132', pointerTo(pointer, name), `'${name}' is a string or a list of strings.`);
      return undefined;
    } else if (values === undefined && kind.takesParams !== true && kind.most > 0 && !modifiers.has(name)) {
      note(findings, 'N13', pointerTo(pointer, name), `'${name}' means 'values'.`);
      values = texts;
    } else {
      params.set(name, Array.isArray(parameter) ? texts : (texts[0] ?? ''));
    }
  }
  if (direct !== undefined && direct !== null && values === undefined) {
    report(findings, 'MT132', pointerTo(pointer, 'values'), "'values' is a list of strings.");
    return undefined;
  }
  return { values: values ?? [], params: Object.fromEntries(params) };
}

function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const texts: string[] = [];
  for (const item of value as readonly JsonValue[]) {
    if (typeof item !== 'string' && typeof item !== 'number') return undefined;
    texts.push(String(item));
  }
  return texts;
}

function checkValues(
  id: string,
  kind: ActionKind,
  values: readonly string[],
  pointer: string,
  findings: Findings,
): void {
  if (values.length < kind.least || values.length > kind.most) {
    report(findings, 'MT131', pointer, `'${id}' takes ${countOf(kind)}, not ${values.length}.`);
    return;
  }
  const types = kind.valueTypes ?? [];
  for (const [index, value] of values.entries()) {
    const wanted = kind.namesProperty === true && index === 0 ? ['structuredProperty'] : types;
    if (wanted.length === 0 || (isUrn(value) && wanted.includes(urnType(value)))) continue;
    const message = `'${value}' is not the URN of a ${wanted.join(' or ')}.`;
    report(findings, 'MT132', pointerTo(pointerTo(pointer, 'values'), index), message);
  }
}

function countOf(kind: ActionKind): string {
  if (kind.most === 0) return 'no values';
  if (kind.most === kind.least) return kind.least === 1 ? 'one value' : `${kind.least} values`;
  return kind.least === 1 ? 'at least one value' : `at least ${kind.least} values`;
}
