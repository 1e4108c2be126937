import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { openSqliteStore } from './sqlite-aspect-store.ts';

const opener = `
  import { openSqliteStore } from ${JSON.stringify(new URL('./sqlite-aspect-store.ts', import.meta.url).href)};
  process.stdin.resume();
  process.stdout.write('ready\\n');
  process.stdin.once('data', async () => {
    try {
      await openSqliteStore(process.argv[1]);
      // Nothing refers to the store any more; it is held all the same.
      for (let round = 0; round < 3; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        globalThis.gc();
      }
      process.stdout.write('open\\n');
    } catch (error) {
      process.stdout.write(error.code + ' ' + error.message + '\\n');
      process.exit();
    }
  });
`;

type Opener = {
  readonly child: ChildProcess;
  /** Tells the process to open the store; answers 'open', or why it could not. */
  open(): Promise<string>;
};

/** A process that waits to be told to open the store, and then holds it until it is killed. */
async function startOpener(folder: string): Promise<Opener> {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', opener, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  await nextLine();
  return {
    child,
    open() {
      child.stdin.write('open\n');
      return nextLine();
    },
  };
}

async function kill({ child }: Opener): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('one process holds an embedded store (promise R23)', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'postil-lock-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  test('a second open in the same process is refused by name, and succeeds after the first is closed', async () => {
    const store = await openSqliteStore(folder);
    const refused = { code: 'STORE_LOCKED', message: new RegExp(`process ${process.pid} on `) };
    await assert.rejects(openSqliteStore(folder), refused);
    // A refused open must not give away the lock of the first.
    await assert.rejects(openSqliteStore(folder), refused);
    await store.close();
    const again = await openSqliteStore(folder);
    await again.close();
  });

  test('another process is refused and told who holds the store', async () => {
    const store = await openSqliteStore(folder);
    const other = await startOpener(folder);
    assert.match(
      await other.open(),
      new RegExp(`^STORE_LOCKED The store is in use by process ${process.pid} on `),
    );
    await store.close();
    await kill(other);
  });

  test('the store of a killed process opens at once', async () => {
    const holder = await startOpener(folder);
    assert.equal(await holder.open(), 'open');
    await assert.rejects(openSqliteStore(folder), {
      code: 'STORE_LOCKED',
      message: new RegExp(`process ${holder.child.pid} on `),
    });
    await kill(holder);
    const store = await openSqliteStore(folder);
    await store.close();
  });

  test('of 20 processes that open one store at the same moment exactly one gets it', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'postil-lock-'));
    const openers: Opener[] = [];
    for (let started = 0; started < 20; started += 1) openers.push(await startOpener(empty));
    const answers = await Promise.all(openers.map((each) => each.open()));
    await Promise.all(openers.map(kill));
    rmSync(empty, { recursive: true });
    assert.equal(answers.filter((answer) => answer === 'open').length, 1);
    assert.equal(answers.filter((answer) => answer.startsWith('STORE_LOCKED ')).length, 19);
  });
});
