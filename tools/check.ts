import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `usage: npm run check [-- OPTIONS]

Checks everything that can be checked without a person: format, lint, types, unused code, generated files, tests.

  --no-tests    all but the tests
  --fix-format  only format the files, in place (npm run format)
  --help        this text

Exit code: 0 nothing to complain about, 1 something failed (its output is shown), 2 wrong arguments.`;

const root = dirname(import.meta.dirname);

/** One check: a script that Node.js runs in the repository's folder, and that fails with an exit code. */
type Step = { readonly name: string; readonly script: string; readonly args: readonly string[] };

const formatter = 'node_modules/oxfmt/bin/oxfmt';
const quickSteps: readonly Step[] = [
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--project', '.'] },
  { name: 'unused code', script: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
  { name: 'lint', script: 'node_modules/oxlint/bin/oxlint', args: ['--type-aware'] },
  { name: 'format', script: formatter, args: ['--check'] },
  { name: 'generated files', script: 'tools/generate.ts', args: ['--check'] },
];
const tests: Step = { name: 'tests', script: 'tools/test.ts', args: [] };

/** Runs a step, says how it went in one line, and shows its output when it failed. */
async function passes(step: Step): Promise<boolean> {
  const start = performance.now();
  const child = spawn(process.execPath, [join(root, step.script), ...step.args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await once(child, 'close');
  const hasPassed = child.exitCode === 0;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(16)} ${seconds.padStart(5)} s`);
  if (!hasPassed) console.log(`\n${output.trimEnd()}\n`);
  return hasPassed;
}

/** All steps, two at a time: what fails is told at once, and the others are still worth knowing. */
async function pass(steps: readonly Step[]): Promise<boolean> {
  const waiting = [...steps];
  let allPassed = true;
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (!(await passes(step))) allPassed = false;
    }
  };
  await Promise.all([work(), work()]);
  return allPassed;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'no-tests': { type: 'boolean' },
      'fix-format': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return 0;
  }
  if (values['fix-format'] === true) {
    return (await pass([{ name: 'format in place', script: formatter, args: [] }])) ? 0 : 1;
  }
  if (!(await pass(quickSteps))) return 1;
  return values['no-tests'] === true || (await pass([tests])) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
