import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Execute } from '../../command/command.ts';
import { parseUrn } from '../../urn/urn.ts';
import { addTags, gold } from './action.fixture.ts';
import { type ActingCatalogue, openActingCatalogue } from './acting-catalogue.fixture.ts';
import { readLog } from './action-log.ts';
import { undoRun } from './manage-runs.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const all = parseUrn('urn:li:test:all');

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postil-actions-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing twice, nothing missing, and all of it in the log. */
async function assertOnce({ store, runs }: ActingCatalogue, count: number): Promise<void> {
  const changes = await store.changes({ after: 0, count: 10_000 });
  const written = changes.filter(({ aspect }) => aspect === 'globalTags').map(({ urn }) => urn);
  assert.equal(written.length, count);
  assert.equal(new Set(written).size, count);
  const [run] = await runs(all);
  assert.ok(run);
  const log = await readLog(store.verdicts, run, { count: 10_000 });
  assert.equal(log.length, count);
  assert.deepEqual([...new Set(log.map(({ status }) => status))], ['done']);
  assert.equal(run.counts.done, count);
}

describe('A2: the queue of actions and sudden death', () => {
  const deaths: Readonly<Record<string, (execute: Execute) => Execute>> = {
    'before anything was written': () => () => Promise.reject(new Error('died')),
    'after it was written and before that was noted': (execute) => async (command, input, caller) => {
      await execute(command, input, caller);
      throw new Error('died');
    },
  };
  for (const [when, around] of Object.entries(deaths)) {
    it(`A2: what was interrupted ${when} is done once, and can be undone`, () =>
      inFolder(async (folder) => {
        {
          await using dying = await openActingCatalogue({ folder, around });
          await dying.catalogue.seed(orders);
          await dying.save('all', { passing: [addTags(gold)] });
          assert.ok(dying.attended.some((line) => line.includes('died')));
        }
        await using acting = await openActingCatalogue({ folder });
        await acting.settle();
        assert.deepEqual(await acting.tagsOf(orders), [gold]);
        await assertOnce(acting, 1);
        const [run] = await acting.runs(all);
        const report = await undoRun(acting.services, all, run?.id ?? '', acting.catalogue.admin);
        assert.deepEqual(report, { entities: 1, undone: 1, kept: 0 });
      }));
  }

  it('A2: what stop finds queued is done before it resolves, or at the next start', () =>
    inFolder(async (folder) => {
      {
        await using resting = await openActingCatalogue({ folder, isActing: false });
        await resting.catalogue.seed(orders);
        await resting.settle();
      }
      await using acting = await openActingCatalogue({ folder });
      await acting.save('all', { passing: [addTags(gold)] });
      await acting.catalogue.seed(orders.replace('orders', 'late'));
      await acting.keeper.settled();
      await acting.runner.stop();
      assert.deepEqual(await acting.tagsOf(orders.replace('orders', 'late')), [gold]);
    }));

  it('A2: after kill -9 in the middle of the queue, everything is done exactly once', () =>
    inFolder(async (folder) => {
      const script = fileURLToPath(new URL('acting-process.fixture.ts', import.meta.url));
      const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      // Eight commands write all of it.
      const deadly = 1 + Math.floor(Math.random() * 7);
      let written = 0;
      for await (const text of child.stdout) {
        written += String(text).split('wrote').length - 1;
        if (written >= deadly) break;
      }
      await delay(Math.random() * 5);
      child.kill('SIGKILL');
      await exited;
      await using acting = await openActingCatalogue({ folder });
      await acting.settle();
      const [run] = await acting.runs(all);
      if (run?.status === 'paused') await acting.approve(all);
      await assertOnce(acting, 400);
    }));
});
