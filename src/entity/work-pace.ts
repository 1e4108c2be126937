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
  /** Waits for what others do as well, and goes on without whoever stops waiting. Throws TIMED_OUT when the time is over. */
  wait<Value>(work: Promise<Value>): Promise<Value>;
};

/** Whose work this turn of the event loop has; of all that is under way one, or together it would be one long piece again. */
let current: { readonly pace: WorkPace; readonly since: number } | undefined;
let line: Promise<void> = Promise.resolve();

/** `limitMs` counts from now, the turns of others included. */
export function createWorkPace(limitMs: number): WorkPace {
  const begin = performance.now();
  const tooLate = (): PostilError =>
    new PostilError(
      'TIMED_OUT',
      `The request took longer than ${limitMs} milliseconds. Ask for less at once.`,
    );
  const pace: WorkPace = {
    async step() {
      const now = performance.now();
      if (now - begin >= limitMs) throw tooLate();
      if (current === undefined) takeTurn(pace, now);
      if (current?.pace === pace && now - current.since < turnMs) return;
      line = line.then(() => nextTurn());
      await line;
      takeTurn(pace, performance.now());
    },
    async wait(work) {
      const { promise, reject } = Promise.withResolvers<never>();
      const leftMs = Math.max(0, limitMs - (performance.now() - begin));
      const timer = Number.isFinite(leftMs) ? setTimeout(() => reject(tooLate()), leftMs) : undefined;
      try {
        return await Promise.race([work, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return pace;
}

function takeTurn(pace: WorkPace, since: number): void {
  const turn = { pace, since };
  current = turn;
  setImmediate(() => {
    if (current === turn) current = undefined;
  });
}
