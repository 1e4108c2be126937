import type { DatabaseSync } from 'node:sqlite';
import type { ScrubbedAspect } from '../../aspect/aspect-store.ts';
import { Aspect } from '../../aspect/aspect.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { aspectChecksum } from '../checksum.ts';
import type { Names } from './sqlite-names.ts';

type Row = Record<string, unknown>;
type AspectTable = 'aspect' | 'aspect_history';

const pageSize = 100;

/**
 * Every row of a table of aspects. Where a page cannot be read, it goes on entity by entity, so that the entities whose
 * documents cannot be read are named and all others are still looked at (promise R18).
 */
export function* scrubTable(
  database: DatabaseSync,
  names: Names,
  table: AspectTable,
): Iterable<ScrubbedAspect> {
  const select = `SELECT entity.urn, ${table}.* FROM ${table} LEFT JOIN entity ON entity.id = ${table}.key / ${namesPerEntity}`;
  const page = database.prepare(
    `${select} WHERE (key, version) > (?, ?) ORDER BY key, version LIMIT ${pageSize}`,
  );
  const ofEntity = database.prepare(`${select} WHERE key BETWEEN ? AND ? ORDER BY key, version`);
  let after: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = attempt(() => page.all(...after));
    if (rows === undefined) break;
    for (const row of rows) yield scrubbedOf(row, table, names);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [Number(last['key']), Number(last['version'])];
  }
  for (let id = Math.floor(after[0] / namesPerEntity); id <= lastEntity(database); id += 1) {
    const first = id * namesPerEntity;
    const rows = attempt(() => ofEntity.all(first, first + namesPerEntity - 1));
    if (rows === undefined) yield unreadable(database, id, table);
    else for (const row of rows) yield scrubbedOf(row, table, names);
  }
}

/** `undefined` where a page is damaged. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function lastEntity(database: DatabaseSync): number {
  const newest = (sql: string): number => Number(attempt(() => database.prepare(sql).get())?.['id'] ?? 0);
  return Math.max(
    newest('SELECT max(id) AS id FROM entity'),
    newest('SELECT max(entity) AS id FROM change'),
    newest(`SELECT max(key) / ${namesPerEntity} AS id FROM aspect`),
  );
}

function unreadable(database: DatabaseSync, id: number, table: AspectTable): ScrubbedAspect {
  const row =
    attempt(() => database.prepare('SELECT urn FROM entity NOT INDEXED WHERE id = ?').get(id)) ??
    attempt(() =>
      database.prepare('SELECT urn FROM entity INDEXED BY sqlite_autoindex_entity_1 WHERE id = ?').get(id),
    );
  return {
    urn: String(row?.['urn'] ?? `entity ${id}`) as Urn,
    aspect: 'every aspect',
    version: 0,
    latest: table === 'aspect',
    removed: false,
    value: undefined,
    intact: false,
  };
}

function scrubbedOf(row: Row, table: AspectTable, names: Names): ScrubbedAspect {
  const key = Number(row['key']);
  const version = Number(row['version']);
  const time = Number(row['time']);
  const actor = String(row['actor']);
  const system = row['system'] === null ? null : String(row['system']);
  const body = row['body'] === null ? null : String(row['body']);
  const intact =
    row['urn'] !== null &&
    aspectChecksum(key, version, time, actor, system, body) === Number(row['checksum']);
  const aspect = attempt(() => names.textOf(key % namesPerEntity)) ?? `name ${key % namesPerEntity}`;
  return {
    urn: (row['urn'] ?? `entity ${Math.floor(key / namesPerEntity)}`) as Urn,
    aspect,
    version,
    latest: table === 'aspect',
    removed: body === null,
    value: intact && body !== null ? new Aspect(aspect, version, body, { time, actor }, system) : undefined,
    intact,
  };
}
