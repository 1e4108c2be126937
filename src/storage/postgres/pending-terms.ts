import type { Run } from './postgres-connection.ts';

/** From so many letters of terms on they are sorted in at once; fewer wait for more. */
const lettersMax = 256 * 1024;
/** How long a few wait, in milliseconds. */
const waitingMax = 1_000;

const sortIn = `SELECT gin_clean_pending_list('search_bearer_terms'), gin_clean_pending_list('search_few_terms')`;

/**
 * New terms lie in a list until they are sorted into the index, each by a way of its own from the root. A write that finds the list too
 * long has to do it, and a search goes through all of it: so it is done beside them, on another connection.
 */
export type PendingTerms = {
  /** To be called when so many letters of terms were committed. */
  written(letters: number): void;
  /** Resolves when the server is asked nothing more. */
  stop(): Promise<void>;
};

/** `run` asks on a connection that no write waits for. It is asked once soon, because another process may have left terms in the list. */
export function createPendingTerms(run: Run): PendingTerms {
  let letters = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function sortInAll(): Promise<void> {
    while (letters >= lettersMax && !isStopped) await sortInOnce();
  }

  async function sortInOnce(): Promise<void> {
    letters = 0;
    // Nothing depends on it: what stays in the list is found there, and at some length the server sorts it in by itself.
    await run(sortIn).catch(() => undefined);
  }

  function start(work: () => Promise<void>): void {
    running ??= work().finally(() => {
      running = undefined;
      if (letters > 0) wait();
    });
  }

  function wait(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      start(sortInOnce);
    }, waitingMax).unref();
  }

  wait();
  return {
    written(more) {
      letters += more;
      if (letters >= lettersMax && !isStopped) start(sortInAll);
      else if (more > 0) wait();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
