import type { Result, Run } from './postgres-connection.ts';

/** One statement for many rows: the values are columns, one array each. */
export type Step = {
  readonly sql: string;
  readonly columns: readonly (readonly (string | number | null)[])[];
  /** Values that all rows share; their parameters follow those of the columns. */
  readonly shared?: readonly (string | number)[];
  /** How many rows it has to touch; anything else means that the batch was made for other versions. */
  readonly expected?: number;
};

export function runStep(run: Run, { sql, columns, shared }: Step): Promise<Result> {
  return run(sql, shared === undefined ? columns : [...columns, ...shared]);
}
