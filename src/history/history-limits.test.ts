import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer } from '../../test/server.ts';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { orders, schemaOf } from '../../test/sample-metadata.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { createChangeFeed } from './change-feed.ts';
import { createSeats } from './seats.ts';
import { timelineOf } from './timeline.ts';

const urn = parseUrn(orders);
const changes = 40;
const columns = 50;

describe('a history that is long and wide', () => {
  let catalogue: TestCatalogue;
  let reads = 0;
  const reader = {
    changesOf: (query: Parameters<TestCatalogue['store']['changesOf']>[0]) =>
      catalogue.store.changesOf(query),
    changes: (query: Parameters<TestCatalogue['store']['changes']>[0]) => catalogue.store.changes(query),
    lastSequence: () => catalogue.store.lastSequence(),
    readVersion: (...asked: Parameters<TestCatalogue['store']['readVersion']>) => {
      reads += 1;
      return catalogue.store.readVersion(...asked);
    },
  };
  let now = 1_000;
  before(async () => {
    catalogue = await openTestCatalogue({ now: () => (now += 1_000) });
    for (let change = 0; change < changes; change += 1) {
      const fields = Array.from({ length: columns }, (_, n) => ({ fieldPath: `c${n}_${change}` }));
      await catalogue.seed(orders, { schemaMetadata: schemaOf(fields) });
    }
  });
  after(() => catalogue.close());

  it('is read from the newest change back until it is enough, each version once', async () => {
    reads = 0;
    const all = await timelineOf(reader, { urn });
    assert.equal(all.length, changes);
    assert.equal(reads, changes + 1, 'versions of the schema, and the key');

    reads = 0;
    const newest = await timelineOf(reader, { urn }, { characters: 10_000 });
    assert.ok(newest.length > 0 && newest.length < changes / 2, `${newest.length}`);
    assert.equal(reads, changes + 1, 'what is older is read as well, to be counted');
    assert.deepEqual(
      newest.map(({ sequence, events }) => [sequence, events]),
      all.slice(-newest.length).map(({ sequence, events }) => [sequence, events]),
    );
    assert.deepEqual(
      newest.map(({ version }) => version),
      all.slice(-newest.length).map(({ version }) => version),
      'versions count from the first change, told or not',
    );
    const few = await timelineOf(reader, { urn }, { changes: 3 });
    assert.deepEqual(few, all.slice(-3));
    const uncounted = await timelineOf(reader, { urn }, { changes: 3, countedMs: 0 });
    assert.deepEqual(
      uncounted,
      few.map((each) => ({ ...each, version: undefined })),
      'no number is better than another one each time',
    );
    const fewEvents = await timelineOf(reader, { urn }, { events: 2 * columns * 3 });
    assert.equal(fewEvents.length, 3, 'each of them removes all columns and adds as many');
  });

  it('can be read whole by moving the end of the time that is asked for', async () => {
    const all = await timelineOf(reader, { urn });
    const seen: number[] = [];
    let to: number | undefined;
    do {
      const page = await timelineOf(
        reader,
        { urn, ...(to === undefined ? {} : { to }) },
        { characters: 10_000 },
      );
      seen.unshift(...page.map(({ sequence }) => sequence));
      to = page.length === 0 ? undefined : (page[0]?.time ?? 0) - 1;
    } while (to !== undefined);
    assert.deepEqual(
      seen,
      all.map(({ sequence }) => sequence),
    );
  });

  it('is told by the feed in pages of bounded size that miss nothing', async () => {
    for (const topic of ['PlatformEvent_v1', 'MetadataChangeLog_Versioned_v1'] as const) {
      const poll = async (charactersMax: number, after: number) =>
        createChangeFeed(reader, false, charactersMax).poll({
          topic,
          after,
          limit: 100_000,
          waitMs: 0,
          caller: catalogue.reader,
        });
      const whole = await poll(Number.POSITIVE_INFINITY, 0);
      const seen: unknown[] = [];
      let pages = 0;
      for (let after = 0; after < whole.next; pages += 1) {
        reads = 0;
        const page = await poll(20_000, after);
        assert.ok(reads < changes, `${reads} versions were read for one page`);
        seen.push(...page.events);
        after = page.next;
      }
      assert.ok(pages > 3, `${pages} pages`);
      assert.deepEqual(seen, whole.events);
    }
  });

  it('reads nothing of changes that no event tells of', async () => {
    const last = await catalogue.lastSequence();
    await catalogue.seed(orders, { browsePathsV2: { path: [{ id: 'a' }] } });
    reads = 0;
    const feed = createChangeFeed(reader, false);
    const query = { topic: 'PlatformEvent_v1', limit: 10, waitMs: 0, caller: catalogue.reader } as const;
    const { events, next } = await feed.poll({ ...query, after: last });
    assert.deepEqual([events, next, reads], [[], last + 1, 0]);
  });
});

describe('who waits for changes', () => {
  it('has a bounded number of places, and one user cannot take all', () => {
    const seats = createSeats('streams', { all: 5, each: 3 });
    const [ana, bob] = [parseUrn('urn:li:corpuser:ana'), parseUrn('urn:li:corpuser:bob')];
    const refuses = (actor: typeof ana, message: RegExp): void => {
      assert.throws(
        () => seats.take(actor),
        (error) => error instanceof PostilError && error.code === 'OVERLOADED' && message.test(error.message),
      );
    };
    const [first, second] = [seats.take(ana), seats.take(ana), seats.take(ana)];
    refuses(ana, /ana has 3 streams open/);
    const [other] = [seats.take(bob), seats.take(bob)];
    refuses(bob, /5 streams are open/);
    first?.();
    first?.();
    seats.take(bob);
    refuses(bob, /5 streams are open/);
    second?.();
    other?.();
    seats.take(ana);
    seats.take(bob);
    refuses(ana, /5 streams are open/);
  });

  it('is refused the place beyond, and gets it when another becomes free', async () => {
    await using server = await startTestServer({ keepsVerdicts: false });
    const endings: AbortController[] = [];
    // What nobody holds any more is closed by whoever collects it.
    const held: Response[] = [];
    const open = async (): Promise<number> => {
      const ending = new AbortController();
      endings.push(ending);
      const response = await fetch(`${server.url}/openapi/v1/events/stream`, {
        headers: { authorization: `Bearer ${server.tokens.Reader}` },
        signal: ending.signal,
      });
      held.push(response);
      return response.status;
    };
    for (let n = 0; n < 20; n += 1) assert.equal(await open(), 200);
    assert.equal(await open(), 503);
    endings[0]?.abort();
    let status = 503;
    while (status === 503) status = await open();
    assert.equal(status, 200);
    assert.ok(held.length > 21);
    for (const ending of endings) ending.abort();
  });

  it('is told nothing any more once the token is revoked', async () => {
    await using server = await startTestServer({ keepsVerdicts: false });
    const created = await server.data(
      'mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:editor", duration: ONE_HOUR, name: "n"}) { accessToken metadata { id } } }',
    );
    const { accessToken, metadata } = created['createAccessToken'] as {
      readonly accessToken: string;
      readonly metadata: { readonly id: string };
    };
    const headers = { authorization: `Bearer ${accessToken}` };
    const stream = await fetch(`${server.url}/openapi/v1/events/stream`, { headers });
    const polled = fetch(`${server.url}/openapi/v1/events/poll?pollTimeoutSeconds=30`, { headers });
    // The stream waits when its place was told, and the poll when another request has been answered since.
    const told = stream.text();
    await server.send('GET', '/openapi/v1/events/poll?pollTimeoutSeconds=0');
    await server.data('mutation ($id: String!) { revokeAccessToken(tokenId: $id) }', { id: metadata.id });
    await server.ingest(orders, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] });
    assert.equal((await polled).status, 401);
    assert.doesNotMatch(await told, /entityChangeEvent/);
  });
});
