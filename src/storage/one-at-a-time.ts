/** Runs work one after another, in the order in which it came; `idle` resolves when none is left. */
export type OneAtATime = {
  run<T>(work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
};

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      let seen: unknown;
      while (seen !== last) {
        seen = last;
        await last;
      }
    },
  };
}
