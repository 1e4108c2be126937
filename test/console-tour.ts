import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startServerProcess } from './process-server.ts';

const root = dirname(import.meta.dirname);
/** The address that pages name; a test's server has another one. */
const address = 'http://127.0.0.1:8080';

/** A command of a page, and what the page says it prints. */
export type Step = { readonly command: string; readonly expected: string };

/**
 * The commands in the `console` blocks of a text: lines that begin with `$ `, and those after them that begin with `> ` and go on
 * with the command; all other lines are what it prints.
 */
export function stepsIn(text: string): readonly Step[] {
  const lines = [...text.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    (block ?? '').split('\n'),
  );
  const steps: { command: string; expected: string }[] = [];
  for (const line of lines.filter((each) => each !== '')) {
    if (line.startsWith('$ ')) {
      steps.push({ command: line.slice(2), expected: '' });
      continue;
    }
    const last = steps.at(-1);
    assert.ok(last !== undefined);
    if (last.expected === '' && /^>(?: |$)/.test(line)) last.command += `\n${line.slice(2)}`;
    else last.expected += `${line}\n`;
  }
  return steps;
}

/** Why tours cannot run on this machine; `false` when they can. */
export function tourUnavailable(): string | false {
  const isThere = ['curl', 'bash'].every((program) => spawnSync(program, ['--version']).status === 0);
  return isThere ? false : 'curl or bash is missing';
}

/** Runs the commands in one shell at the root of the repository against a server with the sample; compares what each prints. */
export async function runTour(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postil-tour-'));
  const server = await startServerProcess(['--store', join(folder, 'store')], {
    POSTIL_TOKEN: 'bookshop-administrator-token',
  });
  try {
    const mark = '---end of step---';
    const script = steps.map(({ command }) => `${command.replaceAll(address, server.url)}\necho '${mark}'`);
    const printed = execFileSync('bash', ['-c', ['exec 2>/dev/null', ...script].join('\n')], {
      cwd: root,
      encoding: 'utf8',
      // A tour that makes a folder makes it here.
      env: { ...process.env, TMPDIR: folder },
    });
    const outputs = printed.split(`${mark}\n`);
    for (const [index, { command, expected }] of steps.entries()) {
      assert.equal((outputs[index] ?? '').replaceAll(server.url, address), expected, command);
    }
  } finally {
    assert.equal(await server.stop(), 0, server.output());
    rmSync(folder, { recursive: true, force: true });
  }
}
