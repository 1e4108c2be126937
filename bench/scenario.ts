import type { LoadClient } from './load.ts';

/** What a scenario is given to work with. */
export type Bench = {
  /** The folder below which generated stores and scratch copies are kept, outside of the repository. */
  readonly data: string;
  /** Small stores and short measurements: shows that everything works, proves nothing. */
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly client: LoadClient;
  /** Where Postil's processes write a profile of their processor time; `undefined`: they write none. */
  readonly profile: string | undefined;
  /** Shows what is being done; not part of the results. */
  say(text: string): void;
};

/** One measured number, beside what it is compared with. */
export type Measurement = {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The number of the same run that this one is compared with. */
  readonly reference?: { readonly what: string; readonly value: number };
  /** `share`: value divided by reference; `times`: how many times as much. Both are the same number, shown differently. */
  readonly ratioAs?: 'share' | 'times';
  readonly target?: Target;
  /** Further numbers of the same measurement, in words. */
  readonly notes?: string;
};

/** What is aimed at, as words and as a bound on the value or on its ratio to the reference. */
export type Target = {
  readonly text: string;
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
};

export type ScenarioResult = {
  readonly name: string;
  readonly title: string;
  readonly method: string;
  readonly measurements: readonly Measurement[];
};

export type Scenario = {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<{ readonly method: string; readonly measurements: readonly Measurement[] }>;
};

export function ratioOf({ value, reference }: Measurement): number | undefined {
  return reference === undefined ? undefined : value / reference.value;
}

/** `undefined` when there is no target. */
export function isReached(measurement: Measurement): boolean | undefined {
  const { target } = measurement;
  if (target === undefined) return undefined;
  const number = target.of === 'value' ? measurement.value : (ratioOf(measurement) ?? Number.NaN);
  return number >= (target.atLeast ?? -Infinity) && number <= (target.atMost ?? Infinity);
}
