import type { JsonObject } from '../aspect/json.ts';
import { integerIn, knownTextIn, objectIn, textIn } from './stored-member.ts';

/** The GraphQL type `PartitionSpec`. */
export type PartitionSpec = {
  readonly type: string;
  readonly partition: string | null;
  readonly timePartition: { readonly startTimeMillis: number; readonly durationMillis: number } | null;
};

const partitionTypes: ReadonlySet<string> = new Set(['FULL_TABLE', 'QUERY', 'PARTITION']);

const minute = 60_000;
const day = 24 * 60 * minute;
/** Months and years are as long as they are on average: the type has one number for all of them. */
const milliseconds: ReadonlyMap<string | null, number> = new Map([
  ['SECOND', 1000],
  ['MINUTE', minute],
  ['HOUR', 60 * minute],
  ['DAY', day],
  ['WEEK', 7 * day],
  ['MONTH', 30 * day],
  ['QUARTER', 91 * day],
  ['YEAR', 365 * day],
]);

/** Which part of a dataset a measurement is about; `null` when it does not say. */
export function partitionSpecOf(measurement: JsonObject): PartitionSpec | null {
  const spec = objectIn(measurement, 'partitionSpec');
  if (spec === undefined) return null;
  const window = objectIn(spec, 'timePartition');
  const startTimeMillis = integerIn(window, 'startTimeMillis');
  return {
    type: knownTextIn(spec, 'type', partitionTypes) ?? 'PARTITION',
    partition: textIn(spec, 'partition'),
    timePartition:
      startTimeMillis === null
        ? null
        : { startTimeMillis, durationMillis: durationOf(objectIn(window, 'length')) },
  };
}

function durationOf(length: JsonObject | undefined): number {
  return (milliseconds.get(textIn(length, 'unit')) ?? 0) * (integerIn(length, 'multiple') ?? 1);
}
