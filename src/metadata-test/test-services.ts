import type { VerdictStore } from '../verdict/verdict-store.ts';
import type { ActionRunner } from './action/action-runner.ts';
import type { VerdictKeeper } from './keeping/verdict-keeper.ts';
import type { TestLibrary } from './test-library.ts';

/** What resolvers and routes of metadata tests use beside aspects and commands. */
export type TestServices = {
  readonly library: TestLibrary;
  /** Rows, verdicts, their history and records. */
  readonly verdicts: VerdictStore;
  /** Absent where keeping verdicts is switched off: then they are as old as they are, and rows may be missing. */
  readonly keeper: VerdictKeeper | undefined;
  /** Absent where verdicts are not kept: then nothing is acted upon. */
  readonly actions?: ActionRunner | undefined;
};

declare module '../graphql/request-context.ts' {
  interface RequestServices {
    /** Absent only where GraphQL runs without a server, as in tests of the engine itself. */
    readonly tests?: TestServices;
  }
}
