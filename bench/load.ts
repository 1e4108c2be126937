import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startNode } from './child-process.ts';
import type { RequestSource } from './requests.ts';

/** One kind of requests, sent over some persistent connections as fast as they are answered. */
export type LoadGroup = {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly connections: number;
  readonly requests: RequestSource;
  /** The number of the first request of the source. */
  readonly first: number;
  /** Stop after so many requests; absent: when the time is over. */
  readonly count?: number;
  /** Every right answer holds this text; and none holds "errors". */
  readonly wanted: string;
};

/** Groups run side by side. What is sent in the first `warmUpMs` is not counted. */
export type LoadJob = {
  readonly groups: readonly LoadGroup[];
  readonly warmUpMs: number;
  readonly measureMs: number;
};

/** Latencies in milliseconds, of answers to requests sent after the warm-up; `requests` counts those of it as well. */
export type LoadResult = {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
};

export type LoadClient = {
  /** Rejects when an answer was not what was asked for. */
  run(job: LoadJob): Promise<readonly LoadResult[]>;
  stop(): Promise<void>;
};

/** Starts the process that makes load, on a processor of its own where there are several. */
export function startLoadClient(): LoadClient {
  const child: ChildProcess = startNode('load-client.ts', [], { processor: 'load', hasMessages: true });
  return {
    run(job) {
      return new Promise((resolve, reject) => {
        const onExit = (): void => reject(new Error('The load client ended'));
        child.once('exit', onExit);
        child.once('message', (message: { results?: readonly LoadResult[]; error?: string }) => {
          child.off('exit', onExit);
          if (message.results === undefined) reject(new Error(message.error));
          else resolve(message.results);
        });
        child.send(job);
      });
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
