import { after, before, describe } from 'node:test';
import postgres from 'postgres';
import { postgresUnavailable, startPostgres, type TestPostgres } from '../../../test/postgres-server.ts';
import { describeAspectStore } from '../aspect-store.contract.ts';
import type { OpenedStore } from '../contract/opened-store.ts';
import { describeSearchIndex } from '../search-index.contract.ts';
import { describeVerdictStore } from '../verdict-store.contract.ts';
import { openPostgresStore } from './postgres-aspect-store.ts';

describe('PostgreSQL', { skip: postgresUnavailable() }, () => {
  let server: TestPostgres;
  let admin: ReturnType<typeof postgres>;
  let schemas = 0;
  before(async () => {
    server = await startPostgres();
    admin = postgres(server.url, { max: 1, onnotice: () => undefined });
  });
  after(async () => {
    await admin.end();
    await server.stop();
  });

  async function open(): Promise<OpenedStore> {
    schemas += 1;
    const schema = `catalogue_${schemas}`;
    await admin.unsafe(`CREATE SCHEMA ${schema}`);
    const url = `${server.url}?search_path=${schema}`;
    let current = await openPostgresStore(url);
    return {
      store: current,
      async reopen() {
        await current.close();
        current = await openPostgresStore(url);
        return current;
      },
      fieldsColumn: 'entries',
      async sql(statement) {
        await admin.unsafe(`SET search_path TO ${schema}; ${statement}`);
      },
      async destroy() {
        await current.close();
        await admin.unsafe(`DROP SCHEMA ${schema} CASCADE`);
      },
    };
  }

  describeAspectStore('PostgreSQL', open);
  describeVerdictStore('PostgreSQL', open);
  describeSearchIndex('PostgreSQL', open);
});
