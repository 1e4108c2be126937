/** Waiting for work: for a time, or until somebody says that there may be some. */
export type KeeperClock = {
  /** From here on, a poke ends the next rest. */
  begin(): void;
  poke(): void;
  /** Ends at once when there was a poke since `begin`. */
  rest(ms: number): Promise<void>;
  /** As long as it says, whoever pokes. */
  pause(ms: number): Promise<void>;
  /** Ends every rest and pause, also those to come. */
  end(): void;
};

export function createKeeperClock(): KeeperClock {
  let isPoked = false;
  let hasEnded = false;
  let wakeUp: (() => void) | undefined;
  let isPausing = false;

  async function sleep(ms: number): Promise<void> {
    if (hasEnded) return;
    await new Promise<void>((resolve) => {
      // Waiting for work must not keep a process from ending.
      const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1)).unref();
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wakeUp = undefined;
  }

  return {
    begin() {
      isPoked = false;
    },
    poke() {
      isPoked = true;
      if (!isPausing) wakeUp?.();
    },
    async rest(ms) {
      if (!isPoked) await sleep(ms);
    },
    async pause(ms) {
      isPausing = true;
      await sleep(ms);
      isPausing = false;
    },
    end() {
      hasEnded = true;
      wakeUp?.();
    },
  };
}
