import { PostilError } from '../../errors/postil-error.ts';

/** What somebody waits for. */
export type Waiter = {
  /** The change log as it was at the call. */
  readonly sequence: number;
  /** The time at the call, in milliseconds. */
  readonly time: number;
  readonly wantsRows: boolean;
  /** Also for what has to be evaluated for everything. */
  readonly wantsRuns: boolean;
};

export type KeeperWaiters = {
  add(waiter: Waiter): Promise<void>;
  /** Resolves those for which it is so. */
  settle(isSettled: (waiter: Waiter) => boolean): void;
  /** Refuses all of them, and all to come. */
  refuse(): void;
};

export function createKeeperWaiters(): KeeperWaiters {
  let waiting: { readonly waiter: Waiter; resolve(): void; reject(error: Error): void }[] = [];
  let refusal: PostilError | undefined;
  return {
    add: (waiter) =>
      new Promise((resolve, reject) => {
        if (refusal === undefined) waiting.push({ waiter, resolve, reject });
        else reject(refusal);
      }),
    settle(isSettled) {
      if (waiting.length === 0) return;
      const done = waiting.filter(({ waiter }) => isSettled(waiter));
      waiting = waiting.filter((each) => !done.includes(each));
      for (const { resolve } of done) resolve();
    },
    refuse() {
      refusal = new PostilError('OVERLOADED', 'The server is stopping; ask again when it is back.');
      for (const { reject } of waiting.splice(0)) reject(refusal);
    },
  };
}
