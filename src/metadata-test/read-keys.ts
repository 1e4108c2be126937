import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import { checkExemptionPolicy } from './exemption/exemption-policy.ts';
import { type Findings, pointerTo, report } from './issue.ts';
import type { TestDefinition } from './predicate.ts';
import { readSeverity } from './read-rules.ts';
import { scoreKeyChecks } from './score/score-keys.ts';
import { readSchedule, type Schedule } from './schedule.ts';

/** The extension set that this version reads. */
const extensionVersion = 1;

/** The longest time in which a newly failing entity may be pending: ten years. */
export const maxGraceDays = 3650;

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
      if (typeof owner === 'string' && isUrn(owner) && ownerTypes.includes(urnType(owner))) continue;
      report(findings, 'MT008', pointerTo(pointer, index), 'An owner is the URN of a user or a group.');
    }
  },
  fixtures: (value, pointer, findings) => {
    if (!Array.isArray(value) || !value.every(isJsonObject)) {
      report(findings, 'MT008', pointer, "'fixtures' is a list of objects.");
    }
  },
  exemptionPolicy: checkExemptionPolicy,
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
    if (value === 'merge') findings.extensions.add(pointer);
    if (value === 'merge' || value === 'separate') return;
    report(findings, 'MT008', pointer, "'siblings' is either 'separate' or 'merge'.");
  },
  graceDays: (value, pointer, findings) => {
    findings.extensions.add(pointer);
    if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxGraceDays) return;
    report(findings, 'MT008', pointer, `'graceDays' is a whole number of days, 0 to ${maxGraceDays}.`);
  },
  schedule: (value, pointer, findings) => {
    findings.extensions.add(pointer);
    const read = readSchedule(value);
    if (!('problem' in read)) return;
    report(
      findings,
      'MT008',
      read.member === undefined ? pointer : pointerTo(pointer, read.member),
      read.problem,
    );
  },
  bindings: (_value, pointer, findings) => {
    const message = `Bindings belong to a parameter: "params": {"name": {"default": ..., "bindings": [...]}}.`;
    report(findings, 'MT007', pointer, message);
  },
  ...scoreKeyChecks,
};

const ownerTypes: readonly string[] = ['corpuser', 'corpGroup'];

/** For how many days a newly failing entity is pending; 0 when the definition says nothing. */
export function graceDaysOf({ keys }: TestDefinition): number {
  return typeof keys['graceDays'] === 'number' ? keys['graceDays'] : 0;
}

/** When the test is evaluated by the clock; `undefined` when the definition says nothing. */
export function scheduleOf({ keys }: TestDefinition): Schedule | undefined {
  const read = keys['schedule'] === undefined ? undefined : readSchedule(keys['schedule']);
  return read !== undefined && 'schedule' in read ? read.schedule : undefined;
}

/** Whether an entity is judged together with its siblings (S18). */
export function mergesSiblings({ keys }: TestDefinition): boolean {
  return keys['siblings'] === 'merge';
}

/** Checks the keys beside `on`, `rules`, `actions` and `params`; those that nobody knows are left alone. */
export function readKeys(root: JsonObject, findings: Findings): TestDefinition['keys'] {
  const keys = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(root)) {
    if (value === undefined || value === null) continue;
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
