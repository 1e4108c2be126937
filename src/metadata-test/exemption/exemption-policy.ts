import { isJsonObject, type JsonValue } from '../../aspect/json.ts';
import { type Findings, pointerTo, report } from '../issue.ts';
import type { TestDefinition } from '../predicate.ts';

/** What a definition says about exemptions from it (specification 3.3, `exemptionPolicy`). */
export type ExemptionPolicy = {
  /** False: there are none. */
  readonly allowed: boolean;
  /** How long one may last. */
  readonly maxDays: number | undefined;
};

/** Of one exemption: ten years. */
export const maxExemptionDays = 3650;

/** Checks the key `exemptionPolicy`; members that nobody knows are left alone. */
export function checkExemptionPolicy(value: JsonValue, pointer: string, findings: Findings): void {
  if (!isJsonObject(value)) {
    report(findings, 'MT008', pointer, "'exemptionPolicy' is an object.");
    return;
  }
  const { allowed, maxDays } = value;
  if (allowed !== undefined && typeof allowed !== 'boolean') {
    report(findings, 'MT008', pointerTo(pointer, 'allowed'), "'allowed' is either true or false.");
  }
  if (maxDays !== undefined && !isDays(maxDays)) {
    const message = `'maxDays' is a whole number of days, 1 to ${maxExemptionDays}.`;
    report(findings, 'MT008', pointerTo(pointer, 'maxDays'), message);
  }
}

export function exemptionPolicyOf({ keys }: TestDefinition): ExemptionPolicy {
  const policy = keys['exemptionPolicy'];
  const { allowed, maxDays } = isJsonObject(policy) ? policy : {};
  return { allowed: allowed !== false, maxDays: isDays(maxDays) ? maxDays : undefined };
}

function isDays(value: JsonValue | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxExemptionDays;
}
