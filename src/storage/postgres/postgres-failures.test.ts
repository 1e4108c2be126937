import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { schemaForEachTest } from '../../../test/postgres-schemas.ts';
import { postgresUnavailable } from '../../../test/postgres-server.ts';
import type { AspectStore } from '../../aspect/aspect-store.ts';
import type { CatalogueStore } from '../catalogue-store.ts';
import { apply, datasetUrn, keyDraft, textsOf, write } from '../contract/change-batch.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';

const orders = datasetUrn('shop.orders');
const customers = datasetUrn('shop.customers');

type Proxy = {
  readonly url: string;
  /** What happens at the next COMMIT: its answer, or the statement itself, gets lost with the connection. */
  lose: 'answer' | 'statement' | undefined;
  /** Cuts every connection, and refuses new ones until `restore`. */
  outage(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
};

/** Stands between the store and the server, and cuts the connection around a COMMIT when it is told to. */
async function startProxy(serverUrl: string): Promise<Proxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let cut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (proxy.lose !== undefined && data.includes('COMMIT\0')) {
        cut = true;
        if (proxy.lose === 'statement') client.destroy();
        proxy.lose = undefined;
      }
      if (!client.destroyed) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (cut) client.destroy();
      else client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.port = String((server.address() as AddressInfo).port);
  const outage = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const proxy: Proxy = {
    url: url.href,
    lose: undefined,
    outage,
    async restore() {
      server.listen(Number(url.port), '127.0.0.1');
      await once(server, 'listening');
    },
    stop: outage,
  };
  return proxy;
}

describe('a shared store on a real server', { skip: postgresUnavailable() }, () => {
  const database = schemaForEachTest('failures');
  const opened: AspectStore[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  async function open(at = database.url): Promise<CatalogueStore> {
    const store = await openPostgresStore(at);
    opened.push(store);
    return store;
  }

  /** Ends every connection that the store has, as a restart of the server or a broken network would. */
  async function cutConnections(): Promise<void> {
    await database.admin.unsafe(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE application_name = 'postil' AND datname = current_database()`,
    );
  }

  test('two nodes that each append 200 times to one aspect lose nothing, and the log has no gap', async () => {
    const nodes = [await open(), await open()];
    const increment = (node: AspectStore): Promise<unknown> =>
      node.transact(async (transaction) => {
        const members = JSON.parse((await transaction.read(orders)).get('status')?.text ?? '[]') as number[];
        const text = JSON.stringify([...members, members.length]);
        return apply(transaction, [{ urn: orders, aspect: 'status', text }]);
      });
    await Promise.all(
      nodes.map(async (node) => {
        for (let number = 0; number < 200; number += 1) await increment(node);
      }),
    );
    for (const node of nodes) {
      const aspect = (await node.read(orders)).get('status');
      assert.equal(aspect?.version, 400);
      assert.equal(aspect.text, JSON.stringify(Array.from({ length: 400 }, (_, index) => index)));
      const log = await node.changes({ after: 0, count: 1000 });
      assert.deepEqual(
        log.map(({ sequence, versionAfter }) => [sequence, versionAfter]),
        Array.from({ length: 400 }, (_, index) => [index + 1, index + 1]),
      );
      assert.deepEqual(await node.integrityProblems(), []);
    }
  });

  test('nodes that create the same entities and names at once give them one id each', async () => {
    const nodes = [await open(), await open()];
    await Promise.all(
      nodes.flatMap((node, at) =>
        Array.from({ length: 40 }, (_, index) =>
          write(node, [{ urn: datasetUrn(`t${index}`), aspect: `name${index % 7}`, text: `{"by":${at}}` }]),
        ),
      ),
    );
    for (const node of nodes) {
      for (let index = 0; index < 40; index += 1) {
        assert.equal((await node.read(datasetUrn(`t${index}`))).get(`name${index % 7}`)?.version, 2);
      }
      assert.deepEqual(await node.integrityProblems(), []);
    }
  });

  test('four nodes that open a new database at once migrate it once', async () => {
    const nodes = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(nodes.map((node, at) => write(node, [keyDraft(datasetUrn(`t${at}`))])));
    assert.equal(await nodes[0]?.lastSequence(), 4);
    const [row] = await database.admin.unsafe(
      'SELECT count(*)::int AS steps, count(DISTINCT number)::int AS numbers FROM migration',
    );
    assert.equal(row?.['steps'], row?.['numbers']);
  });

  test('a database of a newer Postil is refused and left alone', async () => {
    await (await openPostgresStore(database.url)).close();
    await database.admin.unsafe(`INSERT INTO migration VALUES (999, 'future')`);
    await assert.rejects(openPostgresStore(database.url), {
      code: 'STORE_UNUSABLE',
      message: /This store has format 999; this Postil knows formats up to \d+\. Use a newer Postil\./,
    });
  });

  test('a server that answers commits before they are durable is refused', async () => {
    await assert.rejects(openPostgresStore(`${database.url}&synchronous_commit=off`), {
      code: 'STORE_UNUSABLE',
      message: /synchronous_commit is off/,
    });
  });

  test('what is wrong with a location is told without its password', async () => {
    const secret = 'k33p-it';
    const wrong = new URL(database.url);
    wrong.password = secret;
    const missing = new URL(database.url);
    missing.pathname = '/nowhere';
    const silent = new URL(database.url);
    silent.password = secret;
    silent.port = '1';
    const cases = [
      [wrong.href, 'STORE_UNUSABLE'],
      [missing.href, 'STORE_UNUSABLE'],
      [silent.href, 'STORAGE_UNREACHABLE'],
      [`postgres://user:${secret}@host:port/x`, 'INVALID_CONFIGURATION'],
    ] as const;
    for (const [location, code] of cases) {
      await assert.rejects(openPostgresStore(location), (error: Error & { code: string }) => {
        assert.equal(error.code, code, location);
        assert.ok(!error.message.includes(secret), error.message);
        return true;
      });
    }
    const { location } = await open();
    assert.match(location, /^postgres:\/\/\w+@[\w.]+:\d+\/\w+$/);
    assert.ok(!location.includes(new URL(database.url).password));
  });

  test('a connection that breaks inside a transaction stores nothing of it, and the next one works', async () => {
    const store = await open();
    await write(store, [keyDraft(orders)]);
    const failed = { name: 'PostilError', code: 'STORAGE_UNREACHABLE' };
    await assert.rejects(
      store.transact(async (transaction) => {
        await apply(transaction, [keyDraft(customers)]);
        await cutConnections();
        await assert.rejects(apply(transaction, [{ urn: orders, aspect: 'status', text: '{}' }]), failed);
        await assert.rejects(transaction.read(orders), failed);
      }),
      failed,
    );
    await write(store, [{ urn: orders, aspect: 'status', text: '{"n":1}' }]);
    assert.deepEqual(await textsOf(store, orders), { datasetKey: '1: {}', status: '1: {"n":1}' });
    assert.deepEqual(await store.existing([orders, customers]), new Set([orders]));
    assert.deepEqual(await store.integrityProblems(), []);
  });

  test('connections that broke while nothing ran are replaced', async () => {
    const store = await open();
    for (let round = 1; round <= 5; round += 1) {
      await write(store, [{ urn: orders, aspect: 'status', text: `{"n":${round}}` }]);
      assert.equal((await store.read(orders)).get('status')?.version, round);
      await cutConnections();
      // The client hears of it in a later turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(await store.lastSequence(), 5);
  });

  test('while no server answers everything is refused, and when it is back everything works again', async () => {
    const proxy = await startProxy(database.url);
    const failed = { name: 'PostilError', code: 'STORAGE_UNREACHABLE' };
    try {
      const store = await open(proxy.url);
      for (let round = 1; round <= 3; round += 1) {
        await write(store, [{ urn: orders, aspect: 'status', text: `{"n":${round}}` }]);
        await proxy.outage();
        for (let attempt = 0; attempt < 3; attempt += 1) {
          await assert.rejects(write(store, [keyDraft(customers)]), failed);
          await assert.rejects(store.read(orders), failed);
        }
        await proxy.restore();
        assert.deepEqual(await textsOf(store, orders), { status: `${round}: {"n":${round}}` });
      }
      await write(store, [keyDraft(customers)]);
      assert.equal(await store.lastSequence(), 4);
    } finally {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      await proxy.stop();
    }
  });

  for (const lose of ['answer', 'statement'] as const) {
    test(`when the ${lose} of a commit is lost, the caller is told what became of it`, async () => {
      const proxy = await startProxy(database.url);
      try {
        const store = await open(proxy.url);
        await write(store, [keyDraft(orders)]);
        for (let round = 1; round <= 5; round += 1) {
          proxy.lose = lose;
          const writing = write(store, [{ urn: orders, aspect: 'status', text: `{"n":${round}}` }]);
          if (lose === 'answer') await writing;
          else await assert.rejects(writing, { name: 'PostilError', code: 'STORAGE_UNREACHABLE' });
          assert.equal(proxy.lose, undefined);
        }
        const stored =
          lose === 'answer' ? { datasetKey: '1: {}', status: '5: {"n":5}' } : { datasetKey: '1: {}' };
        assert.deepEqual(await textsOf(store, orders), stored);
        await write(store, [keyDraft(customers)]);
        assert.deepEqual(await store.integrityProblems(), []);
      } finally {
        await Promise.all(opened.splice(0).map((store) => store.close()));
        await proxy.stop();
      }
    });
  }

  for (const lose of ['answer', 'statement'] as const) {
    test(`when the ${lose} of a commit of verdicts is lost, the caller is told what became of it`, async () => {
      const proxy = await startProxy(database.url);
      try {
        const store = await open(proxy.url);
        proxy.lose = lose;
        const record = { kind: 'cursor', key: 'sequence', text: '5' };
        const writing = store.verdicts.transact((transaction) => transaction.putRecords([record]));
        if (lose === 'answer') await writing;
        else await assert.rejects(writing, { name: 'PostilError', code: 'STORAGE_UNREACHABLE' });
        assert.equal(proxy.lose, undefined);
        assert.equal(await store.verdicts.record('cursor', 'sequence'), lose === 'answer' ? '5' : undefined);
      } finally {
        await Promise.all(opened.splice(0).map((store) => store.close()));
        await proxy.stop();
      }
    });
  }

  test('two nodes that write aspects and verdicts at once have one writer between them', async () => {
    const nodes = [await open(), await open()];
    let writers = 0;
    const alone = async (): Promise<void> => {
      writers += 1;
      assert.equal(writers, 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      writers -= 1;
    };
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const node = nodes[index % 2];
        await (index % 4 < 2 ? node?.transact(alone) : node?.verdicts.transact(alone));
      }),
    );
  });

  test('a failed write of verdicts is not committed, even when its work goes on', async () => {
    const store = await open();
    const writing = store.verdicts.transact(async (transaction) => {
      await transaction.putRecords([{ kind: 'run', key: 'one', text: '1' }]);
      await transaction.putRecords([{ kind: 'run', key: 'two\u0000', text: '2' }]).catch(() => undefined);
    });
    await assert.rejects(writing, { code: 'BAD_REQUEST' });
    assert.equal(await store.verdicts.record('run', 'one'), undefined);
  });

  test('a question with U+0000 is refused without harm to its transaction', async () => {
    const store = await open();
    await store.transact(async (transaction) => {
      await assert.rejects(transaction.childrenNamed('glossaryTerm', undefined, 'a\u0000b'), {
        code: 'BAD_REQUEST',
      });
      await assert.rejects(apply(transaction, [{ urn: orders, aspect: 'status', text: '"\u0000"' }]), {
        code: 'BAD_REQUEST',
      });
      await apply(transaction, [keyDraft(orders)]);
    });
    assert.deepEqual(await store.existing([orders]), new Set([orders]));
  });

  test('a transaction that the server gave up is not answered as stored, though its work went on', async () => {
    const store = await open();
    await assert.rejects(
      store.transact(async (transaction) => {
        await apply(transaction, [keyDraft(orders)]);
        // Not a number: the statement fails at the server, and every later one of the transaction with it.
        await assert.rejects(transaction.changes({ after: Number.NaN, count: 1 }));
      }),
      { name: 'PostilError', code: 'STORAGE_UNREACHABLE' },
    );
    assert.deepEqual(await store.existing([orders]), new Set());
  });

  for (const count of [1, 150]) {
    test(`a transaction whose ${count} search entries cannot be written is not committed`, async () => {
      const store = await open();
      await write(store, [keyDraft(orders)]);
      await database.admin.unsafe('ALTER TABLE search_few RENAME TO search_gone');
      const searchEntries = Array.from({ length: count }, (_, at) => ({
        urn: customers,
        aspect: `aspect${at}`,
        entry: { fields: {}, terms: 'some' },
      }));
      const lost = { name: 'PostilError', code: 'STORAGE_UNREACHABLE' };
      await assert.rejects(
        store.transact(async (transaction) => {
          await apply(transaction, [keyDraft(customers)], { searchEntries });
          // With many of them, they are on their way when the next command is stored.
          await apply(transaction, [{ urn: orders, aspect: 'status', text: '{}' }]).catch(() => undefined);
          await apply(transaction, [{ urn: orders, aspect: 'status', text: '{}' }]).catch(() => undefined);
        }),
        lost,
      );
      await database.admin.unsafe('ALTER TABLE search_gone RENAME TO search_few');
      assert.deepEqual(await store.existing([orders, customers]), new Set([orders]));
      assert.equal(await store.lastSequence(), 1);
      await write(store, [keyDraft(customers)], { searchEntries });
      const { length } = await store.search.bearers({ term: 'some', isPrefix: false });
      assert.equal(length, 1);
    });
  }

  test('a full disk at the server is told as such, and takes nothing else with it', async () => {
    const store = await open();
    await write(store, [keyDraft(orders)]);
    await database.admin.unsafe(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON fragment FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const full = { name: 'PostilError', code: 'STORAGE_FULL' };
    await assert.rejects(
      store.transact(async (transaction) => {
        await apply(transaction, [keyDraft(customers)]);
        const fragments = [{ urn: orders, name: 'columns', text: '[]' }];
        await assert.rejects(apply(transaction, [], { fragments }), full);
      }),
      full,
    );
    await database.admin.unsafe('DROP TRIGGER refuse ON fragment');
    assert.deepEqual(await store.existing([orders, customers]), new Set([orders]));
    await write(store, [keyDraft(customers)]);
    assert.equal(await store.lastSequence(), 2);
  });

  test('a batch that the server gave up because of a deadlock is sent again, a bounded number of times', async () => {
    const store = await open();
    await database.admin.unsafe(
      `CREATE SEQUENCE attempts;
       CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF nextval('attempts') <= 2 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected'; END IF;
            RETURN NEW; END $$;
       CREATE TRIGGER give_up BEFORE INSERT ON change FOR EACH ROW EXECUTE FUNCTION give_up()`,
    );
    await write(store, [keyDraft(orders)]);
    assert.deepEqual(await store.existing([orders]), new Set([orders]));
    await database.admin.unsafe(
      "ALTER SEQUENCE attempts RESTART MINVALUE -100 START -100; SELECT setval('attempts', -100)",
    );
    await store.transact(async (transaction) => {
      await assert.rejects(apply(transaction, [keyDraft(customers)]), {
        name: 'PostilError',
        code: 'OVERLOADED',
      });
    });
    const [row] = await database.admin.unsafe(`SELECT last_value::int AS last FROM attempts`);
    assert.equal(row?.['last'], -97);
    assert.deepEqual(await store.integrityProblems(), []);
  });
});
