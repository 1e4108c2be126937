import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openRawStore } from './raw-store.ts';
import { figure, seededRandom } from './seeded-random.ts';
import { connect, launchServer, runPostil, startServer } from './server-process.ts';
import { createWritingClient } from './writing-client.ts';

/** Floor of promise R01. */
const cycles = 200;
const clientCount = 8;
/** Every so many cycles the server is also killed while it starts, so while it recovers. */
const startsKilledEvery = 10;

test('R01: what was acknowledged outlives 200 kills under load, with no half write and no gap in the log', async (context) => {
  const random = seededRandom('sudden death');
  const folder = mkdtempSync(join(tmpdir(), 'postil-sudden-death-'));
  const clients = Array.from({ length: clientCount }, (_, index) => createWritingClient(`client_${index}`));
  const startsMs: number[] = [];
  let acknowledged = 0;
  let server = await startServer(folder);
  try {
    const first = connect(server.url);
    for (const client of clients) await client.prepare(first);
    first.close();
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const { url, kill } = server;
      const writing = Promise.all(clients.map((client) => client.writeUntilGone(url)));
      await Promise.race([delay(random.between(5, 800)), writing]);
      await kill();
      acknowledged += (await writing).reduce((sum, each) => sum + each, 0);
      if (cycle % startsKilledEvery === 0) await killWhileStarting(folder, random.between(5, 300));
      server = await startServer(folder);
      startsMs.push(server.startMs);
      const reader = connect(server.url);
      await Promise.all(clients.map((client) => client.compare(reader))).catch((error: unknown) => {
        throw new Error(`after kill ${cycle} of ${cycles}`, { cause: error });
      });
      reader.close();
    }
    assert.equal(await server.stop(), 0, 'the server stops when it is asked to');
    const raw = openRawStore(folder);
    const { rows, last } = raw.changeLog();
    const histories = clients.map(({ parts }) => parts.map((urn) => raw.versions(urn, 'datasetProperties')));
    raw.close();
    assert.equal(rows, last, 'the change log has no gap');
    for (const [one = [], ...others] of histories) {
      for (const other of others)
        assert.deepEqual(other, one, 'every batch ever made is in all its datasets');
    }
    const check = await runPostil('check', '--store', folder);
    assert.equal(check.code, 0, check.output);
    startsMs.sort((left, right) => left - right);
    const slowest = startsMs[Math.ceil(startsMs.length * 0.99) - 1] ?? 0;
    figure(
      context,
      'R01',
      `${cycles} kills, ${acknowledged} acknowledged writes of ${clientCount} clients, 0 lost, 0 torn, log of ${last} ` +
        `without a gap, check clean; 99 of 100 restarts within ${Math.round(slowest)} ms`,
    );
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function killWhileStarting(folder: string, afterMs: number): Promise<void> {
  const { ready, kill } = launchServer(folder);
  await Promise.race([delay(afterMs), ready]);
  await kill();
  await ready.catch(() => undefined);
}
