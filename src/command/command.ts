import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { Caller, Demand } from '../auth/caller.ts';

/** What a decision may read: the store as it is inside the transaction, earlier commands of the group included. */
export type DecisionView = AspectReader;

export type DecisionContext = {
  readonly caller: Caller;
  /** Milliseconds since the Unix epoch; one value for the whole command. */
  readonly now: number;
  newId(): string;
};

/** What shall be stored, and what the caller is answered once it is durable. Later writes of one aspect win. */
export type Decision<Result> = {
  readonly writes: readonly AspectWrite[];
  readonly result: Result;
};

/**
 * A command: a name and plain JSON input, and a decision from what is stored now to what shall be stored. `decide` does
 * no I/O but through `view`, takes time and ids from `context`, and throws PostilError to refuse; then nothing changes.
 */
export type Command<Input, Result> = {
  readonly name: string;
  /** Checked before `decide`, so a caller without rights cannot probe for existence (contract section 12). */
  demands(input: Input, caller: Caller): readonly Demand[];
  decide(view: DecisionView, input: Input, context: DecisionContext): Promise<Decision<Result>>;
};

/** Executes commands; the only way in which anything is ever stored. Resolves after the commit is durable. */
export type Execute = <Input, Result>(
  command: Command<Input, Result>,
  input: Input,
  caller: Caller,
) => Promise<Result>;
