/** Reliability section 6.5: so many bad tokens per address and minute, then the address waits. */
const failuresPerMinuteMax = 20;
const minuteMs = 60_000;
const addressesMax = 10_000;

export type FailedSignIns = {
  note(address: string): void;
  /** Seconds until the address may try again; 0 when it may now. */
  waitSeconds(address: string): number;
};

/** Counts bad tokens per address, so that guessing is slow. A request without a token is no guess. */
export function createFailedSignIns(now: () => number): FailedSignIns {
  const counts = new Map<string, { since: number; failures: number }>();

  function current(address: string): { since: number; failures: number } | undefined {
    const count = counts.get(address);
    if (count === undefined || now() - count.since < minuteMs) return count;
    counts.delete(address);
    return undefined;
  }

  return {
    note(address) {
      const count = current(address);
      if (count !== undefined) count.failures += 1;
      else {
        if (counts.size >= addressesMax) counts.clear();
        counts.set(address, { since: now(), failures: 1 });
      }
    },
    waitSeconds(address) {
      if (counts.size === 0) return 0;
      const count = current(address);
      if (count === undefined || count.failures < failuresPerMinuteMax) return 0;
      return Math.max(1, Math.ceil((count.since + minuteMs - now()) / 1_000));
    },
  };
}
