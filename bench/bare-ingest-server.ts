import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/**
 * What storing the same proposals costs at least: node:http, JSON.parse, one table, one durable transaction per request. No
 * validation, no history, no change log, nothing derived. Its argument is an empty folder.
 */
const database = new DatabaseSync(join(process.argv[2] ?? '', 'bare.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE aspect (urn TEXT, name TEXT, body TEXT, PRIMARY KEY (urn, name)) STRICT');
const put = database.prepare('INSERT OR REPLACE INTO aspect VALUES (?, ?, ?)');

type Batch = {
  readonly proposals: readonly {
    readonly entityUrn: string;
    readonly aspectName: string;
    readonly aspect: { readonly value: string };
  }[];
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { proposals } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Batch;
    database.exec('BEGIN IMMEDIATE');
    for (const { entityUrn, aspectName, aspect } of proposals) put.run(entityUrn, aspectName, aspect.value);
    database.exec('COMMIT');
    response.setHeader('Content-Type', 'application/json;charset=utf-8');
    response.end('{"value":"success"}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(JSON.stringify({ message: 'ready', url: `http://127.0.0.1:${port}` }));
});
process.on('SIGTERM', () => process.exit(0));
