import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import type { Proposal } from './proposal.ts';
import {
  orders,
  proposal,
  described,
  ingest,
  description,
  version,
  refusedUnchanged,
} from './ingest-proposals.fixture.ts';

test('CREATE refuses an aspect that exists, stored or earlier in the batch', async () => {
  await using catalogue = await openTestCatalogue();
  const create = described('b', { changeType: 'CREATE', systemMetadata: { runId: 'r2' } });
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('a'), create]),
    'ALREADY_EXISTS',
    'since the aspect already exists',
    orders,
  );
  await ingest(catalogue, [create]);
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('c', { changeType: 'CREATE', systemMetadata: { runId: 'r2' } })]),
    'ALREADY_EXISTS',
  );
});

test('a CREATE that arrives twice is done', async () => {
  await using catalogue = await openTestCatalogue();
  const create = described('a', { changeType: 'CREATE', systemMetadata: { runId: 'r1' } });
  await ingest(catalogue, [create]);
  await ingest(catalogue, [create]);
  assert.equal(await version(catalogue), 1);
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('a', { changeType: 'CREATE', systemMetadata: { runId: 'r2' } })]),
    'ALREADY_EXISTS',
  );
});

test('CREATE_ENTITY refuses an entity that exists, but not its own repeat', async () => {
  await using catalogue = await openTestCatalogue();
  const key = { platform: 'urn:li:dataPlatform:hive', name: 'shop.orders', origin: 'PROD' };
  const create = proposal({
    aspect: 'datasetKey',
    changeType: 'CREATE_ENTITY',
    body: key,
    systemMetadata: { runId: 'r1' },
  });
  await ingest(catalogue, [create, described('a')]);
  await ingest(catalogue, [create, described('a')]);
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('b', { changeType: 'CREATE_ENTITY' })]),
    'ALREADY_EXISTS',
    'since the entity key already exists',
  );
});

test('If-None-Match drops the write without a word when the aspect exists', async () => {
  await using catalogue = await openTestCatalogue();
  const onlyIfAbsent = { preconditions: { onlyIfAbsent: true } };
  await ingest(catalogue, [described('a', onlyIfAbsent), described('b', onlyIfAbsent)]);
  await ingest(catalogue, [described('c', onlyIfAbsent)]);
  assert.equal(await description(catalogue), 'a');
});

test('If-Version-Match writes only over the version it names', async () => {
  await using catalogue = await openTestCatalogue();
  const over = (number: number): Partial<Proposal> => ({ preconditions: { version: number } });
  await ingest(catalogue, [described('a', over(-1))]);
  await ingest(catalogue, [described('b', over(1))]);
  assert.equal(await version(catalogue), 2);
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('c', over(1))]),
    'PRECONDITION_FAILED',
    'Expected version 1, actual version 2',
  );
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('c', over(-1))]),
    'PRECONDITION_FAILED',
    'Expected version -1, actual version 2',
  );
});

test('If-Unmodified-Since and If-Modified-Since compare with the time of the last change', async () => {
  await using catalogue = await openTestCatalogue({ now: () => 1000 });
  await ingest(catalogue, [described('a')]);
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('b', { preconditions: { unmodifiedSince: 999 } })]),
    'PRECONDITION_FAILED',
  );
  await refusedUnchanged(
    catalogue,
    () => ingest(catalogue, [described('b', { preconditions: { modifiedSince: 1000 } })]),
    'PRECONDITION_FAILED',
  );
  await ingest(catalogue, [described('b', { preconditions: { unmodifiedSince: 1000, modifiedSince: 999 } })]);
  assert.equal(await description(catalogue), 'b');
});

test('DELETE removes an aspect, and with the key aspect the entity; absent ones are no error', async () => {
  await using catalogue = await openTestCatalogue();
  const remove = (aspect: string): Proposal => ({ urn: orders, aspect, changeType: 'DELETE' });
  await ingest(catalogue, [proposal(), proposal({ aspect: 'status', body: { removed: false } })]);
  await ingest(catalogue, [remove('status')]);
  assert.deepEqual([...(await catalogue.store.read(orders)).keys()].sort(), [
    'dataPlatformInstance',
    'datasetKey',
    'datasetProperties',
  ]);
  await ingest(catalogue, [remove('datasetKey')]);
  assert.equal((await catalogue.store.read(orders)).size, 0);
  const before = await catalogue.lastSequence();
  await ingest(catalogue, [remove('datasetKey'), remove('status')]);
  assert.equal(await catalogue.lastSequence(), before);
});

test('an entity that is deleted and comes back in one batch has only what came after', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, [described('a'), proposal({ aspect: 'status', body: { removed: true } })]);
  await ingest(catalogue, [
    described('lost'),
    { urn: orders, aspect: 'datasetKey', changeType: 'DELETE' },
    { urn: orders, aspect: 'status', changeType: 'DELETE' },
    described('b', { changeType: 'CREATE_ENTITY' }),
  ]);
  assert.equal(await description(catalogue), 'b');
  assert.deepEqual([...(await catalogue.store.read(orders)).keys()].sort(), [
    'dataPlatformInstance',
    'datasetKey',
    'datasetProperties',
  ]);
});

test('a term that is deleted is detached from datasets, columns and other terms in the same command', async () => {
  await using catalogue = await openTestCatalogue();
  const [gone, other, kept] = ['gone', 'other', 'kept'].map((id) => parseUrn(`urn:li:glossaryTerm:${id}`));
  assert.ok(gone !== undefined && other !== undefined && kept !== undefined);
  const info = (urn: Urn): Proposal =>
    proposal({ urn, aspect: 'glossaryTermInfo', body: { definition: 'd', termSource: 'INTERNAL' } });
  const terms = (...urns: readonly Urn[]): JsonObject => ({
    terms: urns.map((urn) => ({ urn })),
    auditStamp: { time: 0, actor: 'urn:li:corpuser:ana' },
  });
  await ingest(catalogue, [
    ...[gone, other, kept].map(info),
    proposal({
      urn: kept,
      aspect: 'glossaryRelatedTerms',
      body: { isRelatedTerms: [gone, other], values: [kept] },
    }),
    proposal({ aspect: 'glossaryTerms', body: terms(gone, kept, other) }),
    proposal({
      aspect: 'editableSchemaMetadata',
      body: { editableSchemaFieldInfo: [{ fieldPath: 'id', glossaryTerms: terms(gone) }] },
    }),
  ]);
  const remove = (urn: Urn): Proposal => ({ urn, aspect: 'glossaryTermKey', changeType: 'DELETE' });
  await ingest(catalogue, [remove(gone), remove(other)]);
  assert.deepEqual(await catalogue.body(orders, 'glossaryTerms'), terms(kept));
  assert.deepEqual(await catalogue.body(orders, 'editableSchemaMetadata'), {
    editableSchemaFieldInfo: [{ fieldPath: 'id', glossaryTerms: terms() }],
  });
  assert.deepEqual(await catalogue.body(kept, 'glossaryRelatedTerms'), {
    isRelatedTerms: [],
    values: [kept],
  });
  for (const urn of [gone, other]) assert.equal((await catalogue.store.read(urn)).size, 0);
});

test('a tag and a domain that are deleted are detached in the same command', async () => {
  await using catalogue = await openTestCatalogue();
  const [tag, domain] = [parseUrn('urn:li:tag:gone'), parseUrn('urn:li:domain:gone')];
  await ingest(catalogue, [
    proposal({ urn: tag, aspect: 'tagProperties', body: { name: 'Gone' } }),
    proposal({ urn: domain, aspect: 'domainProperties', body: { name: 'Gone' } }),
    proposal({ aspect: 'globalTags', body: { tags: [{ tag }] } }),
    proposal({ aspect: 'domains', body: { domains: [domain] } }),
  ]);
  await ingest(catalogue, [
    { urn: tag, aspect: 'tagKey', changeType: 'DELETE' },
    { urn: domain, aspect: 'domainKey', changeType: 'DELETE' },
  ]);
  assert.deepEqual(await catalogue.body(orders, 'globalTags'), { tags: [] });
  assert.deepEqual(await catalogue.body(orders, 'domains'), { domains: [] });
});
