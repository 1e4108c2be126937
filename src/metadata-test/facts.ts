import type { AspectReader } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, urnType } from '../urn/urn.ts';

/**
 * Where facts come from: the part of the store port that evaluation reads. Without `readVersion` a time series is its
 * latest measurement alone.
 */
export type FactSource = Pick<AspectReader, 'readMany' | 'existing' | 'relationships'> &
  Partial<Pick<AspectReader, 'readVersion'>>;

/** What was loaded about one entity; an aspect that was not asked for looks like one that is not stored. */
export type LoadedEntity = {
  readonly urn: string;
  readonly type: string;
  readonly aspects: EntityAspects;
  /** Known only where a test needs it; otherwise whether any aspect was found. */
  readonly exists: boolean;
  /** Soft-deleted: aspect `status` says `removed`. */
  readonly removed: boolean;
  /** What names it as an upstream; `undefined` where no test asks, `TOO_MANY` beyond the limit. */
  readonly downstream?: readonly string[] | 'TOO_MANY';
  /** Measurements of time series, by aspect; only where a test needs them. */
  readonly series?: ReadonlyMap<string, readonly JsonObject[]>;
  /** Assertions about it; only where a test needs them. */
  readonly assertions?: readonly string[] | 'TOO_MANY';
  /** Of a merged view of siblings: what it was merged from, the first one first. */
  readonly siblings?: readonly LoadedEntity[];
};

/** Entities by URN as it stands in the aspects. */
export type LoadedFacts = ReadonlyMap<string, LoadedEntity>;

/** Remarks beside a verdict (metadata-test language, semantics S2, S7, S14). */
export type VerdictNote =
  | 'DANGLING_REF'
  | 'TYPE_MISMATCH'
  | 'EMPTY_COLLECTION'
  | 'BUDGET'
  | 'EXEMPTION_EXPIRED';

/** One evaluation of one test on one entity. */
export type Run = {
  readonly facts: LoadedFacts;
  readonly notes: Set<VerdictNote>;
  /** Steps that are left, so that a verdict never depends on the clock. */
  budget: number;
  /** The time the verdict is for, in milliseconds since the Unix epoch: the only clock a test has. */
  readonly now: number;
  /**
   * The next moment at which an operator on the clock answers differently; Infinity when none ever does. Until then the
   * same facts give the same verdict.
   */
  wakeAt: number;
  /** The entity under test. */
  readonly root: LoadedEntity;
  /** The element that the innermost `forEach` is at; null outside. */
  element: JsonValue;
};

/** A new evaluation of one entity. */
export function runOn(root: LoadedEntity, facts: LoadedFacts, now: number, budget: number): Run {
  return { facts, notes: new Set(), budget, now, wakeAt: Infinity, root, element: null };
}

/** A predicate over one value; compiled once, run often, allocates nothing. */
export type ValueTest = (value: JsonValue, run: Run) => boolean;

/** A predicate over one entity. */
export type EntityTest = (entity: LoadedEntity, run: Run) => boolean;

const noAspects: EntityAspects = new Map();

/** What going on to another entity costs. */
const hopSteps = 150;

/**
 * What a URN leads to. One that does not exist or is soft-deleted has no aspects, and is noted (S2). Throws LIMIT_EXCEEDED for
 * one that was not loaded, because a path leads to more entities than a test may read.
 */
export function targetOf(urn: string, run: Run): LoadedEntity {
  spend(run, hopSteps);
  const target = run.facts.get(urn);
  if (target?.exists === true && !target.removed) return target;
  if (target === undefined && isUrn(urn)) spend(run, Infinity);
  run.notes.add('DANGLING_REF');
  return { urn, type: isUrn(urn) ? urnType(urn) : '', aspects: noAspects, exists: false, removed: false };
}

/** What looking at a value costs; what an operator does with many operands costs more. */
export function valueSteps(value: JsonValue): number {
  if (typeof value !== 'string') return lookSteps;
  // The URL encoding of a URN is undone.
  const isEncoded = value.includes('%') && value.startsWith('urn:li:');
  return lookSteps + (isEncoded ? encodedSteps + 20 * value.length : value.length >> 1);
}

const lookSteps = 90;
const encodedSteps = 600;

/** Takes steps from the budget. Throws LIMIT_EXCEEDED when none are left: then the test cannot be decided (ERROR). */
export function spend(run: Pick<Run, 'budget'>, steps: number): void {
  run.budget -= steps;
  if (run.budget < 0) {
    throw new PostilError('LIMIT_EXCEEDED', 'Deciding this test takes more steps than a test may take.');
  }
}
