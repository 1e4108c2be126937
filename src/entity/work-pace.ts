import { setImmediate as nextTurn } from 'node:timers/promises';
import { PostilError } from '../errors/postil-error.ts';

/** So long one piece of work may keep everybody else waiting. Milliseconds. */
const turnMs = 8;

/** Long work in short pieces: others have their turns in between, and nothing goes on for ever. */
export type WorkPace = {
  /**
   * To be awaited between pieces of work. Throws TIMED_OUT when the time is over: whoever asked has been answered so, and work that
   * went on would be for nobody.
   */
  step(): Promise<void>;
};

/** `limitMs` counts from now, the turns of others included. */
export function createWorkPace(limitMs: number): WorkPace {
  const begin = performance.now();
  let turn = begin;
  return {
    async step() {
      const now = performance.now();
      if (now - begin >= limitMs) {
        throw new PostilError(
          'TIMED_OUT',
          `The request took longer than ${limitMs} milliseconds. Ask for less at once.`,
        );
      }
      if (now - turn < turnMs) return;
      await nextTurn();
      turn = performance.now();
    },
  };
}
