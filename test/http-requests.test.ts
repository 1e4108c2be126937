import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from './server.ts';

/* Requests as raw bytes: what clients, proxies and attackers send that `fetch` does not. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const query = '{"query":"{ __typename }"}';
const answered = '{"data":{"__typename":"Query"},"extensions":{}}';

type Parts = { readonly target: string; readonly token?: string; readonly headers?: string };

function head({ target, token = server.tokens.Editor, headers = '' }: Parts): string {
  return (
    `POST ${target} HTTP/1.1\r\nHost: postil\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\n${headers}\r\n`
  );
}

function graphql(headers = ''): string {
  return head({ target: '/api/graphql', headers: `Content-Length: ${query.length}\r\n${headers}` }) + query;
}

/** Sends all pieces, whatever is answered meanwhile, and gives what came until the connection was closed. */
async function exchange(pieces: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const ended = new Promise<void>((resolve, reject) =>
    socket.on('close', () => resolve()).on('error', reject),
  );
  for (const piece of pieces) {
    if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  await ended;
  return received;
}

function statuses(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

const last = 'Connection: close\r\n';
const chunk = `100000\r\n${'x'.repeat(0x10_00_00)}\r\n`;

test('requests that are sent behind one another are answered in their order', async () => {
  const received = await exchange([graphql() + graphql() + graphql(last)]);
  assert.deepEqual(statuses(received), [200, 200, 200]);
  assert.equal(received.split(answered).length, 4);
});

test('who sends too large a body is told so, and the connection is good for the next request', async () => {
  for (const [target, chunks] of [
    ['/api/graphql', 3],
    ['/aspects?action=ingestProposal', 18],
  ] as const) {
    const body = Array.from({ length: chunks }, () => chunk);
    const chunked = head({ target, headers: 'Transfer-Encoding: chunked\r\n' });
    assert.deepEqual(
      statuses(await exchange([chunked, ...body, '0\r\n\r\n', graphql(last)])),
      [413, 200],
      target,
    );
    const announced = head({ target, headers: `Content-Length: ${chunks * 0x10_00_00}\r\n` });
    const plain = Array.from({ length: chunks }, () => 'x'.repeat(0x10_00_00));
    assert.deepEqual(statuses(await exchange([announced, ...plain, graphql(last)])), [413, 200], target);
  }
});

test('who has no valid token is told so, however much is sent', async () => {
  for (const target of ['/api/graphql', '/entities?action=batchIngest']) {
    const refused = head({ target, token: 'nobody', headers: `Content-Length: ${5 * 0x10_00_00}\r\n` });
    const body = Array.from({ length: 5 }, () => 'x'.repeat(0x10_00_00));
    assert.deepEqual(statuses(await exchange([refused, ...body, graphql(last)])), [401, 200], target);
  }
});

test('a body that is announced beyond all measure ends the connection', async () => {
  const announced = head({
    target: '/aspects?action=ingestProposal',
    headers: 'Content-Length: 99999999999\r\n',
  });
  const received = await exchange([`${announced}x`]);
  assert.deepEqual(statuses(received), [413]);
  assert.match(received, /^connection: close/im);
});

test('a caller that goes away in the middle of its body is no failure of the server', async () => {
  const before = server.problems.length;
  for (const target of ['/api/graphql', '/aspects?action=ingestProposal']) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`${head({ target, headers: 'Content-Length: 1000\r\n' })}{"query":`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
  }
  await exchange([graphql(last)]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(server.problems.slice(before), []);
});

test('a request line may name the server, as requests through proxies do', async () => {
  const received = await exchange([
    `${head({ target: 'http://postil.example/api/graphql', headers: `Content-Length: ${query.length}\r\n${last}` })}${query}`,
  ]);
  assert.ok(received.endsWith(answered), received);
});

test('paths are taken as they are: nothing is resolved, decoded or merged in them', async () => {
  for (const path of [
    '//config',
    '/gms//config',
    '/gms/gms/config',
    '/%63onfig',
    '/config;a=b',
    '/config%00',
    '/CONFIG',
    '/api/gms@other.example/config',
    '/gms/../config',
  ]) {
    const received = await exchange([`GET ${path} HTTP/1.1\r\nHost: postil\r\n${last}\r\n`]);
    assert.deepEqual(statuses(received), [404], path);
  }
});

test('an empty Accept header is as good as none', async () => {
  const received = await exchange([graphql(`Accept: \r\n${last}`)]);
  assert.deepEqual(statuses(received), [200]);
});

test('an unknown action of a rest.li path is refused as rest.li refuses', async () => {
  for (const path of ['/aspects?action=nothing', '/gms/test', '/entities?action=evaluate']) {
    const { status, headers, body } = await server.send('POST', path, { body: {} });
    assert.equal(status, 400, path);
    assert.equal(headers.get('x-restli-error-response'), 'true', path);
    assert.match(JSON.stringify(body), /"exceptionClass":"com\.linkedin.*has no action/, path);
  }
});

test('an open route is no way to try out tokens faster than elsewhere', async () => {
  const address = await startTestServer();
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { status } = await address.send('GET', '/config?verbose=true', { token: `guess-${attempt}` });
      assert.equal(status, 200);
    }
    assert.equal((await address.send('POST', '/api/graphql', { token: 'guess', body: {} })).status, 429);
    const { text } = await address.send('GET', '/config?verbose=true', { token: address.tokens.Admin });
    assert.match(text, /"userType":"anonymous"/);
    const known = await address.send('POST', '/api/graphql', { token: address.tokens.Admin, body: query });
    assert.equal(known.status, 200);
  } finally {
    await address.close();
  }
});
