import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { orders } from '../../test/sample-metadata.ts';

test('the character U+0000 is refused, and what only looks like its escape is kept', async () => {
  await using catalogue = await openTestCatalogue();
  for (const description of ['\0', 'a\\\0']) {
    await assert.rejects(
      catalogue.seed(orders, { datasetProperties: { description } }),
      /holds the character U\+0000/,
    );
  }
  assert.equal(await catalogue.lastSequence(), 0);
  for (const description of ['C:\\u0000', '\\\\u0000']) {
    await catalogue.seed(orders, { datasetProperties: { description } });
    assert.deepEqual(await catalogue.body(orders, 'datasetProperties'), { description });
  }
});
