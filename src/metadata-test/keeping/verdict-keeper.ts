import type { Urn } from '../../urn/urn.ts';
import type { VerdictChange, VerdictTransaction } from '../../verdict/verdict-store.ts';

/**
 * Keeps verdicts of all active tests for all entities up to date, driven by the change log alone (metadata-tests specification
 * 3.7 and 3.8). Works beside the requests and never fails them: what goes wrong is tried again, and told to the log.
 */
export type VerdictKeeper = {
  /** Begins to work; whatever was left undone at the last stop is taken up. */
  start(): void;
  /** Says that there may be something new; cheap, to be called after every commit. */
  poke(): void;
  /**
   * Resolves when all that was in the change log at the call is reflected in rows and verdicts, evaluations of saved tests
   * included, and when what had to be evaluated again at a time until now has been. Rejects with OVERLOADED when it is stopped.
   */
  settled(): Promise<void>;
  /**
   * Resolves when the verdicts of all tests for these entities are those of now, whatever else is still being evaluated; at
   * once where this node keeps none. Entities that do not exist are left out. Rejects like `settled`.
   */
  refresh(entities: readonly Urn[]): Promise<void>;
  /** Resolves when there is an up-to-date row for each entity that can be tested, and sees to it that this stays so. */
  ensureRows(): Promise<void>;
  /** Evaluates everything in the scope of a test once more; resolves when that is done. An unknown test is done at once. */
  reevaluate(test: Urn): Promise<void>;
  /** Evaluates every active test for everything, and repairs what differs; there should be nothing. */
  fullPass(): Promise<FullPass>;
  status(): KeeperStatus;
  /** Finishes the transaction that is going on, and resolves; the rest is taken up at the next start. */
  stop(): Promise<void>;
};

/** What a full pass found. */
export type FullPass = {
  readonly tests: number;
  /** Pairs of a test and an entity whose kept verdict was not that of the evaluation. Each of them is a defect. */
  readonly differences: number;
};

export type KeeperStatus = {
  /**
   * `dormant`: there are no tests, and nobody asked for rows. `waiting`: another node keeps the verdicts. `working` and `idle`
   * are what they say.
   */
  readonly activity: 'stopped' | 'dormant' | 'waiting' | 'working' | 'idle';
  /** Everything up to this sequence of the change log is reflected. */
  readonly sequence: number;
  /** Changes that were seen but not yet considered. */
  readonly queued: number;
  /** How far rows are, in chunks of entity numbers; `undefined` once they are complete, or while nobody needs them. */
  readonly rowsBuilt: { readonly done: number; readonly of: number } | undefined;
  /** Tests that are being evaluated for everything. */
  readonly evaluating: { readonly tests: number; readonly done: number; readonly of: number } | undefined;
  readonly counters: KeeperCounters;
  /** Of the last failure, until something succeeds. */
  readonly problem: string | undefined;
};

/** Since the start of the process. */
export type KeeperCounters = {
  /** Changes of the log that were considered. */
  readonly changes: number;
  /** Entities whose verdicts those changes could alter, and pairs of a test and such an entity that were evaluated for them. */
  readonly entities: number;
  readonly candidates: number;
  /** Evaluations of all kinds by closures. */
  readonly evaluations: number;
  /** Verdicts that changed. */
  readonly transitions: number;
  /** Evaluations that could not decide. */
  readonly errors: number;
  /** Milliseconds from the time of a change to the commit of the verdicts it led to: of the last batch, and the longest. */
  readonly lagMs: number;
  readonly longestLagMs: number;
};

/**
 * Called inside the transaction that stores changes of verdicts, so that what it records is as durable as they are. If it
 * throws, nothing of the transaction is stored, and all of it is tried again. A handler that fails again and again, and not
 * because the store does, is left out in the end, so that verdicts do not stand still for it: what it would have recorded of
 * those changes has to be found otherwise, as actions find it by their daily reconciliation (A1).
 */
export type TransitionHandler = (
  transaction: VerdictTransaction,
  changes: readonly VerdictChange[],
  context: TransitionContext,
) => Promise<void>;

export type TransitionContext = {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** What made the verdicts be evaluated. */
  readonly cause: 'change' | 'time' | 'revision' | 'full-pass' | 'again';
};
