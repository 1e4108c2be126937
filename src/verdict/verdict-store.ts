import type { AspectStore } from '../aspect/aspect-store.ts';
import type { Urn } from '../urn/urn.ts';
import type { ChunkSet } from './chunk-set.ts';
import type { RowPredicate, RowQuestion } from './row-predicate.ts';
import type { ListColumn, TestRow } from './test-row.ts';

/** The verdicts of one test for the entities of one chunk; an entity in none of the first three is out of scope. */
export type ChunkVerdicts = {
  readonly passing: ChunkSet;
  readonly failing: ChunkSet;
  /** Failing, but excused (metadata-tests specification 3.2: EXEMPT). */
  readonly exempt: ChunkSet;
  /** Could not be decided the last time; its earlier verdict, if any, stays in one of the other sets. */
  readonly undecided: ChunkSet;
};

export type VerdictCounts = {
  readonly passing: number;
  readonly failing: number;
  readonly exempt: number;
  readonly undecided: number;
};

/**
 * Verdicts that changed together: one row for each test, chunk and moment. `to…` are the entities that arrived at a
 * verdict; the deltas are what that did to the counts of the test.
 */
export type VerdictChange = {
  readonly test: Urn;
  readonly chunk: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Newest sequence of the change log that the evaluation had seen. */
  readonly sequence: number;
  /** MD5 of the definition that was evaluated. */
  readonly definitionMd5: string;
  readonly toPassing: ChunkSet;
  readonly toFailing: ChunkSet;
  readonly toExempt: ChunkSet;
  /** Left the scope, or is gone. */
  readonly toNone: ChunkSet;
  readonly deltas: { readonly passing: number; readonly failing: number; readonly exempt: number };
};

/** A row of the change history with its place in it; ids ascend with time. */
export type RecordedVerdictChange = VerdictChange & { readonly id: number };

/** What one question says about the rows of one chunk. */
export type ChunkAnswer = {
  readonly passing: ChunkSet;
  readonly failing: ChunkSet;
  /** The row does not tell; whoever asks has to evaluate the entity itself. */
  readonly unknown: ChunkSet;
};

/** Questions that were prepared once, to be asked of chunk after chunk in one scan. */
export type RowScan = {
  /** The answers in the order of the questions. Rows of other entity types are in none of the sets. */
  chunk(chunk: number): Promise<readonly ChunkAnswer[]>;
  /** Has to be called in the end. */
  close(): Promise<void>;
};

/** How many members of sets have one value in a column. */
export type ValueCount = {
  /** A number of the dictionary of the column; `undefined`: members whose row has no value. */
  readonly value: number | undefined;
  /** By set, in their order. */
  readonly counts: readonly number[];
};

/** An aspect store that also keeps the verdicts of metadata tests. */
export type VerdictKeepingStore = AspectStore & { readonly verdicts: VerdictStore };

/**
 * The port to what is kept for metadata tests: wide rows, verdicts, their history, and records. All of it is derived or
 * belongs to the engine alone; it is never part of the change log. Reads see committed state. Two adapters pass one
 * contract suite (src/storage/verdict-store.contract.ts).
 */
export interface VerdictReader {
  /** The store's numbers of entities it has heard of: small, stable, never used twice. Unknown URNs are left out. */
  numbersOf(urns: readonly Urn[]): Promise<ReadonlyMap<Urn, number>>;
  urnsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Urn>>;
  /** The largest number in use; chunks beyond its own are empty. */
  largestNumber(): Promise<number>;
  /** Entities of the type that exist, in one chunk. */
  entitiesIn(chunk: number, type: string): Promise<ChunkSet>;
  /** Verdicts of tests for one chunk, by test; without `tests`, of all. Tests without any are left out. */
  verdictsIn(chunk: number, tests?: readonly Urn[]): Promise<ReadonlyMap<Urn, ChunkVerdicts>>;
  /** Chunks with verdicts of a test, ascending. */
  chunksOf(test: Urn): Promise<readonly number[]>;
  /** Sums over all chunks; zeros for a test without verdicts. */
  counts(test: Urn): Promise<VerdictCounts>;
  /** The history of a test: newest first, or oldest first. Bounds are inclusive; `before`/`after` are ids, exclusive. */
  verdictChanges(query: {
    readonly test: Urn;
    readonly chunk?: number;
    readonly fromTime?: number;
    readonly toTime?: number;
    readonly before?: number;
    readonly after?: number;
    readonly newestFirst: boolean;
    readonly count: number;
  }): Promise<readonly RecordedVerdictChange[]>;
  /** Sums of the deltas up to and including a moment: the counts as they were then. */
  countsAt(
    test: Urn,
    time: number,
  ): Promise<{ readonly passing: number; readonly failing: number; readonly exempt: number }>;
  /** One record; records are JSON texts by kind and key. */
  record(kind: string, key: string): Promise<string | undefined>;
  /** Records of a kind with `from <= key < to`, by key in the order of their UTF-8 bytes. */
  records(query: {
    readonly kind: string;
    readonly from?: string;
    readonly to?: string;
    readonly descending?: boolean;
    readonly count: number;
  }): Promise<readonly { readonly key: string; readonly text: string }[]>;
}

export interface VerdictStore extends VerdictReader {
  /** Every text that rows have, or once had, in the column, with its number. */
  dictionary(column: ListColumn): Promise<readonly { readonly id: number; readonly text: string }[]>;
  /** How many rows there are. */
  rowCount(): Promise<number>;
  /** Rows as they are stored, for checks; entities without a row are left out. */
  rows(urns: readonly Urn[]): Promise<ReadonlyMap<Urn, TestRow>>;
  /** Prepares a scan over rows of one entity type; away from the thread that answers requests, where the store can. */
  prepareScan(entityType: string, questions: readonly RowQuestion[]): Promise<RowScan>;
  /**
   * Counts the members of sets of entities, as many for each chunk, by the values of columns, each column by itself: a member
   * with several values counts once for each, one without a row not at all. The answers are in the order of the columns; those
   * of a column in no order, without values that nobody has. As a scan, away from the thread that answers requests.
   */
  countValues(query: {
    readonly columns: readonly ListColumn[];
    readonly chunks: ReadonlyMap<number, readonly ChunkSet[]>;
  }): Promise<readonly (readonly ValueCount[])[]>;
  /** Numbers of rows of one entity type for which `where` is true (or with `unknown`, unknown instead), ascending. */
  find(query: {
    readonly entityType: string;
    readonly where: RowPredicate;
    readonly unknown?: boolean;
    readonly after?: number;
    readonly count: number;
  }): Promise<readonly number[]>;
  /** Runs `work` alone among all writers of the store, in one durable transaction; its reads see its own writes. */
  transact<T>(work: (transaction: VerdictTransaction) => Promise<T>): Promise<T>;
}

export interface VerdictTransaction extends VerdictReader {
  /** Adds or replaces rows of entities the store has heard of. */
  putRows(rows: readonly TestRow[]): Promise<void>;
  removeRows(urns: readonly Urn[]): Promise<void>;
  /** Replaces the verdicts of a test for a chunk; four empty sets remove them. */
  putVerdicts(test: Urn, chunk: number, verdicts: ChunkVerdicts): Promise<void>;
  /** Removes all verdicts of a test; its history stays. */
  removeVerdicts(test: Urn): Promise<void>;
  appendChanges(changes: readonly VerdictChange[]): Promise<void>;
  /** `text: undefined` removes the record. */
  putRecords(
    records: readonly {
      readonly kind: string;
      readonly key: string;
      readonly text: string | undefined;
    }[],
  ): Promise<void>;
}
