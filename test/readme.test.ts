import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runTour, stepsIn, tourUnavailable } from './console-tour.ts';

const root = dirname(import.meta.dirname);
const skip = tourUnavailable();

test('the tour of the README does what the README says', { skip }, async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.split('\n## ').find((part) => part.startsWith('Five minutes with curl'));
  assert.ok(section !== undefined, 'the README has the tour');
  const steps = stepsIn(section);
  assert.ok(steps.length >= 12, `${steps.length} commands`);
  await runTour(steps);
});

test('the guide to the first metadata test does what it says', { skip }, async () => {
  const steps = stepsIn(readFileSync(join(root, 'docs/guides/first-metadata-test.md'), 'utf8'));
  assert.ok(steps.length >= 12, `${steps.length} commands`);
  await runTour(steps);
});

test('a command of several lines is one step, and what follows is what it prints', () => {
  const text =
    '```console\n$ cat <<END\n> a\n>\n> > b\n> END\na\n```\n\n```sh\n$ no\n```\n```console\n$ true\n```\n';
  assert.deepEqual(stepsIn(text), [
    { command: 'cat <<END\na\n\n> b\nEND', expected: 'a\n' },
    { command: 'true', expected: '' },
  ]);
});
