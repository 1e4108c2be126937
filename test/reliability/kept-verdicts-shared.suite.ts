import { test } from 'node:test';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';
import { inThread } from './in-thread.ts';
import type { SequencesOfChanges } from './keep-verdicts.ts';
import { figure, seededRandom } from './seeded-random.ts';

/** Of 10,000; the others are in a file of their own, which runs at the same time. */
const sequences = 3_700;
const sharedSequences = 300;

const seedOf = (name: string): number => seededRandom(name).between(0, 2 ** 30);

test(
  'kept verdicts are those of evaluating everything in a shared store',
  {
    skip: postgresUnavailable(),
  },
  async (context) => {
    const server = await startPostgres();
    try {
      await inThread<SequencesOfChanges, undefined>('keep-verdicts.ts', {
        url: server.url,
        sequences: sharedSequences,
        seed: seedOf('shared verdicts'),
      });
      figure(context, 'kept verdicts', `${sharedSequences} sequences in PostgreSQL, 0 differences`);
    } finally {
      await server.stop();
    }
  },
);

test('and in an embedded one, through other sequences', async (context) => {
  await inThread<SequencesOfChanges, undefined>('keep-verdicts.ts', {
    sequences,
    seed: seedOf('more kept verdicts'),
  });
  figure(context, 'kept verdicts', `${sequences} more sequences, 0 differences`);
});
