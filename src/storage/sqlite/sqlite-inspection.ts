import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../errors/error-text.ts';
import type { AspectStore, IntegrityProblem } from '../../aspect/aspect-store.ts';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { changeChecksum } from '../checksum.ts';
import { type AspectRow, aspectFromRow } from '../stored-aspect.ts';
import { searchEntryFromRow, type SearchEntryRow } from '../stored-search-entry.ts';
import type { Names } from './sqlite-names.ts';
import { changeColumns } from './sqlite-reader.ts';
import { scrubTable } from './sqlite-scrub.ts';

export type SqliteInspection = Pick<
  AspectStore,
  'scrub' | 'integrityProblems' | 'projectionsOf' | 'searchEntriesOf' | 'statistics'
>;

/** As many as anybody reads. */
const listedMax = 1_000;

/** The entity.id that a row of each table belongs to. */
const owners = {
  aspect: `key / ${namesPerEntity}`,
  aspect_history: `key / ${namesPerEntity}`,
  relationship: 'source',
  fragment: `key / ${namesPerEntity}`,
  placement: 'entity',
  search_entry: `key / ${namesPerEntity}`,
};

/** What `postil check` asks of the embedded store. Nothing here is on the path of a request. */
export function createSqliteInspection(database: DatabaseSync, names: Names): SqliteInspection {
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);

  /** What one question finds; a question that the damage itself keeps from being answered is a problem, too. */
  function problems(what: string, sql: string, problem: string): IntegrityProblem[] {
    try {
      const rows = database.prepare(sql).all();
      return rows.map((row) => ({ what, where: String(Object.values(row)[0]), problem }));
    } catch (error) {
      return [{ what, where: 'table', problem: `cannot be read: ${errorText(error)}` }];
    }
  }

  function changedLogRows(): IntegrityProblem[] {
    const rows = database.prepare(`SELECT checksum, ${changeColumns} FROM change ORDER BY sequence`);
    rows.setReturnArrays(true);
    const found: IntegrityProblem[] = [];
    try {
      for (const row of rows.iterate() as Iterable<unknown> as Iterable<[number, ...(number | string)[]]>) {
        const [checksum, ...columns] = row;
        if (changeChecksum(columns) === checksum || found.length >= listedMax) continue;
        found.push({ what: 'change log', where: String(columns[0]), problem: 'does not match its checksum' });
      }
    } catch (error) {
      found.push({ what: 'change log', where: 'table', problem: `cannot be read: ${errorText(error)}` });
    }
    return found;
  }

  return {
    async *scrub() {
      yield* scrubTable(database, names, 'aspect');
      yield* scrubTable(database, names, 'aspect_history');
    },
    async integrityProblems() {
      // The check of a full-text index goes by what this connection read of it before, unless something is asked of it first.
      const ofIndex = problems(
        'search index',
        `SELECT rowid FROM search_bearer WHERE search_bearer MATCH '"-"' LIMIT 1`,
        'is damaged',
      );
      const ofFile = problems('database file', 'PRAGMA integrity_check(20)', 'is damaged').filter(
        ({ where }) => where !== 'ok',
      );
      return [
        ...ofIndex,
        ...ofFile,
        // Where pages are damaged, what is asked of all versions at once may pass over some of them.
        ...(ofFile.length > 0 ? unreadableVersions(database) : []),
        ...problems(
          'change log',
          `SELECT '1 to ' || max(sequence) FROM change HAVING count(*) FILTER (WHERE sequence > 0) <> max(sequence)`,
          'has a gap',
        ),
        ...changedLogRows(),
        ...problems('change log', loggedButGone('> coalesce(aspect.version, 0)'), 'is not stored'),
        ...problems('aspect history', loggedButGone('< aspect.version'), 'is not stored'),
        ...problems('aspect history', indexedElsewhere, 'is in the index, which leads to another row'),
        ...problems(
          'aspect history',
          `SELECT entity.urn || ' ' || name.text FROM aspect
           JOIN entity ON entity.id = aspect.key / ${namesPerEntity} JOIN name ON name.id = aspect.key % ${namesPerEntity}
           WHERE version - 1 < (SELECT count(*) FROM aspect_history WHERE aspect_history.key = aspect.key)
           LIMIT ${listedMax}`,
          'has more versions than were written',
        ),
        ...Object.entries(owners).flatMap(([table, owner]) =>
          problems(
            table,
            `SELECT ${owner} FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM entity WHERE id = ${owner}) LIMIT ${listedMax}`,
            'belongs to no entity',
          ),
        ),
        ...Object.entries({ entity: 'urn', name: 'text' }).flatMap(([table, column]) => [
          ...problems(table, indexedOtherwise(table, column), 'is in the index, and otherwise in the table'),
          ...problems(table, storedOtherwise(table, column), 'is in the table, and otherwise in the index'),
        ]),
      ];
    },
    async projectionsOf(urn: Urn) {
      const relationships = database
        .prepare(
          `SELECT kind, target.urn AS destination, path, name.text AS aspect FROM relationship
           JOIN name ON name.id = relationship.aspect JOIN entity AS source ON source.id = relationship.source
           JOIN entity AS target ON target.id = relationship.destination WHERE source.urn = ?`,
        )
        .all(urn);
      const fragments = database
        .prepare(
          `SELECT name.text AS name, body FROM entity JOIN fragment
           ON fragment.key BETWEEN entity.id * ${namesPerEntity} AND entity.id * ${namesPerEntity} + ${namesPerEntity - 1}
           JOIN name ON name.id = fragment.key % ${namesPerEntity} WHERE urn = ?`,
        )
        .all(urn);
      const placement = database
        .prepare(
          `SELECT placement.name, above.urn AS parent FROM placement JOIN entity ON entity.id = placement.entity
           LEFT JOIN entity AS above ON above.id = placement.parent WHERE entity.urn = ?`,
        )
        .get(urn);
      return {
        relationships: relationships.map((row) => ({
          kind: String(row['kind']),
          destination: String(row['destination']) as Urn,
          path: String(row['path']),
          aspect: String(row['aspect']),
        })),
        fragments: new Map(fragments.map((row) => [String(row['name']), String(row['body'])])),
        placement:
          placement === undefined
            ? undefined
            : {
                urn,
                name: String(placement['name']),
                parent: placement['parent'] === null ? undefined : (placement['parent'] as Urn),
              },
      };
    },
    async searchEntriesOf(urn: Urn) {
      const entries = database
        .prepare(
          `SELECT name.text AS name, search_entry.* FROM entity JOIN search_entry
           ON search_entry.key BETWEEN entity.id * ${namesPerEntity} AND entity.id * ${namesPerEntity} + ${namesPerEntity - 1}
           JOIN name ON name.id = search_entry.key % ${namesPerEntity} WHERE urn = ?`,
        )
        .all(urn);
      return new Map(entries.map((row) => searchEntryOf(urn, row)));
    },
    async statistics() {
      return {
        entities: number('SELECT count(*) FROM entity WHERE present = 1'),
        aspects: number('SELECT count(*) FROM aspect WHERE body IS NOT NULL'),
        lastSequence: number('SELECT max(sequence) FROM change'),
      };
    },
  };
}

function searchEntryOf(urn: Urn, row: Record<string, unknown>): readonly [string, SearchEntry] {
  const [aspect, terms] = [String(row['name']), String(row['terms'])];
  const columns: SearchEntryRow = [Number(row['checksum']), String(row['fields'])];
  const { fields } = searchEntryFromRow(urn, aspect, Number(row['key']), columns);
  return [aspect, { fields, terms }];
}

/**
 * Versions that the change log knows and that are stored nowhere, by name. A version that was kept and is gone is a matter of
 * the history, one that is newer than everything stored a matter of the log.
 */
function loggedButGone(condition: string): string {
  const key = `change.entity * ${namesPerEntity} + change.aspect`;
  return `SELECT coalesce(entity.urn, 'entity ' || change.entity) || ' ' || coalesce(name.text, 'name ' || change.aspect)
            || ' version ' || version_after
          FROM change LEFT JOIN aspect ON aspect.key = ${key}
          LEFT JOIN entity ON entity.id = change.entity LEFT JOIN name ON name.id = change.aspect
          WHERE version_after ${condition}
            AND NOT EXISTS (SELECT 1 FROM aspect_history AS old WHERE old.key = ${key} AND old.version = version_after)
          LIMIT ${listedMax}`;
}

/** Every logged version that no longer can be read, as far as the log itself can be. */
function unreadableVersions(database: DatabaseSync): IntegrityProblem[] {
  const columns = 'version, body, system, time, actor, checksum';
  const latest = database.prepare(`SELECT ${columns} FROM aspect WHERE key = ?`);
  const old = database.prepare(`SELECT ${columns} FROM aspect_history WHERE key = ? AND version = ?`);
  for (const statement of [latest, old]) statement.setReturnArrays(true);
  const textOf = (table: 'entity' | 'name', column: string, id: number): string => {
    try {
      const row = database.prepare(`SELECT ${column} AS text FROM ${table} WHERE id = ?`).get(id);
      return String(row?.['text'] ?? `${table} ${id}`);
    } catch {
      return `${table} ${id}`;
    }
  };
  const isThere = (key: number, version: number): boolean => {
    for (const read of [() => latest.get(key), () => old.get(key, version)]) {
      try {
        const row = read() as unknown as AspectRow | undefined;
        if (row === undefined || row[0] !== version) continue;
        aspectFromRow('' as Urn, '', key, ...row);
        return true;
      } catch {
        // The other place may have it.
      }
    }
    return false;
  };
  const found: IntegrityProblem[] = [];
  try {
    const logged = database.prepare('SELECT entity, aspect, version_after FROM change ORDER BY sequence');
    for (const row of logged.iterate()) {
      const [entity, aspect, version] = [row['entity'], row['aspect'], row['version_after']].map(Number);
      if (entity === undefined || aspect === undefined || version === undefined) continue;
      if (isThere(entity * namesPerEntity + aspect, version)) continue;
      const where = `${textOf('entity', 'urn', entity)} ${textOf('name', 'text', aspect)} version ${version}`;
      found.push({ what: 'change log', where, problem: 'cannot be read' });
      if (found.length >= listedMax) break;
    }
  } catch (error) {
    found.push({ what: 'change log', where: 'table', problem: `cannot be read: ${errorText(error)}` });
  }
  return found;
}

/** Texts of the unique index whose row says another one, or is gone. */
function indexedOtherwise(table: string, column: string): string {
  return `SELECT entry.${column} FROM ${table} AS entry INDEXED BY sqlite_autoindex_${table}_1
          WHERE (SELECT stored.${column} FROM ${table} AS stored WHERE stored.id = entry.id) IS NOT entry.${column}
          ORDER BY entry.${column} LIMIT ${listedMax}`;
}

/** Texts of rows that the unique index does not lead to. */
function storedOtherwise(table: string, column: string): string {
  return `SELECT stored.${column} FROM ${table} AS stored NOT INDEXED
          WHERE (SELECT entry.id FROM ${table} AS entry INDEXED BY sqlite_autoindex_${table}_1
                 WHERE entry.${column} = stored.${column}) IS NOT stored.id
          LIMIT ${listedMax}`;
}

/** Old versions whose entry of the index leads to a row of another aspect or version, or to none. */
const indexedElsewhere = `
  SELECT coalesce(entity.urn, 'entity ' || entry.key / ${namesPerEntity})
    || ' ' || coalesce(name.text, 'name ' || entry.key % ${namesPerEntity}) || ' version ' || entry.version
  FROM aspect_history AS entry INDEXED BY sqlite_autoindex_aspect_history_1
  LEFT JOIN entity ON entity.id = entry.key / ${namesPerEntity} LEFT JOIN name ON name.id = entry.key % ${namesPerEntity}
  WHERE NOT EXISTS (SELECT 1 FROM aspect_history AS stored NOT INDEXED
                    WHERE stored.rowid = entry.rowid AND stored.key = entry.key AND stored.version = entry.version)
  LIMIT ${listedMax}`;
