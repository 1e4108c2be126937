import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { isUrn } from '../urn/urn.ts';
import { type Findings, pointerTo, report } from './issue.ts';
import type { TestDefinition } from './predicate.ts';
import { readSeverity } from './read-rules.ts';

/** The extension set that this version reads. */
const extensionVersion = 1;

/**
 * Keys of the extended language that would change verdicts, or when they are computed, and that nothing here acts on:
 * refused, so that no test relies on what does not happen.
 */
const refused: readonly string[] = ['graceDays', 'schedule', 'bindings'];

type CheckKey = (value: JsonValue, pointer: string, findings: Findings) => void;

const checks: { readonly [key: string]: CheckKey } = {
  version: (value, pointer, findings) => {
    if (value === extensionVersion || value === String(extensionVersion)) return;
    report(findings, 'MT007', pointer, `The extended language is of version ${extensionVersion} here.`);
  },
  severity: (value, pointer, findings) => {
    readSeverity(value, pointer, findings);
  },
  owners: (value, pointer, findings) => {
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value)) report(findings, 'MT008', pointer, "'owners' is a list of URNs.");
    for (const [index, owner] of items.entries()) {
      if (typeof owner === 'string' && isUrn(owner)) continue;
      report(findings, 'MT008', pointerTo(pointer, index), 'An owner is the URN of a user or a group.');
    }
  },
  fixtures: (value, pointer, findings) => {
    if (!Array.isArray(value) || !value.every(isJsonObject)) {
      report(findings, 'MT008', pointer, "'fixtures' is a list of objects.");
    }
  },
  exemptionPolicy: requireObject,
  actionPolicy: (value, pointer, findings) => {
    requireObject(value, pointer, findings);
    if (!isJsonObject(value)) return;
    const { removeOnlyOwn, maxEntities } = value;
    if (removeOnlyOwn !== undefined && typeof removeOnlyOwn !== 'boolean') {
      report(
        findings,
        'MT008',
        pointerTo(pointer, 'removeOnlyOwn'),
        "'removeOnlyOwn' is either true or false.",
      );
    }
    if (maxEntities !== undefined && !(Number.isSafeInteger(maxEntities) && Number(maxEntities) > 0)) {
      report(
        findings,
        'MT008',
        pointerTo(pointer, 'maxEntities'),
        "'maxEntities' is a whole number from 1 on.",
      );
    }
  },
  siblings: (value, pointer, findings) => {
    if (value === 'separate') return;
    const message =
      value === 'merge'
        ? "'siblings': 'merge' belongs to the extended language, which this version does not evaluate."
        : "'siblings' is either 'separate' or 'merge'.";
    report(findings, 'MT007', pointer, message);
  },
};

/** Checks the keys beside `on`, `rules`, `actions` and `params`; those that nobody knows are left alone. */
export function readKeys(root: JsonObject, findings: Findings): TestDefinition['keys'] {
  const keys = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(root)) {
    if (value === undefined || value === null) continue;
    if (refused.includes(key)) {
      const message = `'${key}' belongs to the extended language, which this version does not evaluate.`;
      report(findings, 'MT007', pointerTo('', key), message);
    }
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) continue;
    check(value, pointerTo('', key), findings);
    if (key.endsWith('Policy')) findings.extensions.add(pointerTo('', key));
    keys.set(key, value);
  }
  return Object.fromEntries(keys);
}

function requireObject(value: JsonValue, pointer: string, findings: Findings): void {
  if (!isJsonObject(value)) report(findings, 'MT008', pointer, `'${pointer.slice(1)}' is an object.`);
}
