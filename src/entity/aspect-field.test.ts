import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { createRequestContext, type RequestContext } from '../graphql/request-context.ts';
import { parseUrn } from '../urn/urn.ts';
import { fromAspect } from './aspect-field.ts';

test('what is made from an aspect is made once in a request, and anew after a change', async () => {
  await using catalogue = await openTestCatalogue();
  const urn = parseUrn('urn:li:tag:pii');
  const put = (name: string): Promise<unknown> => catalogue.seed(urn, { tagProperties: { name } });
  let made = 0;
  const field = fromAspect('tagProperties', (body) => {
    made += 1;
    return { name: body['name'] };
  });
  const request = (): RequestContext =>
    createRequestContext({
      caller: catalogue.editor,
      reader: catalogue.store,
      execute: catalogue.engine.execute,
      now: () => 0,
      services: {},
    });
  await put('one');
  const first = request();
  const values = await Promise.all(Array.from({ length: 100 }, async () => field({ urn }, {}, first)));
  assert.equal(made, 1);
  assert.ok(values.every((value) => value?.name === 'one'));
  await put('two');
  assert.deepEqual(await field({ urn }, {}, request()), { name: 'two' });
  assert.equal(made, 2);
});
