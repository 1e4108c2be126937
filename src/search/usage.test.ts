import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { createIndexedEntities } from './indexed-entities.ts';
import { numberSetOf } from './number-set.ts';
import { createUsage } from './usage.ts';

const hive = parseUrn('urn:li:dataPlatform:hive');
const kafka = parseUrn('urn:li:dataPlatform:kafka');
const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');

test('what has no number yet is asked for again after a change, and only then', async () => {
  const entities = createIndexedEntities(['platform']);
  entities.put({
    number: 1,
    urn: dataset,
    entries: [{ aspect: 'datasetKey', fields: { platform: [hive] } }],
  });
  const stored = new Map<Urn, number>();
  const asked: (readonly Urn[])[] = [];
  const follower = { seen: 5 };
  let meanwhile = (): void => undefined;
  const numbersOf = async (urns: readonly Urn[]): Promise<ReadonlyMap<Urn, number>> => {
    asked.push(urns);
    const found = new Map([...stored].filter(([urn]) => urns.includes(urn)));
    meanwhile();
    return found;
  };
  const usage = createUsage({ index: { numbersOf }, entities, follower });
  const mostUsed = () => usage.mostUsed(numberSetOf([1, 2], 10), 5);
  assert.deepEqual([await mostUsed(), await mostUsed()], [[], []]);
  assert.deepEqual(asked, [[hive]]);
  // Somebody stores it while it is asked for: the answer is from before.
  follower.seen = 6;
  meanwhile = () => {
    stored.set(hive, 2);
    follower.seen = 7;
    meanwhile = () => undefined;
  };
  assert.deepEqual(await mostUsed(), []);
  assert.deepEqual(await mostUsed(), [2]);
  follower.seen = 8;
  assert.deepEqual(await mostUsed(), [2]);
  assert.equal(asked.length, 3);
});

test('who is used more comes first, after every change and whenever everything is read anew', async () => {
  const entities = createIndexedEntities(['platform']);
  const numbers = new Map<Urn, number>([
    [hive, 1],
    [kafka, 2],
  ]);
  const follower = { seen: 1 };
  const usage = createUsage({ index: { numbersOf: async () => numbers }, entities, follower });
  const mostUsed = (count: number) => usage.mostUsed(numberSetOf([1, 2], 10), count);
  const put = (number: number, platform: Urn): void =>
    entities.put({
      number,
      urn: dataset,
      entries: [{ aspect: 'datasetKey', fields: { platform: [platform] } }],
    });
  put(5, kafka);
  assert.deepEqual(await mostUsed(5), [2]);
  put(6, hive);
  put(7, hive);
  follower.seen = 2;
  assert.deepEqual(await mostUsed(5), [1, 2]);
  assert.deepEqual(await mostUsed(1), [1]);
  put(6, kafka);
  usage.forget();
  assert.deepEqual(await mostUsed(5), [2, 1]);
});
