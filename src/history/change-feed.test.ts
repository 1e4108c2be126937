import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { orders } from '../../test/sample-metadata.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';
import type { JsonObject } from '../aspect/json.ts';

type Page = { readonly offsetId: string; readonly count: number; readonly events: readonly JsonObject[] };

describe('the change feed', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ keepsVerdicts: false });
  });
  after(() => server.close());

  async function poll(query: string, token?: string): Promise<Page> {
    const { status, text, body } = await server.send(
      'GET',
      `/openapi/v1/events/poll?${query}`,
      token === undefined ? {} : { token },
    );
    assert.equal(status, 200, text);
    return body as unknown as Page;
  }

  const valuesOf = ({ events }: Page): readonly JsonObject[] =>
    events.map(({ value }) => JSON.parse(String(value)) as JsonObject);

  it('tells what a change meant in the message of DataHub’s actions, once, and where to go on', async () => {
    const { offsetId } = await poll('topic=PlatformEvent_v1&pollTimeoutSeconds=0');
    await server.ingest(orders, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] });
    const page = await poll(`topic=PlatformEvent_v1&offsetId=${offsetId}&pollTimeoutSeconds=0`);
    assert.equal(page.count, 2);
    const changes = valuesOf(page).map((message) => {
      const { value } = message['payload'] as { readonly value: string };
      assert.equal(message['name'], 'entityChangeEvent');
      return JSON.parse(value) as JsonObject;
    });
    assert.deepEqual(
      changes.map(({ entityUrn, entityType, category, operation, modifier }) => [
        entityUrn,
        entityType,
        category,
        operation,
        modifier,
      ]),
      [
        [orders, 'dataset', 'TAG', 'ADD', 'urn:li:tag:pii'],
        [orders, 'dataset', 'LIFECYCLE', 'CREATE', orders],
      ],
    );
    const next = await poll(`topic=PlatformEvent_v1&offsetId=${page.offsetId}&pollTimeoutSeconds=0`);
    assert.deepEqual([next.count, next.offsetId], [0, page.offsetId]);
  });

  it('waits for what comes, and answers as soon as it is there', async () => {
    const waiting = poll('topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=30');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.ingest(orders, 'status', { removed: true });
    const page = await waiting;
    assert.deepEqual(
      valuesOf(page).map(({ aspectName, changeType }) => [aspectName, changeType]),
      [['status', 'UPSERT']],
    );
  });

  it('misses nothing and repeats nothing, however small the pages and however many write', async () => {
    let offset = (await poll('topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=0')).offsetId;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1) {
        await server.ingest(orders.replace('shop.orders', `feed.${writer}`), 'datasetProperties', {
          description: `${n}`,
        });
      }
    });
    const seen: string[] = [];
    const all = Promise.all(writers);
    while (seen.length < 100) {
      const page = await poll(
        `topic=MetadataChangeLog_Versioned_v1&offsetId=${offset}&limit=3&pollTimeoutSeconds=5`,
      );
      offset = page.offsetId;
      for (const { entityUrn, aspectName, aspect } of valuesOf(page)) {
        if (aspectName !== 'datasetProperties') continue;
        const { value } = aspect as { readonly value: string };
        seen.push(`${String(entityUrn)} ${value}`);
      }
    }
    await all;
    assert.equal(new Set(seen).size, 100);
    for (let writer = 0; writer < 4; writer += 1) {
      const own = seen.filter((each) => each.includes(`feed.${writer},`));
      assert.deepEqual(
        own.map((each) => Number(/"(\d+)"/.exec(each)?.[1])),
        Array.from({ length: 25 }, (_, n) => n),
        'in the order in which they were written',
      );
    }
  });

  it('is streamed as server-sent events, and resumed where the listener stopped', async () => {
    const listen = async (headers: Record<string, string>, until: number): Promise<readonly string[]> => {
      const ending = new AbortController();
      const response = await fetch(`${server.url}/openapi/v1/events/stream?topic=PlatformEvent_v1`, {
        headers: { authorization: `Bearer ${server.tokens.Reader}`, ...headers },
        signal: ending.signal,
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream;charset=utf-8');
      let text = '';
      const decoder = new TextDecoder();
      assert.ok(response.body !== null);
      for await (const part of response.body) {
        text += decoder.decode(part as Uint8Array, { stream: true });
        if (text.split('\n\n').length > until) break;
        if (text.split('\n\n').length === 2) {
          await server.ingest(orders, 'globalTags', { tags: [{ tag: `urn:li:tag:s${Date.now()}` }] });
        }
      }
      ending.abort();
      return text.split('\n\n').filter((message) => message !== '');
    };
    const first = await listen({}, 2);
    assert.match(first[0] ?? '', /^id: \d+\nevent: place/);
    assert.match(first[1] ?? '', /data: .*entityChangeEvent/);
    const place = /id: (\d+)/.exec(first[0] ?? '')?.[1] ?? '';
    const again = await listen({ 'last-event-id': place }, 2);
    assert.equal(again[1]?.split('\n').at(-1), first[1]?.split('\n').at(-1), 'the same event comes again');
  });

  it('hides what a caller may not see, and refuses places and topics that are none', async () => {
    const { offsetId } = await poll('topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=0');
    await server.data(
      'mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:admin", duration: ONE_HOUR, name: "t"}) { metadata { id } } }',
      {},
      server.tokens.Admin,
    );
    const page = await poll(
      `topic=MetadataChangeLog_Versioned_v1&offsetId=${offsetId}&pollTimeoutSeconds=0`,
      server.tokens.Reader,
    );
    assert.equal(page.count, 0);
    for (const wrong of [
      'topic=None',
      'offsetId=x',
      'offsetId=-1',
      'offsetId=99999999',
      'limit=0',
      'limit=100000',
      'pollTimeoutSeconds=3600',
    ]) {
      const { status } = await server.send('GET', `/openapi/v1/events/poll?${wrong}`);
      assert.equal(status, 400, wrong);
    }
    for (const path of ['poll', 'stream']) {
      assert.equal((await server.send('GET', `/openapi/v1/events/${path}`, { token: null })).status, 401);
    }
  });

  it('ends its streams when the server closes', async () => {
    await using closing = await startTestServer({ keepsVerdicts: false });
    const response = await fetch(`${closing.url}/openapi/v1/events/stream`, {
      headers: { authorization: `Bearer ${closing.tokens.Reader}` },
    });
    const text = response.text();
    await closing.close();
    assert.match(await text, /^id: \d+/);
  });
});
