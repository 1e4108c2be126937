import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PostilError } from '../../errors/postil-error.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import { setCountOf, valueCountsOf } from '../value-counter.ts';
import { answersIn, findStatement, scanStatements } from './row-statement.ts';
import type { ScanAnswers, ScanError, ScanReply, ScanRequest } from './scan-thread.ts';
import { storageError } from './sqlite-connection.ts';

/** Questions about many rows, answered in a thread of their own, so that requests never wait for a scan. */
export type Scanner = Pick<VerdictStore, 'prepareScan' | 'countValues' | 'find'> & {
  /** Waits for what was asked; from then on everything is refused. */
  close(): Promise<void>;
};

/** A thread that nobody asks anything for `idleMs` ends; the next question starts another. */
export function createScanner(file: string, idleMs = 10_000): Scanner {
  let thread: ScanThread | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let scanCount = 0;
  const ending = new Set<Promise<unknown>>();

  function stop(): void {
    clearTimeout(idleTimer);
    if (thread === undefined) return;
    const ended = thread.stop();
    thread = undefined;
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
  }

  function use(): ScanThread {
    if (isClosed) throw closed();
    clearTimeout(idleTimer);
    if (thread?.hasEnded() !== false) thread = startScanThread(file, rest);
    return thread;
  }

  /** When nothing is asked and no scan is open any more. */
  function rest(): void {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(stop, idleMs).unref();
  }

  return {
    async prepareScan(entityType, questions) {
      const used = use();
      scanCount += 1;
      const scan = scanCount;
      const statements = scanStatements(entityType, questions);
      used.openScans.add(scan);
      try {
        await used.ask({ kind: 'prepare', scan, statements });
      } catch (error) {
        used.openScans.delete(scan);
        throw error;
      }
      return {
        async chunk(chunk) {
          if (!used.openScans.has(scan)) throw closed();
          const parts = await used.ask({ kind: 'chunk', scan, chunk });
          return parts.flatMap((sets) => [...answersIn(sets)]);
        },
        async close() {
          if (!used.openScans.delete(scan) || used.hasEnded()) return;
          await used.ask({ kind: 'close', scan });
        },
      };
    },
    async countValues({ columns, chunks }) {
      const counted = await use().ask({ kind: 'values', columns, chunks });
      return valueCountsOf(counted, setCountOf(chunks));
    },
    async find(query) {
      return use().ask({ kind: 'find', statement: findStatement(query) });
    },
    async close() {
      isClosed = true;
      stop();
      await Promise.all(ending);
    },
  };
}

type ScanThread = {
  readonly openScans: Set<number>;
  hasEnded(): boolean;
  ask<Kind extends ScanRequest['kind']>(
    request: Extract<ScanRequest, { readonly kind: Kind }>,
  ): Promise<ScanAnswers[Kind]>;
  /** Answers what was asked before, and ends. */
  stop(): Promise<unknown>;
};

function startScanThread(file: string, onRest: () => void): ScanThread {
  const worker = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData: { file } });
  const waiting = new Map<number, PromiseWithResolvers<ScanReply>>();
  const openScans = new Set<number>();
  let lastId = 0;
  let end: Error | undefined;

  function ended(cause: unknown): void {
    end = new PostilError('STORAGE_FAILED', 'The thread that reads rows has ended. Ask again.', { cause });
    for (const { reject } of waiting.values()) reject(end);
    waiting.clear();
  }
  worker.on('error', ended);
  worker.on('exit', (code) => ended(`It left with ${code}.`));
  worker.on('message', (reply: ScanReply) => {
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
    if (waiting.size > 0) return;
    // Without a question it must not keep the process from ending.
    worker.unref();
    if (openScans.size === 0) onRest();
  });

  return {
    openScans,
    hasEnded: () => end !== undefined,
    async ask(request) {
      if (end !== undefined) throw end;
      lastId += 1;
      const pending = Promise.withResolvers<ScanReply>();
      waiting.set(lastId, pending);
      worker.ref();
      worker.postMessage({ id: lastId, request });
      const reply = await pending.promise;
      if ('error' in reply) throw thrownBy(reply.error);
      // The thread answers each kind with what the table of answers says.
      return reply.answer as ScanAnswers[typeof request.kind];
    },
    async stop() {
      if (end !== undefined) return;
      const exit = once(worker, 'exit').catch(() => undefined);
      worker.ref();
      worker.postMessage('stop');
      await exit;
    },
  };
}

function thrownBy({ message, code, errcode }: ScanError): unknown {
  if (code !== undefined) return new PostilError(code, message);
  return storageError(Object.assign(new Error(message), errcode === undefined ? {} : { errcode }));
}

function closed(): PostilError {
  return new PostilError('STORAGE_FAILED', 'The store is closed');
}
