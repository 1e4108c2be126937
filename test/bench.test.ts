import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { openConnection, type Answer } from '../bench/http-connection.ts';
import { reportMarkdown } from '../bench/report.ts';
import { addTermsMutation, ingestBatch, removeTermMutation } from '../bench/requests.ts';
import { datasetAspects, termInfo } from '../bench/sample-datasets.ts';
import { isReached, type Measurement } from '../bench/scenario.ts';
import { median, quantile } from '../bench/statistics.ts';
import { validateAspect } from '../src/entity/validate-aspect.ts';
import { parseProposal } from '../src/ingest/proposal.ts';
import type { JsonValue } from '../src/aspect/json.ts';

describe('the benchmarks', () => {
  it('make the same datasets from the same numbers, valid and about as wide as they say', () => {
    const aspects = datasetAspects(42, 50);
    assert.deepEqual(aspects, datasetAspects(42, 50));
    assert.notDeepEqual(aspects, datasetAspects(43, 50));
    for (const [aspect, body] of Object.entries(aspects)) assert.deepEqual(validateAspect(aspect, body), []);
    assert.deepEqual(validateAspect('glossaryTermInfo', termInfo(7)), []);
    const bytes = JSON.stringify(aspects['schemaMetadata']).length;
    assert.ok(bytes > 10_000 && bytes < 15_000, `${bytes} bytes`);
  });

  it('send batches of valid proposals of about a kilobyte each', () => {
    const { proposals } = JSON.parse(ingestBatch(3, 200)) as { proposals: JsonValue[] };
    const parsed = proposals.map((proposal) => parseProposal(proposal));
    assert.equal(parsed.length, 200);
    for (const { aspect, body } of parsed) assert.deepEqual(validateAspect(aspect, body ?? null), []);
    const bytes = parsed.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0) / parsed.length;
    assert.ok(bytes > 900 && bytes < 1_200, `${bytes} bytes on average`);
  });

  it('write to another dataset with every request, and to each again only with another term', () => {
    const inputs = Array.from({ length: 30 }, (_, index) => addTermsMutation(index, 10));
    assert.equal(new Set(inputs).size, 30);
    const resources = inputs.slice(0, 10).map((input) => /urn:li:dataset:[^"]+/.exec(input)?.[0]);
    assert.equal(new Set(resources).size, 10);
    const removed = removeTermMutation(4, 10);
    for (const part of inputs[4]?.match(/urn:li:[^"]+/g) ?? []) assert.ok(removed.includes(part), part);
  });

  it('compare a value or a ratio with its target', () => {
    const measurement: Measurement = {
      what: 'x',
      value: 30,
      unit: 'ms',
      reference: { what: 'y', value: 100 },
    };
    assert.equal(isReached(measurement), undefined);
    assert.equal(isReached({ ...measurement, target: { text: '', of: 'value', atMost: 30 } }), true);
    assert.equal(isReached({ ...measurement, target: { text: '', of: 'ratio', atLeast: 0.31 } }), false);
    const result = {
      name: 'n',
      title: 'A title',
      method: 'A method.',
      measurements: [{ ...measurement, ratioAs: 'share' as const }],
    };
    const machine = {
      date: '',
      processor: '',
      processors: 2,
      memoryGibibytes: 1,
      system: '',
      node: '',
      sqlite: '',
      commit: '',
      loadBefore: 0,
      isPinned: false,
    };
    const text = reportMarkdown({ machine, isQuick: false, scenarios: [result] });
    assert.match(text, /\| x \| 30\.0 ms \| 30 % of y \(100\) \|/);
  });

  it('take medians and percentiles', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.equal(quantile(sorted, 0.99), 99);
    assert.equal(quantile(sorted, 1), 100);
    assert.equal(quantile([], 0.5), 0);
  });

  it('read answers of a known length and in chunks, in however many pieces they come', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/chunks') {
        response.write('{"data":');
        setTimeout(() => response.end('{}}'), 5);
      } else response.end('{"errors":[],"padding":"'.padEnd(400_000, 'x'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const answers: Answer[] = [];
    let onAnswer = (): void => {};
    const texts = { wanted: Buffer.from('"data":'), unwanted: Buffer.from('"errors":') };
    const connection = await openConnection(
      address.port,
      texts,
      (answer) => {
        answers.push(answer);
        onAnswer();
      },
      (error) => assert.fail(error),
    );
    for (const path of ['/chunks', '/long', '/chunks']) {
      const answered = new Promise<void>((resolve) => (onAnswer = resolve));
      connection.send(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
      await answered;
    }
    connection.close();
    server.close();
    const chunked = { status: 200, hasWanted: true, hasUnwanted: false };
    assert.deepEqual(answers, [chunked, { status: 200, hasWanted: false, hasUnwanted: true }, chunked]);
  });
});
