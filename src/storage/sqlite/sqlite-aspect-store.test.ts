import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeAspectStore } from '../aspect-store.contract.ts';
import type { OpenedStore } from '../contract/opened-store.ts';
import { describeSearchIndex } from '../search-index.contract.ts';
import { describeVerdictStore } from '../verdict-store.contract.ts';
import { databaseFileName, openSqliteStore } from './sqlite-aspect-store.ts';

async function open(): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'postil-store-'));
  let current = await openSqliteStore(folder);
  return {
    store: current,
    async reopen() {
      await current.close();
      current = await openSqliteStore(folder);
      return current;
    },
    fieldsColumn: 'fields',
    async sql(statement) {
      const database = new DatabaseSync(join(folder, databaseFileName), {
        enableForeignKeyConstraints: false,
      });
      database.exec(statement);
      database.close();
    },
    async destroy() {
      await current.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describeAspectStore('SQLite', open);
describeVerdictStore('SQLite', open);
describeSearchIndex('SQLite', open);
