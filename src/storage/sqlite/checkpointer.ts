import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const intervalMs = 500;

export type Checkpointer = { stop(): Promise<void> };

/** What the thread is started with: the database file, and how often it looks. */
export type CheckpointOrder = { readonly file: string; readonly intervalMs: number };

/** Starts the thread that checkpoints. Without it the writing connection does so by itself: slower, never wrong. */
export function startCheckpointer(file: string): Checkpointer {
  const worker = new Worker(new URL('./checkpoint-thread.mjs', import.meta.url), {
    workerData: { file, intervalMs } satisfies CheckpointOrder,
  });
  const ended = once(worker, 'exit').catch(() => undefined);
  worker.on('error', () => undefined);
  worker.unref();
  return {
    async stop() {
      // A process must not end before its store is closed.
      worker.ref();
      worker.postMessage('stop');
      await ended;
    },
  };
}
