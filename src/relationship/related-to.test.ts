import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { parseUrn } from '../urn/urn.ts';
import { relatedTo } from './related-to.ts';

it('looking at what is related ends when its time is over', async () => {
  await using catalogue = await openTestCatalogue();
  const tag = parseUrn('urn:li:tag:pii');
  const dataset = await catalogue.seed('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)', {
    globalTags: { tags: [{ tag }] },
  });
  const query = {
    urn: tag,
    direction: 'INCOMING',
    kinds: ['TaggedWith'],
    start: 0,
    count: 10,
    distinct: true,
  } as const;
  const source = { reader: catalogue.store, load: () => undefined };
  assert.deepEqual(
    (await relatedTo(query, false, source)).items.map(({ urn }) => urn),
    [dataset],
  );
  await assert.rejects(relatedTo(query, false, source, 0), /took longer than 0 milliseconds/);
});
