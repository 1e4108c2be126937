import { test } from 'node:test';
import { assertKeptInStores } from '../../src/metadata-test/keeping/random-changes.fixture.ts';
import { figure, seededRandom } from './seeded-random.ts';

/** Of 10,000; the others are in a file of their own, which runs at the same time. */
const sequences = 6_000;

test('after any sequence of changes, kept verdicts are those of evaluating everything', async (context) => {
  const seed = seededRandom('kept verdicts').between(0, 2 ** 30);
  await assertKeptInStores({ sequences, seed });
  figure(context, 'kept verdicts', `${sequences} sequences, 0 differences`);
});
