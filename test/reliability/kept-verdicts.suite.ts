import { test } from 'node:test';
import { inThread } from './in-thread.ts';
import type { SequencesOfChanges } from './keep-verdicts.ts';
import { figure, seededRandom } from './seeded-random.ts';

/** Of 10,000; the others are in a file of their own, which runs at the same time. */
const sequences = 6_000;

test('after any sequence of changes, kept verdicts are those of evaluating everything', async (context) => {
  const seed = seededRandom('kept verdicts').between(0, 2 ** 30);
  await inThread<SequencesOfChanges, undefined>('keep-verdicts.ts', { sequences, seed });
  figure(context, 'kept verdicts', `${sequences} sequences, 0 differences`);
});
