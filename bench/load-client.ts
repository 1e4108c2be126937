import { openConnection } from './http-connection.ts';
import type { LoadGroup, LoadJob, LoadResult } from './load.ts';
import { prepareRequests, type Requests } from './requests.ts';
import { quantile } from './statistics.ts';

/**
 * The process that makes load: one for a whole benchmark, so that it is warm. Takes a job as a message, answers with its
 * results. Every connection sends its next request when it has the answer to the one before.
 */
process.on('message', (job: LoadJob) => {
  runJob(job).then(
    (results) => process.send?.({ results }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});

async function runJob(job: LoadJob): Promise<readonly LoadResult[]> {
  const prepared = job.groups.map((group) => ({ group, requests: requestsOf(group) }));
  return Promise.all(prepared.map(({ group, requests }) => runGroup(group, requests, job)));
}

function requestsOf(group: LoadGroup): Requests {
  const wire = (body: string): Buffer => {
    const head =
      `POST ${group.path} HTTP/1.1\r\nHost: 127.0.0.1:${group.port}\r\nAuthorization: Bearer ${group.token}\r\n` +
      `Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return Buffer.from(head + body);
  };
  return prepareRequests(group.requests, wire, group.first, group.count ?? 0);
}

async function runGroup(group: LoadGroup, requests: Requests, job: LoadJob): Promise<LoadResult> {
  const latencies: number[] = [];
  let sent = 0;
  let answered = 0;
  let answeredBefore = 0;
  let measureFrom = performance.now() + job.warmUpMs;
  const end = group.count === undefined ? measureFrom + job.measureMs : Number.POSITIVE_INFINITY;
  if (group.count !== undefined) measureFrom = performance.now();
  let lastAnswer = measureFrom;

  await new Promise<void>((resolve, reject) => {
    let running = 0;
    const texts = { wanted: Buffer.from(group.wanted), unwanted: Buffer.from('"errors":') };
    const start = async (): Promise<void> => {
      let sentAt = 0;
      const connection = await openConnection(
        group.port,
        texts,
        ({ status, hasWanted, hasUnwanted }) => {
          const now = performance.now();
          if (status !== 200 || !hasWanted || hasUnwanted) {
            reject(new Error(`${group.name}: an answer with status ${status} is not what was asked for`));
            return;
          }
          answered += 1;
          if (sentAt < measureFrom) answeredBefore += 1;
          else latencies.push(now - sentAt);
          lastAnswer = now;
          next(now);
        },
        reject,
      );
      const next = (now: number): void => {
        if (now >= end || (group.count !== undefined && sent >= group.count)) {
          connection.close();
          running -= 1;
          if (running === 0) resolve();
          return;
        }
        const request = requests(sent);
        sent += 1;
        sentAt = performance.now();
        connection.send(request);
      };
      running += 1;
      next(performance.now());
    };
    for (let index = 0; index < group.connections; index += 1) start().catch(reject);
  });

  const sorted = Float64Array.from(latencies).sort();
  const seconds = (lastAnswer - measureFrom) / 1_000;
  return {
    name: group.name,
    requests: answered,
    perSecond: (answered - answeredBefore) / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}
