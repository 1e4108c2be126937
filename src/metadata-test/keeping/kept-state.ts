import type { Urn } from '../../urn/urn.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import type { TestLibrary } from '../test-library.ts';
import type { BulkRun } from './bulk-run.ts';
import type { RowsPlace } from './keeper-place.ts';
import type { Pace } from './pace.ts';
import type { TestIndex } from './test-index.ts';
import type { TestState } from './test-state.ts';
import type { KeeperCounters } from './verdict-keeper.ts';
import type { VerdictWriter } from './verdict-writer.ts';

/** What is known between two steps; read from the store anew whenever something went wrong. */
export type Kept = {
  sequence: number;
  index: TestIndex;
  states: ReadonlyMap<Urn, TestState>;
  /** Tests of which everything has to be evaluated, with the sequence up to which that is because of. */
  readonly stale: Map<Urn, number>;
  rows: RowsPlace;
  /** Chunks of which rows are being made; 0 before it is known. */
  rowChunks: number;
  nextWake: number;
  runs: BulkRun[];
};

/** Counters as they grow. */
export type Counting = { -readonly [Name in keyof KeeperCounters]: KeeperCounters[Name] };

/** What every step of the keeper works with. */
export type KeeperWork = {
  readonly store: VerdictKeepingStore;
  readonly library: TestLibrary;
  readonly writer: VerdictWriter;
  readonly now: () => number;
  readonly pace: Pace;
  readonly counters: Counting;
  readonly report: (level: 'warn' | 'error', message: string, cause?: unknown) => void;
};
