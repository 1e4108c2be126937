import { Worker } from 'node:worker_threads';

/**
 * Runs a module of this folder in a thread and gives what it posts; throws what it throws. For suites that compute for minutes: the test
 * runner follows every promise of its own thread, which makes work of many small steps take a quarter longer.
 */
export function inThread<Input, Result>(module: string, input: Input): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const thread = new Worker(new URL(module, import.meta.url), { workerData: input });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`${module} ended with ${code}, and without an answer`)));
  return promise;
}
