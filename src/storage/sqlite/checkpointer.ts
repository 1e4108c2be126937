import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const intervalMs = 500;

export type Checkpointer = { stop(): Promise<void> };

/** Starts the thread that checkpoints. Without it the writing connection does so by itself: slower, never wrong. */
export function startCheckpointer(file: string): Checkpointer {
  const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    workerData: { file, intervalMs },
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
