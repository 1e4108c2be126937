import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostilError } from '../errors/postil-error.ts';
import { createWorkPace } from './work-pace.ts';

/** Keeps the process busy, as a piece of work does. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('however much long work is under way, others have a turn after each piece', async () => {
  const order: string[] = [];
  const isDone = Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const pace = createWorkPace(60_000);
      for (let piece = 0; piece < 5; piece += 1) {
        await pace.step();
        work(10);
        order.push(name);
      }
    }),
  ).then(() => true);
  const other = async (): Promise<false> => {
    await new Promise((resolve) => void setImmediate(resolve));
    return false;
  };
  while (!(await Promise.race([isDone, other()]))) order.push('|');
  const together = order
    .join('')
    .split('|')
    .map(({ length }) => length);
  assert.equal(order.filter((each) => each !== '|').length, 20);
  assert.ok(Math.max(...together) <= 2, order.join(''));
});

test('work that nobody waits for any more ends', async () => {
  await assert.rejects(
    createWorkPace(0).step(),
    (error) => error instanceof PostilError && error.code === 'TIMED_OUT',
  );
});

test('whoever waits too long for the work of others stops, and the work does not', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  await assert.rejects(
    createWorkPace(1).wait(promise),
    (error) => error instanceof PostilError && error.code === 'TIMED_OUT',
  );
  resolve('done');
  assert.equal(await createWorkPace(60_000).wait(promise), 'done');
  assert.equal(await createWorkPace(Number.POSITIVE_INFINITY).wait(promise), 'done');
});
