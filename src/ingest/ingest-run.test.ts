import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTestCatalogue } from '../../test/catalogue.ts';
import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { ingestRecords } from './ingest-run.ts';
import type { IngestSummary, ProposalSink, RecordProblem } from './ingest-run.ts';
import { openRecordFile } from './record-file.ts';
import { readSourceRecords } from './record-source.ts';
import { createServerSink } from './server-sink.ts';
import { createStoreSink } from './store-sink.ts';

function record(
  name: string,
  body: JsonObject = { description: name },
  aspectName = 'datasetProperties',
): JsonObject {
  const entityUrn = `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
  return { entityUrn, changeType: 'UPSERT', aspectName, aspect: { json: body } };
}

async function withFile<T>(
  name: string,
  content: string | Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'postil-ingest-'));
  try {
    await writeFile(join(folder, name), content);
    return await work(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(
  path: string,
  sink: ProposalSink,
): Promise<IngestSummary & { readonly problems: readonly RecordProblem[] }> {
  const problems: RecordProblem[] = [];
  const summary = await ingestRecords(readSourceRecords(await openRecordFile(path)), sink, {
    onProblem: (problem) => problems.push(problem),
  });
  return { ...summary, problems };
}

test('bad records are told with file, number and cause, and everything else is stored', async () => {
  await using catalogue = await openTestCatalogue();
  const records = Array.from({ length: 450 }, (_, index) => JSON.stringify(record(`t${index + 1}`)));
  records[1] = '{"entityUrn": "broken" "changeType"}';
  records[200] = JSON.stringify(record('t201', { removed: 'yes' }, 'status'));
  records[449] = JSON.stringify(record('t450', {}, 'nothing'));
  await withFile('records.json', `[${records.join(',\n')}]`, async (path) => {
    const progress: number[] = [];
    const problems: RecordProblem[] = [];
    const sink = createStoreSink(catalogue.engine.execute, catalogue.admin);
    const summary = await ingestRecords(readSourceRecords(await openRecordFile(path)), sink, {
      onProblem: (problem) => problems.push(problem),
      onProgress: (soFar) => progress.push(soFar.aspects),
    });
    assert.deepEqual(summary, { records: 450, failedRecords: 3, aspects: 447, failedAspects: 1 });
    assert.deepEqual(
      problems
        .map(({ file, number, code }) => [file, number, code])
        .sort(([, a], [, b]) => Number(a) - Number(b)),
      [
        [path, 2, 'BAD_REQUEST'],
        [path, 201, 'INVALID_ASPECT'],
        [path, 450, 'UNKNOWN_ASPECT'],
      ],
    );
    const invalid = problems.find(({ number }) => number === 201);
    assert.equal(invalid?.aspect, 'status');
    assert.match(invalid?.urn ?? '', /t201/);
    assert.match(invalid?.message ?? '', /\/removed/);
    assert.deepEqual(
      progress,
      [...progress].sort((left, right) => left - right),
    );
    assert.ok(progress.length >= 3);
  });
  for (const name of ['t1', 't3', 't202', 't449']) {
    const body = await catalogue.body(
      `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`,
      'datasetProperties',
    );
    assert.deepEqual(body, { description: name });
  }
});

test('packed files are unpacked on the way, and a damaged one is told', async () => {
  await using catalogue = await openTestCatalogue();
  const sink = createStoreSink(catalogue.engine.execute, catalogue.admin);
  const packed = gzipSync(JSON.stringify([record('a'), record('b')]));
  await withFile('records.json.gz', packed, async (path) => {
    assert.equal((await run(path, sink)).aspects, 2);
  });
  await withFile('records.json.gz', packed.subarray(0, 40), async (path) => {
    await assert.rejects(
      run(path, sink),
      (error) => error instanceof PostilError && error.message.includes(path),
    );
  });
  await assert.rejects(openRecordFile(join(tmpdir(), 'postil-no-such-file.json')), PostilError);
  await assert.rejects(
    openRecordFile(tmpdir()),
    (error) => error instanceof PostilError && /folder/.test(error.message),
  );
});

test('what a file that breaks off held until then is stored, and told', async () => {
  await using catalogue = await openTestCatalogue();
  const sink = createStoreSink(catalogue.engine.execute, catalogue.admin);
  const records = Array.from({ length: 20_000 }, (_, index) => JSON.stringify(record(`t${index % 150}`)));
  const packed = gzipSync(records.join('\n'), { level: 0 });
  await withFile('cut.json.gz', packed.subarray(0, 400_000), async (path) => {
    let stored = 0;
    const counting: ProposalSink = {
      async ingest(proposals) {
        await sink.ingest(proposals);
        stored += proposals.length;
      },
    };
    await assert.rejects(run(path, counting), (error) => {
      assert.ok(error instanceof PostilError && error.code === 'BAD_REQUEST', String(error));
      assert.match(error.message, /unexpected end of file \(after (\d+) aspects had been stored\)$/);
      assert.ok(
        stored > 0 && stored % 200 !== 0 && error.message.includes(`after ${stored} `),
        error.message,
      );
      return true;
    });
  });
});

test('a sink that cannot store ends the run and says how far it came', async () => {
  let calls = 0;
  const sink: ProposalSink = {
    async ingest() {
      calls += 1;
      throw new PostilError('STORAGE_FULL', 'The disk is full');
    },
  };
  await withFile('records.json', JSON.stringify([record('a'), record('b')]), async (path) => {
    await assert.rejects(run(path, sink), /The disk is full \(after 0 aspects had been stored\)/);
  });
  assert.equal(calls, 1);
});

type Heard = { readonly url: string; readonly authorization: string | undefined; readonly body: string };

/** A server that answers as it is told, to see what a busy or refusing one does to the sink. */
async function withServer(
  answers: readonly {
    readonly status: number;
    readonly body?: string;
    readonly headers?: Record<string, string>;
  }[],
  work: (server: string, heard: readonly Heard[]) => Promise<void>,
): Promise<void> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const answer = answers[heard.length] ?? { status: 200 };
      heard.push({ url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

test('proposals go to a server as it expects them, again while it is busy', async () => {
  const busy = [{ status: 503 }, { status: 429, headers: { 'Retry-After': '2' } }];
  await withServer(busy, async (server, heard) => {
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const sink = createServerSink({ server: `${server}/gms/`, token: 'secret', wait });
    const text = `[${JSON.stringify(record('a', { nullProportion: 7 }, 'datasetProfile')).replace('7', '0.0')}]`;
    await withFile('records.json', text, async (path) => {
      assert.equal((await run(path, sink)).aspects, 1);
    });
    assert.deepEqual(waits, [500, 2000]);
    assert.equal(heard.length, 3);
    assert.equal(heard[2]?.url, '/gms/aspects?action=ingestProposalBatch');
    assert.equal(heard[2]?.authorization, 'Bearer secret');
    assert.deepEqual(JSON.parse(heard[2]?.body ?? ''), {
      proposals: [
        {
          entityType: 'dataset',
          entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)',
          changeType: 'UPSERT',
          aspectName: 'datasetProfile',
          aspect: { value: '{"nullProportion":0.0}', contentType: 'application/json' },
        },
      ],
      async: 'false',
    });
  });
});

test('what a server refuses is told as it said it; a bad token or no server ends the run', async () => {
  const refusal = { status: 422, body: '{"message":"The aspect is not valid"}' };
  await withFile('records.json', JSON.stringify([record('a'), record('b')]), async (path) => {
    await withServer([refusal, { status: 200 }, refusal], async (server) => {
      const { aspects, problems } = await run(path, createServerSink({ server }));
      assert.equal(aspects, 1);
      assert.deepEqual(
        problems.map(({ number, message }) => [number, message]),
        [[2, 'The aspect is not valid']],
      );
    });
    await withServer([{ status: 401 }], async (server, heard) => {
      await assert.rejects(run(path, createServerSink({ server })), /401.*--token/);
      assert.equal(heard.length, 1);
    });
    const wait = async (): Promise<void> => undefined;
    await assert.rejects(run(path, createServerSink({ server: 'http://127.0.0.1:1', wait })), /Cannot reach/);
  });
  assert.throws(() => createServerSink({ server: 'localhost' }), PostilError);
});
