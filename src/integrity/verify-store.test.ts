import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { postgresUnavailable } from '../../test/postgres-server.ts';
import { schemaForEachTest } from '../../test/postgres-schemas.ts';
import { remakeIndex } from '../search-index/rebuild-index.ts';
import type { CatalogueStore } from '../storage/catalogue-store.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { databaseFileName, openSqliteStore } from '../storage/sqlite/sqlite-aspect-store.ts';
import { verifyStore } from './verify-store.ts';

type Sql = (statement: string) => Promise<void>;

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const customers = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)';
const revenue = 'urn:li:glossaryTerm:revenue';

const keyOf = (urn: string, aspect: string): string =>
  `(SELECT entity.id * 512 + name.id FROM entity, name WHERE entity.urn = '${urn}' AND name.text = '${aspect}')`;
const ofOrders = keyOf(orders, 'datasetProperties');

/** What can be wrong in the index, each in a statement, and what the check says of it. */
type Damages = Readonly<Record<string, readonly [statement: string, problem: RegExp]>>;

const columns = 'checksum, fields, terms';
const sqliteDamages: Damages = {
  'an entry that is gone': [
    `DELETE FROM search_entry WHERE key = ${ofOrders}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: is missing$/m,
  ],
  'an entry with other fields': [
    `UPDATE search_entry SET fields = '{}' WHERE key = ${ofOrders}`,
    /^entity: .*shop\.orders,PROD\): cannot be read: The stored search entry of datasetProperties of .* is damaged/m,
  ],
  'terms of another entity': [
    `UPDATE search_entry SET terms = (SELECT other.terms FROM search_entry AS other
       WHERE other.key = ${keyOf(customers, 'datasetProperties')}) WHERE key = ${ofOrders}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: differs from the aspect$/m,
  ],
  'terms that are gone': [
    `UPDATE search_entry SET terms = '' WHERE key = ${ofOrders}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: differs from the aspect$/m,
  ],
  'an entry of an aspect that never was': [
    `INSERT INTO search_entry (key, ${columns})
       SELECT ${keyOf(revenue, 'datasetProperties')}, ${columns} FROM search_entry WHERE key = ${ofOrders}`,
    /^search index: urn:li:glossaryTerm:revenue datasetProperties: has an entry and no aspect$/m,
  ],
  'an entry of an entity that never was': [
    `INSERT INTO search_entry (key, ${columns})
       SELECT 512000001, ${columns} FROM search_entry WHERE key = ${ofOrders}`,
    /^search_entry: 1000000: belongs to no entity$/m,
  ],
};

const numberOf = (urn: string): string => `(SELECT id FROM entity WHERE urn = '${urn}')`;
const properties = "(SELECT id FROM name WHERE text = 'datasetProperties')";
const ofOrdersAll = `entity = ${numberOf(orders)}`;
/** In PostgreSQL entries share rows, and who bears their terms lies in other tables. */
const postgresDamages: Damages = {
  'entries that are gone': [
    `DELETE FROM search_entry WHERE ${ofOrdersAll}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: is missing$/m,
  ],
  'entries that are gone, and by which it is found': [
    `DELETE FROM search_entry WHERE ${ofOrdersAll}`,
    /^search index: .*shop\.orders,PROD\) all entries: is found by terms that are gone$/m,
  ],
  'an entry with other fields': [
    `UPDATE search_entry SET entries = replace(entries, 'Orders', 'Others') WHERE ${ofOrdersAll}`,
    /^entity: .*shop\.orders,PROD\): cannot be read: The stored row of search entries of .* is damaged/m,
  ],
  'terms of another entity': [
    `UPDATE search_entry SET terms = (SELECT other.terms FROM search_entry AS other
       WHERE other.entity = ${numberOf(customers)} AND other.part = 0) WHERE ${ofOrdersAll}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: differs from the aspect$/m,
  ],
  'terms that are gone': [
    `UPDATE search_entry SET terms = '' WHERE ${ofOrdersAll}`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: differs from the aspect$/m,
  ],
  'an entry of an aspect that never was': [
    `INSERT INTO search_entry SELECT ${numberOf(revenue)}, ${properties}, 2, 0, ${properties} || ' 0 {}', ''`,
    /^search index: urn:li:glossaryTerm:revenue datasetProperties: has an entry and no aspect$/m,
  ],
  'an entry of an entity that never was': [
    `INSERT INTO search_entry SELECT 1000000, name, part, checksum, entries, terms FROM search_entry WHERE ${ofOrdersAll}`,
    /^search_entry: 1000000: belongs to no entity$/m,
  ],
  'a name word that is gone': [
    `DELETE FROM search_word WHERE word = 'orders'`,
    /^search entry: .*shop\.orders,PROD\) datasetProperties: has name words that the dictionary lacks: orders;/m,
  ],
  'terms by which nothing is found': [
    `DELETE FROM search_bearer WHERE ${ofOrdersAll}`,
    /^search index: .*shop\.orders,PROD\) all entries: has terms by which it is not found$/m,
  ],
  'few terms by which nothing is found': [
    `DELETE FROM search_few WHERE ${ofOrdersAll}`,
    /^search index: .*shop\.orders,PROD\) all entries: has terms by which it is not found$/m,
  ],
  'a long entry by whose terms nothing is found': [
    `INSERT INTO search_entry SELECT ${numberOf(orders)}, ${properties}, 2, 0, '', 'more'`,
    /^search index: .*shop\.orders,PROD\) datasetProperties: has terms by which it is not found$/m,
  ],
  'a long entry that is gone, and by which it is found': [
    `INSERT INTO search_bearer SELECT ${numberOf(orders)}, ${properties}, 2`,
    /^search index: .*shop\.orders,PROD\) datasetProperties: is found by terms that are gone$/m,
  ],
  'further terms of an entry that is gone': [
    `INSERT INTO search_entry SELECT ${numberOf(revenue)}, ${properties}, 3, 0, '', 'more'`,
    /^search index: urn:li:glossaryTerm:revenue datasetProperties: has terms and no entry$/m,
  ],
};

async function problemsOf(
  store: CatalogueStore,
  projections: Parameters<typeof verifyStore>[1],
): Promise<string> {
  const { problems, searchIndex } = await verifyStore(store, projections, () => undefined);
  assert.equal(searchIndex, 'compared');
  return problems.map(({ what, where, problem }) => `${what}: ${where}: ${problem}`).join('\n');
}

/** A small catalogue, which is sound; then damaged, which is named; then indexed anew, which mends it. */
async function findsAndMends(
  store: CatalogueStore,
  sql: Sql,
  statement: string,
  expected: RegExp,
): Promise<void> {
  await using catalogue = await openTestCatalogue({ store });
  const { projections } = catalogue;
  await catalogue.seed(orders, { datasetProperties: { name: 'Orders', description: 'What was bought' } });
  await catalogue.seed(customers, { datasetProperties: { name: 'Customers', description: 'Who buys' } });
  await catalogue.seed(revenue, {
    glossaryTermInfo: { name: 'Revenue', definition: 'What is earned', termSource: 'INTERNAL' },
  });
  // The key has few terms and the properties have more, so that in PostgreSQL there are rows of both kinds.
  const description =
    'What was sold, to whom, where and for how much, as somebody who has to count sales wants to have it';
  await catalogue.seed(orders, { datasetProperties: { name: 'Orders', description } });
  assert.equal(await problemsOf(store, projections), '');
  await sql(statement);
  assert.match(await problemsOf(store, projections), expected);
  await remakeIndex(store.search, { entryOf: projections.searchEntryOf, milliseconds: 50, isShared: false });
  assert.equal(await problemsOf(store, projections), '');
}

describe('the check names what is wrong in the search index, and making it anew mends it', () => {
  async function onSqlite(statement: string, expected: RegExp): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'postil-check-'));
    try {
      const sql: Sql = async (text) => {
        const database = new DatabaseSync(join(folder, databaseFileName), { defensive: false });
        database.exec(text);
        database.close();
      };
      await findsAndMends(await openSqliteStore(folder), sql, statement, expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  for (const [what, [statement, expected]] of Object.entries(sqliteDamages)) {
    test(`SQLite: ${what}`, () => onSqlite(statement, expected));
  }

  const unlikeTerms =
    /^search index: search_bearer: does not say who bears which term; postil reindex makes it anew$/m;
  for (const [what, statement] of Object.entries({
    'an index of bearers that cannot be read': 'DELETE FROM search_bearer_data',
    'an index of bearers that is empty': `INSERT INTO search_bearer (search_bearer) VALUES ('delete-all')`,
    'a bearer that the terms do not know': `INSERT INTO search_bearer (rowid, terms) VALUES (${ofOrders} / 512, 'more')`,
    'a bearer that is lacking': `INSERT INTO search_bearer (search_bearer, rowid, terms)
       SELECT 'delete', key / 512, terms FROM search_entry WHERE key = ${ofOrders}`,
  })) {
    test(`SQLite: ${what}`, () => onSqlite(statement, unlikeTerms));
  }

  describe('PostgreSQL', { skip: postgresUnavailable() }, () => {
    const schema = schemaForEachTest('check');
    for (const [what, [statement, expected]] of Object.entries(postgresDamages)) {
      test(what, async () => {
        const sql: Sql = async (text) => void (await schema.admin.unsafe(text));
        await findsAndMends(await openPostgresStore(schema.url), sql, statement, expected);
      });
    }
  });
});

test('the check leaves out an index that is yet to be made, and says so', async () => {
  await using catalogue = await openTestCatalogue();
  await catalogue.seed(orders, { datasetProperties: { name: 'Orders' } });
  await catalogue.store.search.clear();
  await catalogue.store.search.setProgress({ version: 0, done: 0 });
  const { problems, searchIndex } = await verifyStore(
    catalogue.store,
    catalogue.projections,
    () => undefined,
  );
  assert.deepEqual([problems, searchIndex], [[], 'unfinished']);
});
