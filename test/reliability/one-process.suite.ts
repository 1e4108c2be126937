import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { figure } from './seeded-random.ts';
import { launchServer } from './server-process.ts';

/** Promise R23. */
const rounds = 100;
const atOnce = 20;

const opener = `
  import { createInterface } from 'node:readline';
  import { openStore } from ${JSON.stringify(new URL('../../src/storage/open-store.ts', import.meta.url).href)};
  console.log('waiting');
  createInterface({ input: process.stdin }).on('line', async (folder) => {
    console.log(await openStore(folder).then(() => 'open', (error) => error.code + ' ' + error.message));
  });
`;

type Opener = {
  readonly child: ChildProcess;
  /** Tells the process to open the store; answers 'open', or why it did not. */
  open(folder: string): Promise<string>;
  kill(): Promise<void>;
};

/** A process that opens stores when it is told to, so that many do it at the same moment. */
async function startOpener(): Promise<Opener> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', opener], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  assert.equal(await nextLine(), 'waiting');
  return {
    child,
    open(folder) {
      child.stdin.write(`${folder}\n`);
      return nextLine();
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('R23: of 20 processes that open one store at once exactly one gets it, and its death frees the store', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-one-process-'));
  let openers = await Promise.all(Array.from({ length: atOnce }, startOpener));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      // In each round the holder of the one before was killed and a fresh process took its place.
      const answers = await Promise.all(openers.map((each) => each.open(folder)));
      const winners = openers.filter((_, index) => answers[index] === 'open');
      assert.equal(winners.length, 1, `round ${round}: ${answers.join('\n')}`);
      for (const answer of answers) assert.match(answer, /^open$|^STORE_LOCKED The store is in use by /);
      await Promise.all(winners.map((each) => each.kill()));
      const others = openers.filter((each) => !winners.includes(each));
      openers = [...others, await startOpener()];
    }
  } finally {
    await Promise.all(openers.map((each) => each.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
  figure(
    context,
    'R23',
    `${rounds} times ${atOnce} processes at once: one opened the store each time, none was blocked by a killed one`,
  );
});

test('R23: of 20 servers started at once one serves, and the others end and say who does', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-one-server-'));
  const servers = Array.from({ length: atOnce }, () => launchServer(folder));
  try {
    const outcomes = await Promise.allSettled(servers.map(({ ready }) => ready));
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    assert.equal(refusals.length, atOnce - 1);
    for (const refusal of refusals)
      assert.match(refusal, /ended with 3: .*The store is in use by (process \d+ on |another process)/s);
  } finally {
    await Promise.all(servers.map(({ kill }) => kill()));
  }
  const next = launchServer(folder);
  await next.ready;
  await next.kill();
  rmSync(folder, { recursive: true, force: true });
  figure(
    context,
    'R23',
    `${atOnce} servers started at once: one serves; the next one starts after it was killed`,
  );
});
