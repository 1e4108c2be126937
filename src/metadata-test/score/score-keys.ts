import { isJsonObject, type JsonValue } from '../../aspect/json.ts';
import { nearestName } from '../../entity/nearest-name.ts';
import { isUrn, urnType, type Urn } from '../../urn/urn.ts';
import { type Findings, pointerTo, report } from '../issue.ts';
import type { TestDefinition } from '../predicate.ts';

/** From the least to the most demanding; who has one has met those before it. */
export const testLevels = ['bronze', 'silver', 'gold'] as const;

export type TestLevel = (typeof testLevels)[number];

/** What makes a test a goal: a share that shall pass, by a day, and whose goal it is (specification 3.13). */
export type Target = {
  /** 0 to 1: the share of those that pass among those that pass or fail. */
  readonly passRate: number;
  /** A day, `YYYY-MM-DD`; it ends at midnight UTC. */
  readonly by: string;
  /** A user or a group. */
  readonly owner?: Urn;
};

/** Of one test in a score. */
export const maxWeight = 1_000;
const ownerTypes: readonly string[] = ['corpuser', 'corpGroup'];

type CheckKey = (value: JsonValue, pointer: string, findings: Findings) => void;

/** The keys of a definition that targets and scores are made from. They change no verdict. */
export const scoreKeyChecks: { readonly [key: string]: CheckKey } = {
  weight: (value, pointer, findings) => {
    findings.extensions.add(pointer);
    if (typeof value === 'number' && value > 0 && value <= maxWeight) return;
    report(findings, 'MT008', pointer, `'weight' is a number above 0 and up to ${maxWeight}.`);
  },
  level: (value, pointer, findings) => {
    findings.extensions.add(pointer);
    if (testLevels.some((level) => level === value)) return;
    const nearest = typeof value === 'string' ? nearestName(value, testLevels) : undefined;
    report(findings, 'MT008', pointer, `'level' is one of ${testLevels.join(', ')}.`, nearest);
  },
  target: (value, pointer, findings) => {
    findings.extensions.add(pointer);
    if (!isJsonObject(value)) {
      report(findings, 'MT008', pointer, "'target' is an object with 'passRate' and 'by'.");
      return;
    }
    const { passRate, by, owner } = value;
    if (typeof passRate !== 'number' || passRate < 0 || passRate > 1) {
      const message = "'passRate' is the share that shall pass: a number from 0 to 1.";
      report(findings, 'MT008', pointerTo(pointer, 'passRate'), message);
    }
    if (typeof by !== 'string' || endOfDay(by) === undefined) {
      report(findings, 'MT008', pointerTo(pointer, 'by'), "'by' is a day, written YYYY-MM-DD.");
    }
    if (owner !== undefined && owner !== null && !(isUrn(owner) && ownerTypes.includes(urnType(owner)))) {
      const message = 'An owner is the URN of a user or a group.';
      report(findings, 'MT008', pointerTo(pointer, 'owner'), message);
    }
  },
};

export function targetOf({ keys }: TestDefinition): Target | undefined {
  const target = keys['target'];
  if (!isJsonObject(target)) return undefined;
  const { passRate, by, owner } = target;
  if (typeof passRate !== 'number' || typeof by !== 'string') return undefined;
  return { passRate, by, ...(isUrn(owner) ? { owner } : {}) };
}

/** How much the test counts in a score; 1 when the definition says nothing. */
export function weightOf({ keys }: TestDefinition): number {
  return typeof keys['weight'] === 'number' ? keys['weight'] : 1;
}

export function levelOf({ keys }: TestDefinition): TestLevel | undefined {
  return testLevels.find((level) => level === keys['level']);
}

/** The midnight (UTC) that ends a day, in milliseconds since the Unix epoch; `undefined` for what is no day. */
export function endOfDay(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
  return isDay ? start.getTime() + 86_400_000 : undefined;
}
