/*
 * The values that assertions are described with, each set those of one enum in assertion-info.graphql. What is stored may
 * hold others, which no reader could be told.
 */

/** `AssertionType`. */
export const assertionTypes: ReadonlySet<string> = new Set([
  'DATASET',
  'FRESHNESS',
  'VOLUME',
  'SQL',
  'FIELD',
  'DATA_SCHEMA',
  'CUSTOM',
]);

/** `AssertionSourceType`. */
export const sourceTypes: ReadonlySet<string> = new Set(['NATIVE', 'EXTERNAL', 'INFERRED']);

/** `DatasetAssertionScope`. */
export const datasetScopes: ReadonlySet<string> = new Set([
  'DATASET_COLUMN',
  'DATASET_ROWS',
  'DATASET_SCHEMA',
  'UNKNOWN',
]);

/** `AssertionStdAggregation`. */
export const aggregations: ReadonlySet<string> = new Set([
  'IDENTITY',
  'MEAN',
  'MEDIAN',
  'UNIQUE_COUNT',
  'UNIQUE_PROPORTION',
  'UNIQUE_PROPOTION',
  'NULL_COUNT',
  'NULL_PROPORTION',
  'STDDEV',
  'MIN',
  'MAX',
  'SUM',
  'COLUMNS',
  'COLUMN_COUNT',
  'ROW_COUNT',
  '_NATIVE_',
]);

/** `AssertionStdOperator`. */
export const operators: ReadonlySet<string> = new Set([
  'BETWEEN',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'EQUAL_TO',
  'NOT_EQUAL_TO',
  'NULL',
  'NOT_NULL',
  'CONTAIN',
  'END_WITH',
  'START_WITH',
  'REGEX_MATCH',
  'IN',
  'NOT_IN',
  'IS_TRUE',
  'IS_FALSE',
  '_NATIVE_',
]);

/** `AssertionStdParameterType`. */
export const parameterTypes: ReadonlySet<string> = new Set(['STRING', 'NUMBER', 'LIST', 'SET', 'UNKNOWN']);

/** `FreshnessAssertionType`. */
export const freshnessTypes: ReadonlySet<string> = new Set(['DATASET_CHANGE', 'DATA_JOB_RUN']);

/** `FreshnessAssertionScheduleType`. */
export const scheduleTypes: ReadonlySet<string> = new Set(['CRON', 'FIXED_INTERVAL', 'SINCE_THE_LAST_CHECK']);

/** `DateInterval`. */
export const intervals: ReadonlySet<string> = new Set([
  'SECOND',
  'MINUTE',
  'HOUR',
  'DAY',
  'WEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
]);

/** `VolumeAssertionType`. */
export const volumeTypes: ReadonlySet<string> = new Set([
  'ROW_COUNT_TOTAL',
  'ROW_COUNT_CHANGE',
  'INCREMENTING_SEGMENT_ROW_COUNT_TOTAL',
  'INCREMENTING_SEGMENT_ROW_COUNT_CHANGE',
]);

/** `AssertionValueChangeType`. */
export const changeTypes: ReadonlySet<string> = new Set(['ABSOLUTE', 'PERCENTAGE']);

/** `SqlAssertionType`. */
export const sqlTypes: ReadonlySet<string> = new Set(['METRIC', 'METRIC_CHANGE']);

/** `FieldAssertionType`. */
export const fieldAssertionTypes: ReadonlySet<string> = new Set(['FIELD_VALUES', 'FIELD_METRIC']);

/** `FieldValuesFailThresholdType`. */
export const failThresholds: ReadonlySet<string> = new Set(['COUNT', 'PERCENTAGE']);

/** `FieldMetricType`. */
export const fieldMetrics: ReadonlySet<string> = new Set([
  'UNIQUE_COUNT',
  'UNIQUE_PERCENTAGE',
  'NULL_COUNT',
  'NULL_PERCENTAGE',
  'MIN',
  'MAX',
  'MEAN',
  'MEDIAN',
  'STDDEV',
  'NEGATIVE_COUNT',
  'NEGATIVE_PERCENTAGE',
  'ZERO_COUNT',
  'ZERO_PERCENTAGE',
  'MIN_LENGTH',
  'MAX_LENGTH',
  'EMPTY_COUNT',
  'EMPTY_PERCENTAGE',
]);

/** `SchemaAssertionCompatibility`. */
export const compatibilities: ReadonlySet<string> = new Set(['EXACT_MATCH', 'SUPERSET', 'SUBSET']);
