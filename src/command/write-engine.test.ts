import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Command } from './command.ts';
import { createWriteEngine } from './write-engine.ts';

const tag = parseUrn('urn:li:tag:pii');

const rename: Command<string, true> = {
  name: 'rename',
  demands: () => [],
  async decide(_view, name) {
    return { writes: [{ urn: tag, aspect: 'tagProperties', body: { name } }], result: true };
  },
};

test('commands are refused while no transaction can begin, and go on as soon as one can', async () => {
  await using catalogue = await openTestCatalogue();
  const unreachable = new PostilError('STORAGE_UNREACHABLE', 'No server answers');
  let isAway = true;
  let begun = 0;
  const { execute } = createWriteEngine({
    store: {
      ...catalogue.store,
      transact: (work) => {
        begun += 1;
        return isAway ? Promise.reject(unreachable) : catalogue.store.transact(work);
      },
    },
    projections: catalogue.projections,
    now: Date.now,
    newId: () => 'id',
  });
  const refused = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => execute(rename, name, catalogue.admin)),
  );
  assert.deepEqual(
    refused.map((each) => each.status === 'rejected' && each.reason),
    [unreachable, unreachable, unreachable],
  );
  assert.equal(begun, 1);
  isAway = false;
  assert.equal(await execute(rename, 'd', catalogue.admin), true);
});

test('a decision that never ends is given up, and holds up nobody else', async () => {
  await using catalogue = await openTestCatalogue();
  const { execute } = createWriteEngine({
    store: catalogue.store,
    projections: catalogue.projections,
    now: Date.now,
    newId: () => 'id',
    decisionMillisecondsMax: 20,
  });
  const stuck: Command<null, true> = {
    name: 'stuck',
    demands: () => [],
    decide: () => new Promise(() => {}),
  };
  const [before, lost, after] = await Promise.allSettled([
    execute(rename, 'a', catalogue.admin),
    execute(stuck, null, catalogue.admin),
    execute(rename, 'b', catalogue.admin),
  ]);
  assert.equal(before.status, 'fulfilled');
  assert.equal(after.status, 'fulfilled');
  assert.equal(lost.status, 'rejected');
  assert.ok(lost.reason instanceof PostilError && lost.reason.code === 'TIMED_OUT', String(lost.reason));
  assert.match(lost.reason.message, /stuck/);
  assert.deepEqual(await catalogue.body('urn:li:tag:pii', 'tagProperties'), { name: 'b' });
});

test('a decision with a bug fails alone', async () => {
  await using catalogue = await openTestCatalogue();
  const broken: Command<null, true> = {
    name: 'broken',
    demands: () => [],
    decide: () => Promise.reject(new TypeError('a bug')),
  };
  const [, failed] = await Promise.allSettled([
    catalogue.execute(rename, 'a'),
    catalogue.execute(broken, null),
    catalogue.execute(rename, 'b'),
  ]);
  assert.ok(failed.status === 'rejected' && failed.reason instanceof TypeError);
  assert.equal(await catalogue.lastSequence(), 3);
});

test('whoever finds the queue full is told to come back, and the others are served', async () => {
  await using catalogue = await openTestCatalogue();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10_050 }, () => catalogue.execute(rename, 'same')),
  );
  const refused = outcomes.filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 50);
  for (const { reason } of refused) assert.ok(reason instanceof PostilError && reason.code === 'OVERLOADED');
});

test('a removed entity keeps nothing, whatever the same command writes of it', async () => {
  await using catalogue = await openTestCatalogue();
  const removeAndWrite: Command<null, true> = {
    name: 'removeAndWrite',
    demands: () => [],
    decide: async () => ({
      writes: [
        { urn: tag, aspect: 'tagProperties', body: { name: 'late' } },
        { urn: tag, aspect: 'tagKey', body: undefined },
        { urn: tag, aspect: 'status', body: { removed: false } },
      ],
      result: true,
    }),
  };
  await catalogue.seed('urn:li:tag:pii', { tagProperties: { name: 'pii' } });
  await catalogue.execute(removeAndWrite, null);
  assert.deepEqual(await catalogue.store.read(tag), new Map());
  await catalogue.changesNothing(removeAndWrite, null);
});
