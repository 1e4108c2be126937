import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Aspect, type EntityAspects } from '../../aspect/aspect.ts';
import type { AspectReader, Change, Page, RelatedEntity, RelationshipQuery } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { aspectChecksum, fragmentChecksum } from '../checksum.ts';
import { type Names, namesPerEntity } from './sqlite-names.ts';
import { storageError } from './sqlite-connection.ts';

/** Remembered URN to id pairs; ids never change, so only memory bounds it. */
const rememberedIds = 20_000;
const noAspects: EntityAspects = new Map();

type AspectRow = [number, string | null, string | null, number, string, number];

/** What the writer shares with the reader on its connection. */
export type SqliteReader = AspectReader & {
  idOf(urn: Urn): number | undefined;
  versionOf(urn: Urn, aspect: string): number;
  forgetIds(): void;
};

/** Answers the port's questions over one connection. Every call is synchronous inside, so it sees one state. */
export function createSqliteReader(database: DatabaseSync, names: Names): SqliteReader {
  const idByUrn = new Map<string, number>();
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const selectId = arrays('SELECT id FROM entity WHERE urn = ?');
  const columns = 'version, body, system, time, actor, checksum';
  const selectAspect = arrays(`SELECT ${columns} FROM aspect WHERE key = ?`);
  const selectAspects = arrays(`SELECT key, ${columns} FROM aspect WHERE key BETWEEN ? AND ? AND body IS NOT NULL`);
  const selectOld = arrays(`SELECT ${columns} FROM aspect_history WHERE key = ? AND version = ?`);
  const selectPresent = arrays('SELECT present FROM entity WHERE urn = ?');
  const selectFragment = arrays('SELECT body, checksum FROM fragment WHERE key = ?');
  const selectChanges = arrays(
    `SELECT sequence, commit_sequence, time, actor, command, entity.urn, aspect, version_before, version_after, removed
     FROM change JOIN entity ON entity.id = change.entity WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const selectLast = arrays('SELECT max(sequence) FROM change');
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) statements.set(sql, (statement = arrays(sql)));
    return statement;
  };

  function idOf(urn: Urn): number | undefined {
    const known = idByUrn.get(urn);
    if (known !== undefined) return known;
    const row = selectId.get(urn) as unknown as [number] | undefined;
    if (row === undefined) return undefined;
    if (idByUrn.size >= rememberedIds) idByUrn.clear();
    idByUrn.set(urn, row[0]);
    return row[0];
  }

  function aspectOf(urn: Urn, name: string, key: number, row: AspectRow): Aspect | undefined {
    const [version, body, system, time, actor, checksum] = row;
    if (aspectChecksum(key, version, time, actor, system, body) !== checksum) {
      throw new PostilError(
        'CORRUPT_ASPECT',
        `The stored aspect ${name} of ${urn} is damaged. Run postil check, then restore a backup.`,
      );
    }
    return body === null ? undefined : new Aspect(name, version, body, { time, actor }, system);
  }

  function readNow(urn: Urn, wanted: readonly string[] | undefined): EntityAspects {
    const id = idOf(urn);
    if (id === undefined) return noAspects;
    const aspects = new Map<string, Aspect>();
    const first = id * namesPerEntity;
    if (wanted === undefined) {
      const rows = selectAspects.all(first, first + namesPerEntity - 1) as unknown as [number, ...AspectRow][];
      for (const [key, ...row] of rows) {
        const name = names.textOf(key - first);
        const aspect = aspectOf(urn, name, key, row);
        if (aspect !== undefined) aspects.set(name, aspect);
      }
      return aspects;
    }
    for (const name of wanted) {
      const nameId = names.idOf(name);
      if (nameId === undefined) continue;
      const row = selectAspect.get(first + nameId) as unknown as AspectRow | undefined;
      const aspect = row === undefined ? undefined : aspectOf(urn, name, first + nameId, row);
      if (aspect !== undefined) aspects.set(name, aspect);
    }
    return aspects;
  }

  function keyOf(urn: Urn, name: string): number | undefined {
    const id = idOf(urn);
    const nameId = names.idOf(name);
    return id === undefined || nameId === undefined ? undefined : id * namesPerEntity + nameId;
  }

  function countOf(sql: string, parameters: readonly (string | number)[]): number {
    return (prepared(sql).get(...parameters) as unknown as [number])[0];
  }

  function relationshipsNow(query: RelationshipQuery): Page<RelatedEntity> {
    const id = idOf(query.urn);
    if (id === undefined) return { items: [], total: 0 };
    const [own, other] =
      query.direction === 'INCOMING' ? ['destination', 'source'] : ['source', 'destination'];
    const kinds = query.kinds ?? [];
    const condition =
      `${own} = ?` + (query.kinds === undefined ? '' : ` AND kind IN (${kinds.map(() => '?').join(',')})`);
    const path = query.distinct ? `''` : 'path';
    const edges = `SELECT DISTINCT kind, ${other} AS other, ${path} AS path FROM relationship WHERE ${condition}`;
    const total = countOf(`SELECT count(*) FROM (${edges})`, [id, ...kinds]);
    const rows = prepared(
      `SELECT kind, entity.urn, path FROM (${edges}) JOIN entity ON entity.id = other
       ORDER BY kind, other, path LIMIT ? OFFSET ?`,
    ).all(id, ...kinds, query.count, query.start) as unknown as [string, Urn, string][];
    return { items: rows.map(([kind, urn, edgePath]) => ({ kind, urn, path: edgePath })), total };
  }

  function urnPage(table: string, order: string, parameters: readonly (string | number)[], page: Window): Page<Urn> {
    const total = countOf(`SELECT count(*) FROM ${table}`, parameters);
    const rows = prepared(`SELECT entity.urn FROM ${table} ORDER BY ${order} LIMIT ? OFFSET ?`).all(
      ...parameters,
      page.count,
      page.start,
    ) as unknown as [Urn][];
    return { items: rows.map(([urn]) => urn), total };
  }

  /** `undefined` when the parent was never heard of, so that nothing can be below it. */
  function parentIdOf(parent: Urn | undefined): number | undefined {
    return parent === undefined ? 0 : idOf(parent);
  }

  return {
    idOf,
    versionOf(urn, aspect) {
      const key = keyOf(urn, aspect);
      const row = key === undefined ? undefined : (selectAspect.get(key) as unknown as AspectRow | undefined);
      return row?.[0] ?? 0;
    },
    forgetIds: () => idByUrn.clear(),
    async read(urn, wanted) {
      return guard(() => readNow(urn, wanted));
    },
    async readMany(urns, wanted) {
      return guard(() => new Map(urns.map((urn) => [urn, readNow(urn, wanted)])));
    },
    async readVersion(urn, name, version) {
      const key = keyOf(urn, name);
      if (key === undefined) return undefined;
      const latest = selectAspect.get(key) as unknown as AspectRow | undefined;
      if (latest !== undefined && latest[0] === version) return aspectOf(urn, name, key, latest);
      const old = selectOld.get(key, version) as unknown as AspectRow | undefined;
      return old === undefined ? undefined : aspectOf(urn, name, key, old);
    },
    async existing(urns) {
      return new Set(
        urns.filter((urn) => (selectPresent.get(urn) as unknown as [number] | undefined)?.[0] === 1),
      );
    },
    async readFragment(urn, name) {
      const key = keyOf(urn, name);
      const row =
        key === undefined ? undefined : (selectFragment.get(key) as unknown as [string, number] | undefined);
      if (key === undefined || row === undefined) return undefined;
      if (fragmentChecksum(key, row[0]) !== row[1]) {
        throw new PostilError(
          'CORRUPT_ASPECT',
          `The stored ${name} of ${urn} is damaged. Run postil check, then restore a backup.`,
        );
      }
      return row[0];
    },
    async relationships(query) {
      return guard(() => relationshipsNow(query));
    },
    async children({ type, parent, start, count }) {
      const parentId = parentIdOf(parent);
      if (parentId === undefined) return { items: [], total: 0 };
      return urnPage(
        'placement JOIN entity ON entity.id = placement.entity WHERE placement.type = ? AND parent = ?',
        'name, entity.urn',
        [type, parentId],
        { start, count },
      );
    },
    async childrenNamed(type, parent, name) {
      const parentId = parentIdOf(parent);
      if (parentId === undefined) return [];
      const rows = prepared(
        `SELECT entity.urn FROM placement JOIN entity ON entity.id = placement.entity
         WHERE placement.type = ? AND parent = ? AND name = ? ORDER BY entity.urn`,
      ).all(type, parentId, name) as unknown as [Urn][];
      return rows.map(([urn]) => urn);
    },
    async entities({ type, start, count }) {
      return urnPage('entity WHERE type = ? AND present = 1', 'id', [type], { start, count });
    },
    async changes({ after, count }) {
      const rows = selectChanges.all(after, count) as unknown as ChangeRow[];
      return rows.map((row) => changeOf(row, names));
    },
    async lastSequence() {
      return (selectLast.get() as unknown as [number | null])[0] ?? 0;
    },
  };
}

type Window = { readonly start: number; readonly count: number };
type ChangeRow = [number, number, number, string, string, Urn, number, number, number, number];

function changeOf(row: ChangeRow, names: Names): Change {
  const [sequence, commit, time, actor, command, urn, aspect, versionBefore, versionAfter, removed] = row;
  return {
    sequence,
    commit,
    time,
    actor,
    command,
    urn,
    aspect: names.textOf(aspect),
    versionBefore,
    versionAfter,
    removed: removed === 1,
  };
}

/** An answer that fails does so in the code table's words. */
function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageError(error);
  }
}
