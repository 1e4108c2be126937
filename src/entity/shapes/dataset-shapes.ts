import { attribution, auditStamp, textMap, timeStamp } from './attachment-shapes.ts';
import {
  anything,
  anyUrn,
  boolean,
  descriptionText,
  enumOf,
  extended,
  integer,
  list,
  nameText,
  number,
  record,
  required,
  text,
  urnOf,
  sourceLink,
} from './shape.ts';
import type { Shape } from './shape.ts';

const lineageKind = enumOf('COPY', 'TRANSFORMED', 'VIEW');

export const fineGrainedLineages: Shape = list(
  record({
    upstreamType: required(enumOf('FIELD_SET', 'DATASET', 'NONE')),
    upstreams: list(anyUrn),
    downstreamType: required(enumOf('FIELD', 'FIELD_SET')),
    downstreams: list(anyUrn),
    transformOperation: text,
    confidenceScore: number,
    query: anyUrn,
    matchType: text,
  }),
);

const timeseries = record({
  timestampMillis: required(integer),
  eventGranularity: record({ unit: required(text), multiple: integer }),
  partitionSpec: record({ type: text, partition: text, timePartition: anything }),
  messageId: text,
});

const columnProfile = record({
  fieldPath: required(text),
  uniqueCount: integer,
  uniqueProportion: number,
  nullCount: integer,
  nullProportion: number,
  min: text,
  max: text,
  mean: text,
  median: text,
  stdev: text,
  quantiles: list(record({ quantile: required(text), value: required(text) })),
  distinctValueFrequencies: list(record({ value: required(text), frequency: required(integer) })),
  histogram: record({ boundaries: required(list(text)), heights: required(list(number)) }),
  sampleValues: list(text),
});

/** What is said about datasets and containers (wire 8.3). */
export const datasetShapes: { readonly [aspect: string]: Shape } = {
  datasetProperties: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    name: text,
    qualifiedName: text,
    description: text,
    uri: text,
    created: timeStamp,
    lastModified: timeStamp,
    tags: list(text),
  }),
  editableDatasetProperties: record({
    created: auditStamp,
    lastModified: auditStamp,
    deleted: auditStamp,
    description: descriptionText,
    name: nameText,
  }),
  viewProperties: record({
    materialized: required(boolean),
    viewLogic: required(text),
    viewLanguage: required(text),
    formattedViewLogic: text,
  }),
  datasetDeprecation: record({
    deprecated: required(boolean),
    decommissionTime: integer,
    note: text,
    actor: anyUrn,
  }),
  upstreamLineage: record({
    upstreams: required(
      list(
        record({
          auditStamp,
          created: auditStamp,
          dataset: required(urnOf('dataset')),
          type: required(lineageKind),
          properties: textMap,
          query: anyUrn,
        }),
      ),
    ),
    fineGrainedLineages,
  }),
  datasetUpstreamLineage: record({ fieldMappings: required(list(record({}))) }),
  siblings: record({ siblings: required(list(anyUrn)), primary: required(boolean) }),
  icebergCatalogInfo: record({ metadataPointer: text, view: boolean }),
  partitionsSummary: record({ minPartition: record({}), maxPartition: record({}) }),
  datasetProfile: extended(timeseries, {
    rowCount: integer,
    columnCount: integer,
    sizeInBytes: integer,
    fieldProfiles: list(columnProfile),
  }),
  datasetUsageStatistics: extended(timeseries, {
    uniqueUserCount: integer,
    totalSqlQueries: integer,
    topSqlQueries: list(text),
    userCounts: list(record({ user: required(anyUrn), count: required(integer), userEmail: text })),
    fieldCounts: list(record({ fieldPath: required(text), count: required(integer) })),
  }),
  operation: extended(timeseries, {
    actor: anyUrn,
    operationType: required(
      enumOf('INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'CUSTOM', 'UNKNOWN'),
    ),
    lastUpdatedTimestamp: required(integer),
    customOperationType: text,
    numAffectedRows: integer,
    affectedDatasets: list(anyUrn),
    sourceType: text,
    customProperties: textMap,
    queries: list(anyUrn),
  }),
  assertionRunEvent: extended(timeseries, {
    runId: required(text),
    asserteeUrn: required(anyUrn),
    assertionUrn: required(urnOf('assertion')),
    status: required(text),
    result: record({ type: required(text), nativeResults: textMap }),
    runtimeContext: textMap,
  }),
  containerProperties: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    name: required(text),
    qualifiedName: text,
    description: text,
    env: text,
    created: timeStamp,
    lastModified: timeStamp,
  }),
  editableContainerProperties: record({ description: descriptionText }),
  propertyDefinition: record({
    qualifiedName: required(text),
    displayName: text,
    valueType: required(urnOf('dataType')),
    typeQualifier: record({ allowedTypes: list(text) }),
    allowedValues: list(record({ value: required(anything), description: text, attribution })),
    cardinality: enumOf('SINGLE', 'MULTIPLE'),
    entityTypes: required(list(urnOf('entityType'))),
    description: text,
    immutable: boolean,
    version: text,
    created: auditStamp,
    lastModified: auditStamp,
  }),
};
