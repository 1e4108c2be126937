import assert from 'node:assert/strict';
import { test } from 'node:test';
import postgres from 'postgres';
import { postgresUnavailable, startPostgres } from './postgres-server.ts';

test(
  'each test file gets an empty PostgreSQL database that is gone afterwards',
  { skip: postgresUnavailable() },
  async () => {
    const first = await startPostgres();
    const second = await startPostgres();
    const sql = postgres(first.url, { max: 1 });
    await sql`create table witness (name text)`;
    await sql`insert into witness values ('b'), ('B'), ('a')`;
    const sorted = await sql`select name from witness order by name`;
    assert.deepEqual(
      sorted.map((row) => row['name'] as string),
      ['a', 'b', 'B'],
      'the default collation is linguistic',
    );
    const other = postgres(second.url, { max: 1 });
    const tables = await other`select 1 from pg_tables where tablename = 'witness'`;
    assert.equal(tables.length, 0);
    await other.end();
    await second.stop();
    await first.stop();
    await assert.rejects(postgres(first.url, { max: 1, connect_timeout: 2 })`select 1`);
  },
);
