import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startTestServer } from '../../test/server.ts';

const reference = new URL('../../docs/reference/search.md', import.meta.url);
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

test('the examples of the reference are answered as it says', async () => {
  const examples = [
    ...readFileSync(reference, 'utf8').matchAll(/```graphql\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/g),
  ];
  assert.equal(examples.length, 6);
  await using server = await startTestServer();
  const stamp = { time: 0, actor: 'urn:li:corpuser:ana' };
  await server.ingest('urn:li:dataPlatform:hive', 'dataPlatformInfo', {
    name: 'hive',
    displayName: 'Hive',
    type: 'FILE_SYSTEM',
    datasetNameDelimiter: '.',
  });
  await server.ingest('urn:li:tag:pii', 'tagProperties', { name: 'Personal data' });
  await server.ingest('urn:li:glossaryNode:finance', 'glossaryNodeInfo', { name: 'Finance', definition: '' });
  await server.ingest('urn:li:glossaryTerm:revenue', 'glossaryTermInfo', {
    name: 'Revenue',
    definition: '',
    termSource: 'INTERNAL',
    parentNode: 'urn:li:glossaryNode:finance',
  });
  const orders = dataset('shop.orders');
  await server.ingest(orders, 'datasetProperties', {
    description: 'All orders of the shop',
    customProperties: {},
  });
  await server.ingest(orders, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] });
  await server.ingest(orders, 'glossaryTerms', {
    terms: [{ urn: 'urn:li:glossaryTerm:revenue' }],
    auditStamp: stamp,
  });
  await server.ingest(dataset('shop.sums'), 'upstreamLineage', {
    upstreams: [{ auditStamp: stamp, dataset: orders, type: 'TRANSFORMED' }],
  });
  for (const [, document = '', answer = ''] of examples) {
    assert.deepEqual(await server.data(document), JSON.parse(answer), document);
  }
});
