import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { createIndexedEntities } from './indexed-entities.ts';
import { numberSetOf } from './number-set.ts';
import { createUsage } from './usage.ts';

const hive = parseUrn('urn:li:dataPlatform:hive');
const kafka = parseUrn('urn:li:dataPlatform:kafka');
const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');

const numberOfDataset = 5;

function openUsage(numbersOf: (urns: readonly Urn[]) => Promise<ReadonlyMap<Urn, number>>) {
  const entities = createIndexedEntities(['platform']);
  const usage = createUsage({ index: { numbersOf }, entities });
  return {
    entities,
    /** Stores a dataset of a platform. */
    put(number: number, platform: Urn): void {
      entities.put({
        number,
        urn: dataset,
        entries: [{ aspect: 'datasetKey', fields: { platform: [platform] } }],
      });
    },
    mostUsed: (count = 5) => usage.mostUsed(numberSetOf([1, 2], 10), count),
  };
}

test('what has no number yet is asked for again after a change, and only then', async () => {
  const stored = new Map<Urn, number>();
  let asked = 0;
  let meanwhile = (): void => undefined;
  const { put, mostUsed } = openUsage(async () => {
    asked += 1;
    const found = new Map(stored);
    meanwhile();
    return found;
  });
  put(numberOfDataset, hive);
  assert.deepEqual([await mostUsed(), await mostUsed(), asked], [[], [], 1]);
  // Somebody stores it while it is asked for: the answer is from before.
  put(numberOfDataset, hive);
  meanwhile = () => {
    stored.set(hive, 2);
    put(2, kafka);
    meanwhile = () => undefined;
  };
  assert.deepEqual(await mostUsed(), []);
  assert.deepEqual(await mostUsed(), [2]);
  assert.equal(asked, 3);
});

test('who is used more comes first, after every change', async () => {
  const numbers = new Map([
    [hive, 1],
    [kafka, 2],
  ]);
  const { put, mostUsed, entities } = openUsage(async () => numbers);
  put(5, kafka);
  assert.deepEqual(await mostUsed(), [2]);
  put(6, hive);
  put(7, hive);
  assert.deepEqual(await mostUsed(), [1, 2]);
  assert.deepEqual(await mostUsed(1), [1]);
  entities.remove(6);
  entities.remove(7);
  assert.deepEqual(await mostUsed(), [2]);
});
