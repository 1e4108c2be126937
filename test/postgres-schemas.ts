import { after, before, beforeEach } from 'node:test';
import postgres from 'postgres';
import { startPostgres, type TestPostgres } from './postgres-server.ts';

/** An empty schema for each test of the suite it is called in, on one throw-away PostgreSQL. */
export type SchemaOfTest = {
  /** Opens a store in the schema of the present test. */
  readonly url: string;
  /** A connection whose search path is that schema. */
  readonly admin: ReturnType<typeof postgres>;
};

/** To be called inside `describe`; what it gives can be used from `beforeEach` on. */
export function schemaForEachTest(name: string): SchemaOfTest {
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
  beforeEach(async () => {
    schemas += 1;
    await admin.unsafe(`CREATE SCHEMA ${name}_${schemas}; SET search_path TO ${name}_${schemas}`);
  });
  return {
    get url() {
      return `${server.url}?search_path=${name}_${schemas}`;
    },
    get admin() {
      return admin;
    },
  };
}
