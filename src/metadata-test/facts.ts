import type { AspectReader } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import type { JsonValue } from '../aspect/json.ts';

/** Where facts come from: the part of the store port that evaluation reads. */
export type FactSource = Pick<AspectReader, 'readMany' | 'existing'>;

/** What was loaded about one entity; an aspect that was not asked for looks like one that is not stored. */
export type LoadedEntity = {
  readonly urn: string;
  readonly type: string;
  readonly aspects: EntityAspects;
  /** Known only where a test needs it; otherwise whether any aspect was found. */
  readonly exists: boolean;
  /** Soft-deleted: aspect `status` says `removed`. */
  readonly removed: boolean;
};

/** Entities by URN as it stands in the aspects. */
export type LoadedFacts = ReadonlyMap<string, LoadedEntity>;

/** Remarks beside a verdict (metadata-test language, semantics S2, S7, S14). */
export type VerdictNote = 'DANGLING_REF' | 'TYPE_MISMATCH' | 'EMPTY_COLLECTION' | 'BUDGET';

/** One evaluation of one test on one entity. */
export type Run = {
  readonly facts: LoadedFacts;
  readonly notes: Set<VerdictNote>;
  /** Steps of pattern matching that are left, so that a verdict never depends on the clock. */
  budget: number;
  /** Where a walk that loads facts puts the URNs it comes to; absent while deciding. */
  readonly found?: Set<string>;
};

/** A predicate over one value; compiled once, run often, allocates nothing. */
export type ValueTest = (value: JsonValue, run: Run) => boolean;

/** A predicate over one entity. */
export type EntityTest = (entity: LoadedEntity, run: Run) => boolean;
