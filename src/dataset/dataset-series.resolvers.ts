import type { JsonObject } from '../aspect/json.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { partitionSpecOf } from '../entity/partition-spec.ts';
import { readSeries } from '../entity/series.ts';
import type { Measurement, SeriesQuery } from '../entity/series.ts';
import {
  integerIn,
  knownTextIn,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  textsIn,
} from '../entity/stored-member.ts';
import { textMapIn } from '../entity/text-map.ts';
import { usageWindowMs } from '../entity/usage.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { datasetUsage, datasetUsageSummary } from './dataset-usage.ts';

const day = 24 * 60 * 60 * 1000;
const ranges: ReadonlyMap<string, number> = new Map([
  ['DAY', day],
  ['WEEK', 7 * day],
  ['MONTH', 30 * day],
  ['QUARTER', 91 * day],
  ['YEAR', 365 * day],
  ['ALL', Infinity],
]);

const operationTypes: ReadonlySet<string> = new Set([
  'INSERT',
  'UPDATE',
  'DELETE',
  'CREATE',
  'ALTER',
  'DROP',
  'UNKNOWN',
  'CUSTOM',
]);
const sourceTypes: ReadonlySet<string> = new Set(['DATA_PROCESS', 'DATA_PLATFORM']);

/** A field that shows each measurement of a series. */
function series(
  aspectName: string,
  show: (measurement: Measurement) => object,
): FieldResolver<EntityValue, SeriesQuery> {
  return async ({ urn }, query, context) =>
    (await readSeries(context, urn, aspectName, query))?.map(show) ?? [];
}

function profile({ timestampMillis, body }: Measurement): object {
  return {
    timestampMillis,
    rowCount: integerIn(body, 'rowCount'),
    columnCount: integerIn(body, 'columnCount'),
    sizeInBytes: integerIn(body, 'sizeInBytes'),
    fieldProfiles: body['fieldProfiles'] === undefined ? null : columnProfiles(body),
    partitionSpec: partitionSpecOf(body),
  };
}

function columnProfiles(body: JsonObject): readonly object[] {
  return objectsIn(body, 'fieldProfiles').flatMap((column) => {
    const fieldPath = textIn(column, 'fieldPath');
    if (fieldPath === null) return [];
    return {
      fieldPath,
      uniqueCount: integerIn(column, 'uniqueCount'),
      uniqueProportion: numberIn(column, 'uniqueProportion'),
      nullCount: integerIn(column, 'nullCount'),
      nullProportion: numberIn(column, 'nullProportion'),
      min: textIn(column, 'min'),
      max: textIn(column, 'max'),
      mean: textIn(column, 'mean'),
      median: textIn(column, 'median'),
      stdev: textIn(column, 'stdev'),
      sampleValues: textsIn(column, 'sampleValues'),
      quantiles: pairsIn(column, 'quantiles', (pair) => ({
        quantile: textIn(pair, 'quantile') ?? '',
        value: textIn(pair, 'value') ?? '',
      })),
      distinctValueFrequencies: pairsIn(column, 'distinctValueFrequencies', (pair) => ({
        value: textIn(pair, 'value') ?? '',
        frequency: integerIn(pair, 'frequency') ?? 0,
      })),
    };
  });
}

function pairsIn(
  body: JsonObject,
  member: string,
  show: (pair: JsonObject) => object,
): readonly object[] | null {
  return body[member] === undefined ? null : objectsIn(body, member).map(show);
}

function operation({ timestampMillis, body }: Measurement): object {
  return {
    timestampMillis,
    actor: textIn(body, 'actor'),
    operationType: knownTextIn(body, 'operationType', operationTypes) ?? 'UNKNOWN',
    customOperationType: textIn(body, 'customOperationType'),
    sourceType: knownTextIn(body, 'sourceType', sourceTypes),
    numAffectedRows: integerIn(body, 'numAffectedRows'),
    affectedDatasets: textsIn(body, 'affectedDatasets'),
    lastUpdatedTimestamp: integerIn(body, 'lastUpdatedTimestamp') ?? timestampMillis,
    partition: textIn(objectIn(body, 'partitionSpec'), 'partition'),
    customProperties: textMapIn(body, 'customProperties'),
    queries: textsIn(body, 'queries'),
  };
}

type UsageArguments = { readonly range?: string | null; readonly startTimeMillis?: number | null };

/** Volatile, because ranges end now. */
const usageStats: ResolverRecord<EntityValue, UsageArguments> = {
  isVolatile: true,
  resolve: async ({ urn }, { range, startTimeMillis }, context) => {
    const now = context.now();
    const start = startTimeMillis ?? now - (ranges.get(range ?? 'MONTH') ?? usageWindowMs);
    const query = { startTimeMillis: start, endTimeMillis: now };
    const measurements = await readSeries(context, urn, 'datasetUsageStatistics', query);
    return measurements === undefined ? null : datasetUsage(measurements, urn);
  },
};

const statsSummary: ResolverRecord<EntityValue> = {
  isVolatile: true,
  resolve: async ({ urn }, _args, context) => {
    const now = context.now();
    const query = { startTimeMillis: now - usageWindowMs, endTimeMillis: now };
    const measurements = await readSeries(context, urn, 'datasetUsageStatistics', query);
    return measurements === undefined ? null : datasetUsageSummary(measurements);
  },
};

export const datasetSeriesResolvers: Resolvers = {
  Dataset: {
    datasetProfiles: series('datasetProfile', profile),
    operations: series('operation', operation),
    usageStats,
    statsSummary,
  },
};
