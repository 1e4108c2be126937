import type { TestContext } from 'node:test';
import { isMainThread, workerData } from 'node:worker_threads';

/** Put the seed of a failed run here to repeat its choices (promise R35); `undefined` chooses a new one for each run. */
const replayedSeed: number | undefined = undefined;

/** What all random choices of this run follow from; printed with every figure. A thread is given that of the run as `workerData.seed`. */
export const seed: number = seedOfThread() ?? replayedSeed ?? Math.trunc(Math.random() * 2 ** 31);

function seedOfThread(): number | undefined {
  const data: unknown = workerData;
  if (isMainThread || typeof data !== 'object' || data === null || !('seed' in data)) return undefined;
  return typeof data.seed === 'number' ? data.seed : undefined;
}

process.on('exit', (code) => {
  if (code !== 0) process.stderr.write(`The seed of this run is ${seed}.\n`);
});

export type SeededRandom = {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
};

/** Choices that follow from the run's seed and from `name` alone, so that tests do not disturb each other's. */
export function seededRandom(name: string): SeededRandom {
  let state = seed;
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  /** mulberry32: small, quick, and even enough to choose faults with. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick(choices) {
      const chosen = choices[between(0, choices.length - 1)];
      if (chosen === undefined) throw new Error('There is nothing to pick from');
      return chosen;
    },
  };
}

/** Prints the one line of a promise. */
export function figure(context: TestContext, promise: string, text: string): void {
  context.diagnostic(`${promise}: ${text} (seed ${seed})`);
}
