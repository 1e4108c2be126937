import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { errorText } from '../errors/error-text.ts';
import {
  type Findings,
  hasErrors,
  type Issue,
  type NormalisationNote,
  note,
  pointerTo,
  report,
} from './issue.ts';
import { lintDefinition } from './lint-definition.ts';
import { located } from './located.ts';
import type { TestDefinition } from './predicate.ts';
import { readParameters } from './parameters.ts';
import { readActions } from './read-actions.ts';
import { readKeys } from './read-keys.ts';
import { readRules } from './read-rules.ts';
import { readScope } from './read-scope.ts';
import { readScopedValues } from './read-scoped.ts';
import { maxDefinitionBytes, maxJsonDepth, type ReadingState } from './reading-state.ts';

/** A definition that was read: with the typed tree when it is valid, with at least one error when it is not. */
export type ReadDefinition = (
  | {
      readonly valid: true;
      readonly definition: TestDefinition;
    }
  | { readonly valid: false }
) & {
  /** Warnings only, when it is valid. */
  readonly issues: readonly Issue[];
  readonly notes: readonly NormalisationNote[];
  /** Pointers to what DataHub would not understand as we do; when there are none, the definition is portable. */
  readonly extensions: readonly string[];
};

/**
 * Reads the JSON text of a metadata test in any of the three dialects, or a mixture, into the typed tree; reports
 * everything that is wrong with it, not only the first thing. Never throws. The text itself is never rewritten.
 */
export function readTestDefinition(text: string): ReadDefinition {
  const findings: Findings = { issues: [], notes: [], extensions: new Set() };
  const root = parseRoot(text, findings);
  const definition = root === undefined ? undefined : readRoot(root, findings);
  const isValid = definition !== undefined && !hasErrors(findings);
  if (isValid) lintDefinition(definition, findings);
  const { notes, extensions } = findings;
  const distinct = new Map(notes.map((note) => [`${note.rule} ${note.pointer}`, note]));
  const rest = {
    issues: located(text, findings.issues),
    notes: [...distinct.values()],
    extensions: [...extensions],
  };
  return isValid ? { valid: true, definition, ...rest } : { valid: false, ...rest };
}

function parseRoot(text: string, findings: Findings): JsonObject | undefined {
  if (Buffer.byteLength(text) > maxDefinitionBytes) {
    report(findings, 'MT140', '', `A definition has at most ${maxDefinitionBytes / 1024} KB.`);
    return undefined;
  }
  if (depthOf(text) > maxJsonDepth) {
    report(findings, 'MT140', '', `A definition nests at most ${maxJsonDepth} levels deep.`);
    return undefined;
  }
  let root: JsonValue;
  try {
    root = JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = errorText(error);
    report(findings, 'MT000', '', `Invalid JSON syntax: ${reason}.`);
    return undefined;
  }
  if (isJsonObject(root)) return root;
  report(findings, 'MT000', '', "A test definition is a JSON object with the members 'on' and 'rules'.");
  return undefined;
}

/** How deep brackets nest, those in strings aside. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

function readRoot(root: JsonObject, findings: Findings): TestDefinition | undefined {
  const parameters = readParameters(root['params'], '/params', findings);
  const state: ReadingState = {
    findings,
    leaves: 0,
    patterns: 0,
    start: { kind: 'root' },
    forEachDepth: 0,
    parameters: parameters?.constants,
    bound: new Map(),
  };
  if (parameters !== undefined) state.bound = readScopedValues(parameters, state);
  const keys = readKeys(root, findings);
  const onKey = !Object.hasOwn(root, 'on') && Object.hasOwn(root, 'true') ? 'true' : 'on';
  // N0: YAML 1.1 reads the bare key `on` as true.
  if (onKey === 'true') note(findings, 'N0', '/true', "The key 'true' means 'on'.");
  const scope = readScope(root[onKey], Object.hasOwn(root, onKey) ? pointerTo('', onKey) : '', state);
  const written = root['rules'];
  if (written === undefined || written === null) {
    const message =
      'A test definition must have a on clause and a rules clause; [] means that everything in scope passes.';
    report(findings, 'MT004', written === null ? '/rules' : '', message);
  }
  const rules = written === undefined || written === null ? undefined : readRules(written, '/rules', state);
  const actions = readActions(root['actions'], '/actions', state, scope?.types ?? []);
  return scope === undefined || rules === undefined ? undefined : { ...scope, rules, actions, keys };
}
