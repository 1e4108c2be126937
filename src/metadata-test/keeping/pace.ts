/** To be called between small pieces of work; gives something to await when others should go first. */
export type Pace = () => Promise<void> | undefined;

/** Work that goes on without letting the event loop turn for longer than this keeps requests waiting. */
const turnMs = 5;

/** Lets the event loop turn at least every few milliseconds of work. */
export function createPace(): Pace {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
