import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServerProcess } from './process-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const address = 'http://127.0.0.1:8080';

type Step = { readonly command: string; readonly expected: string };

/** The commands of the README's tour with what the README says they print. */
function tour(): readonly Step[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.split('\n## ').find((part) => part.startsWith('Five minutes with curl'));
  assert.ok(section !== undefined, 'the README has the tour');
  const lines = [...section.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    (block ?? '').split('\n'),
  );
  const steps: { command: string; expected: string }[] = [];
  for (const line of lines.filter((each) => each !== '')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), expected: '' });
    else {
      const last = steps.at(-1);
      assert.ok(last !== undefined);
      last.expected += `${line}\n`;
    }
  }
  return steps;
}

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0 && spawnSync('bash', ['--version']).status === 0;
}

test(
  'the tour of the README does what the README says',
  { skip: hasCurl() ? false : 'curl or bash is missing' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postil-readme-'));
    const steps = tour();
    assert.ok(steps.length >= 12, `${steps.length} commands`);
    const server = await startServerProcess(['--store', join(folder, 'store')], {
      POSTIL_TOKEN: 'bookshop-administrator-token',
    });
    try {
      const mark = '---end of step---';
      const script = steps.map(
        ({ command }) => `${command.replaceAll(address, server.url)} 2>/dev/null\necho '${mark}'`,
      );
      const printed = execFileSync('bash', ['-c', script.join('\n')], { cwd: root, encoding: 'utf8' });
      const outputs = printed.split(`${mark}\n`);
      for (const [index, { command, expected }] of steps.entries()) {
        assert.equal((outputs[index] ?? '').replaceAll(server.url, address), expected, command);
      }
    } finally {
      assert.equal(await server.stop(), 0, server.output());
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
