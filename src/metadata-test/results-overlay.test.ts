import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import type { Aspect } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { definitionMd5 } from './canonical-text.ts';
import { arrive, putState } from './history/history.fixture.ts';
import { overlaidResults } from './results-overlay.ts';
import { storeTestResults } from './run-tests.ts';
import { createTestLibrary, type TestLibrary } from './test-library.ts';

const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const plain = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.plain,PROD)');
const kept = parseUrn('urn:li:test:kept');
const other = parseUrn('urn:li:test:other');
const json = JSON.stringify({ on: { types: ['dataset'] }, rules: [] });
const md5 = definitionMd5(json);
const actor = 'urn:li:corpuser:__datahub_system';

let catalogue: TestCatalogue;
let library: TestLibrary;
const now = Date.now() + 3_600_000;

before(async () => {
  catalogue = await openTestCatalogue();
  library = createTestLibrary(catalogue.store);
  for (const urn of [kept, other]) {
    await catalogue.seed(urn, { testInfo: { name: 't', category: 'c', definition: { type: 'JSON', json } } });
  }
  const entry = (test: Urn, type: string): JsonObject => ({ test, type });
  await catalogue.seed(orders, {
    testResults: {
      failing: [entry(parseUrn('urn:li:test:foreign'), 'FAILURE'), entry(kept, 'FAILURE')],
      passing: [entry(other, 'SUCCESS')],
    },
  });
  await catalogue.seed(plain);
});
after(() => catalogue.close());

async function overlay(urn: Urn, at = now): Promise<Aspect | undefined> {
  const stored = (await catalogue.store.read(urn, ['testResults'])).get('testResults');
  const sources = { library, verdicts: catalogue.store.verdicts };
  return (await overlaidResults(sources, new Map([[urn, stored]]), at)).get(urn);
}

async function shown(urn: Urn, at = now): Promise<unknown> {
  const body = (await overlay(urn, at))?.body;
  if (body === undefined) return undefined;
  const testsIn = (list: unknown): unknown => (list as JsonObject[]).map(({ test }) => test);
  return { failing: testsIn(body['failing']), passing: testsIn(body['passing']) };
}

it('results are as they were stored while no verdicts are kept', async () => {
  const stored = (await catalogue.store.read(orders, ['testResults'])).get('testResults');
  assert.equal((await overlay(orders))?.text, stored?.text);
  assert.equal(await overlay(plain), undefined);
});

it('a kept verdict wins over the stored entry, and entries of tests that are not kept stay as they are', async () => {
  await putState(catalogue.store, kept, { definitionMd5: md5, completedAt: 150, confirmedAt: 170 });
  await arrive(
    catalogue.store,
    kept,
    100,
    new Map([
      [orders, 'PASS'],
      [plain, 'FAIL'],
    ]),
  );
  assert.deepEqual(await shown(orders), { failing: ['urn:li:test:foreign'], passing: [kept, other] });
  const aspect = await overlay(plain);
  assert.deepEqual(aspect?.body, {
    failing: [{ test: kept, type: 'FAILURE', testDefinitionMd5: md5, lastComputed: { time: 170, actor } }],
    passing: [],
  });
  assert.deepEqual([aspect?.text, aspect?.version], [JSON.stringify(aspect?.body), 0]);
});

it('who is exempt or out of scope has no entry, whatever was stored', async () => {
  for (const verdict of ['EXEMPT', 'NONE'] as const) {
    await arrive(catalogue.store, kept, 200, new Map([[orders, verdict]]));
    assert.deepEqual(await shown(orders), { failing: ['urn:li:test:foreign'], passing: [other] });
  }
});

it('until the first evaluation of a test has ended, who has no verdict keeps the stored entry', async () => {
  await putState(catalogue.store, kept, { definitionMd5: md5, completedAt: null, confirmedAt: null });
  assert.deepEqual(await shown(orders), { failing: ['urn:li:test:foreign', kept], passing: [other] });
  await putState(catalogue.store, kept, { definitionMd5: md5, isActive: false });
  assert.deepEqual(await shown(orders), { failing: ['urn:li:test:foreign', kept], passing: [other] });
});

it('whoever just had results stored reads them, although the verdicts follow later', async () => {
  await putState(catalogue.store, kept, { definitionMd5: md5 });
  await arrive(catalogue.store, kept, 300, new Map([[orders, 'FAIL']]));
  await catalogue.execute(storeTestResults(await library.all()), { urns: [orders], testUrns: [kept] });
  const soon = Date.now() + 1_000;
  assert.deepEqual(await shown(orders, soon), { failing: ['urn:li:test:foreign'], passing: [kept, other] });
  assert.deepEqual(
    await shown(orders, now),
    { failing: ['urn:li:test:foreign', kept], passing: [other] },
    'an hour later the verdicts count',
  );
  await arrive(catalogue.store, kept, Date.now() + 1, new Map([[orders, 'EXEMPT']]));
  assert.deepEqual(
    await shown(orders, soon),
    { failing: ['urn:li:test:foreign'], passing: [other] },
    'a later verdict counts',
  );
});
