import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { JsonObject } from '../aspect/json.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const ana = 'urn:li:corpuser:ana';
const day = 24 * 60 * 60 * 1000;

test('profiles of a dataset are read, the latest first', async () => {
  await using model = await openReadModel();
  const column = {
    fieldPath: 'id',
    uniqueCount: 3,
    nullProportion: 0.5,
    min: '1',
    sampleValues: ['1', '2'],
    quantiles: [{ quantile: '0.5', value: '2' }],
    distinctValueFrequencies: [{ value: '1', frequency: 2 }],
  };
  const timePartition = { startTimeMillis: 5, length: { unit: 'DAY', multiple: 2 } };
  for (const datasetProfile of [
    { timestampMillis: 10, rowCount: 1, columnCount: 2, sizeInBytes: 3, fieldProfiles: [column] },
    { timestampMillis: 20, rowCount: 5, partitionSpec: { type: 'PARTITION', partition: 'p', timePartition } },
  ]) {
    await model.seed(orders, { datasetProfile });
  }
  const { data, errors } = await model.ask(
    `{ dataset(urn: "${orders}") { datasetProfiles { timestampMillis rowCount columnCount sizeInBytes
         fieldProfiles { fieldPath uniqueCount nullProportion min sampleValues quantiles { quantile value }
           distinctValueFrequencies { value frequency } }
         partitionSpec { type partition timePartition { startTimeMillis durationMillis } } }
       first: datasetProfiles(endTimeMillis: 15) { rowCount } last: datasetProfiles(limit: 1) { rowCount }
       whole: datasetProfiles(filter: {and: [{field: "partitionSpec.type", condition: EXISTS, negated: true}]}) { rowCount } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['dataset'], {
    datasetProfiles: [
      {
        timestampMillis: 20,
        rowCount: 5,
        columnCount: null,
        sizeInBytes: null,
        fieldProfiles: null,
        partitionSpec: {
          type: 'PARTITION',
          partition: 'p',
          timePartition: { startTimeMillis: 5, durationMillis: 2 * day },
        },
      },
      {
        timestampMillis: 10,
        rowCount: 1,
        columnCount: 2,
        sizeInBytes: 3,
        fieldProfiles: [column],
        partitionSpec: null,
      },
    ],
    first: [{ rowCount: 1 }],
    last: [{ rowCount: 5 }],
    whole: [{ rowCount: 1 }],
  });
});

test('operations on a dataset are read, as those that are asked for', async () => {
  await using model = await openReadModel();
  const operation = (timestampMillis: number, operationType: string, more: JsonObject = {}): JsonObject => ({
    timestampMillis,
    operationType,
    lastUpdatedTimestamp: timestampMillis - 1,
    ...more,
  });
  const details = {
    actor: ana,
    sourceType: 'DATA_PROCESS',
    numAffectedRows: 7,
    customProperties: { a: '1' },
    partitionSpec: { partition: 'p' },
  };
  await model.seed(orders, { operation: operation(10, 'INSERT', details) });
  await model.seed(orders, { operation: operation(20, 'DELETE') });
  const { data, errors } = await model.ask(
    `{ dataset(urn: "${orders}") { operations { timestampMillis lastUpdatedTimestamp operationType }
       inserts: operations(filter: {and: [{field: "operationType", values: ["INSERT"]}]}) { actor sourceType numAffectedRows partition
         customProperties { key value } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['dataset'], {
    operations: [
      { timestampMillis: 20, lastUpdatedTimestamp: 19, operationType: 'DELETE' },
      { timestampMillis: 10, lastUpdatedTimestamp: 9, operationType: 'INSERT' },
    ],
    inserts: [
      {
        actor: ana,
        sourceType: 'DATA_PROCESS',
        numAffectedRows: 7,
        partition: 'p',
        customProperties: [{ key: 'a', value: '1' }],
      },
    ],
  });
});

test('usage of a dataset is counted over the last 30 days, by days where days were counted', async () => {
  await using model = await openReadModel();
  const now = Date.now();
  const bucket = (daysAgo: number, unit: string, queries: number, user: string): JsonObject => ({
    timestampMillis: now - daysAgo * day,
    eventGranularity: { unit, multiple: 1 },
    totalSqlQueries: queries,
    topSqlQueries: ['select 1'],
    userCounts: [{ user: `urn:li:corpuser:${user}`, count: queries, userEmail: `${user}@example.org` }],
    fieldCounts: [{ fieldPath: 'id', count: queries }],
  });
  for (const datasetUsageStatistics of [
    bucket(40, 'DAY', 100, 'old'),
    bucket(3, 'DAY', 2, 'ana'),
    bucket(2, 'DAY', 5, 'ben'),
    bucket(1, 'HOUR', 50, 'hourly'),
  ]) {
    await model.seed(orders, { datasetUsageStatistics });
  }
  const { data, errors } = await model.ask(
    `{ dataset(urn: "${orders}") { statsSummary { queryCountLast30Days uniqueUserCountLast30Days topUsersLast30Days { username } }
       usageStats { buckets { duration resource metrics { uniqueUserCount totalSqlQueries topSqlQueries users { user { username } count userEmail } } }
         aggregations { uniqueUserCount totalSqlQueries fields { fieldName count } users { user { username } count } } }
       all: usageStats(range: ALL) { aggregations { totalSqlQueries } } day: usageStats(range: DAY) { aggregations { totalSqlQueries } } } }`,
  );
  assert.equal(errors, undefined);
  const [ana2, ben5] = [
    { user: { username: 'ana' }, count: 2 },
    { user: { username: 'ben' }, count: 5 },
  ];
  const metrics = { uniqueUserCount: 1, topSqlQueries: ['select 1'] };
  assert.deepEqual(data?.['dataset'], {
    statsSummary: {
      queryCountLast30Days: 7,
      uniqueUserCountLast30Days: 2,
      topUsersLast30Days: [{ username: 'ben' }, { username: 'ana' }],
    },
    usageStats: {
      buckets: [
        {
          duration: 'DAY',
          resource: orders,
          metrics: { ...metrics, totalSqlQueries: 5, users: [{ ...ben5, userEmail: 'ben@example.org' }] },
        },
        {
          duration: 'DAY',
          resource: orders,
          metrics: { ...metrics, totalSqlQueries: 2, users: [{ ...ana2, userEmail: 'ana@example.org' }] },
        },
      ],
      aggregations: {
        uniqueUserCount: 2,
        totalSqlQueries: 7,
        fields: [{ fieldName: 'id', count: 7 }],
        users: [ben5, ana2],
      },
    },
    all: { aggregations: { totalSqlQueries: 107 } },
    day: { aggregations: { totalSqlQueries: 0 } },
  });
});

test('what was never measured is empty, and its summaries are null', async () => {
  await using model = await openReadModel();
  const { data, errors } = await model.ask(
    `{ dataset(urn: "${orders}") { datasetProfiles { rowCount } operations { actor } usageStats { buckets { bucket } }
       statsSummary { queryCountLast30Days } embed { renderUrl } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['dataset'], {
    datasetProfiles: [],
    operations: [],
    usageStats: null,
    statsSummary: null,
    embed: null,
  });
});
