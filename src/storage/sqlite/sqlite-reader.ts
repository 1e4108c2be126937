import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Aspect, EntityAspects } from '../../aspect/aspect.ts';
import type {
  AspectReader,
  ImmediateReader,
  Change,
  Page,
  RelatedEntity,
  RelationshipQuery,
} from '../../aspect/aspect-store.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import type { AspectMemory } from './aspect-memory.ts';
import type { ReadSnapshot } from './read-snapshot.ts';
import { createRecentlyUsed } from './recently-used.ts';
import { changeChecksum } from '../checksum.ts';
import { type AspectRow, aspectFromRow, damaged, fragmentFromRow } from '../stored-aspect.ts';
import type { Names } from './sqlite-names.ts';
import { createSqliteUses } from './sqlite-uses.ts';
import { storageError } from './sqlite-connection.ts';

/** Remembered URN to id pairs; ids never change, so only memory bounds it. */
const rememberedIds = 200_000;
const noAspects: EntityAspects = new Map();

/** What the checksum of a row of the change log is made of, in this order. */
export const changeColumns =
  'sequence, commit_sequence, time, actor, command, change.entity, aspect, version_before, version_after, removed';

/** What the writer shares with the reader on its connection. */
export type SqliteReader = AspectReader & {
  readonly immediate: ImmediateReader;
  idOf(urn: Urn): number | undefined;
  versionOf(urn: Urn, aspect: string): number;
  forgetIds(): void;
};

/** Answers the port's questions over one connection. Every call is synchronous inside, so it sees one state. */
export function createSqliteReader(
  database: DatabaseSync,
  names: Names,
  /** Only for a connection that reads committed state. */
  { memory, snapshot }: { readonly memory?: AspectMemory; readonly snapshot?: ReadSnapshot } = {},
): SqliteReader {
  const ask = <T>(work: () => T): T =>
    guard(() => {
      snapshot?.hold();
      return work();
    });
  const idByUrn = createRecentlyUsed<number>(rememberedIds);
  const arrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  // The index answers the first column; the second is the row itself, so that an index that rotted is found out.
  const selectId = arrays(
    'SELECT id, (SELECT urn FROM entity AS stored WHERE stored.id = entity.id) FROM entity WHERE urn = ?',
  );
  const columns = 'version, body, system, time, actor, checksum';
  const selectAspect = arrays(`SELECT ${columns} FROM aspect WHERE key = ?`);
  const selectAspects = arrays(`SELECT key, ${columns} FROM aspect WHERE key BETWEEN ? AND ?`);
  const selectOld = arrays(`SELECT ${columns} FROM aspect_history WHERE key = ? AND version = ?`);
  const selectPresent = arrays('SELECT present FROM entity WHERE urn = ?');
  const selectFragment = arrays('SELECT body, checksum FROM fragment WHERE key = ?');
  const selectChanges = arrays(
    `SELECT entity.urn, change.checksum, ${changeColumns}
     FROM change LEFT JOIN entity ON entity.id = change.entity WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const selectChangesOf = arrays(
    `SELECT entity.urn, change.checksum, ${changeColumns}
     FROM change JOIN entity ON entity.id = change.entity
     WHERE change.entity = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
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
    const row = selectId.get(urn) as unknown as [number, string | null] | undefined;
    if (row === undefined) return undefined;
    if (row[1] !== urn) throw damaged(`entity ${urn}`);
    idByUrn.set(urn, row[0], 1);
    return row[0];
  }

  function aspectOf(urn: Urn, name: string, key: number, row: AspectRow): Aspect | undefined {
    return aspectFromRow(urn, name, key, ...row);
  }

  function readNow(urn: Urn, wanted: readonly string[] | undefined): EntityAspects {
    const id = idOf(urn);
    if (id === undefined) return noAspects;
    const aspects = new Map<string, Aspect>();
    const first = id * namesPerEntity;
    if (wanted === undefined) {
      const rows = selectAspects.all(first, first + namesPerEntity - 1) as unknown as [
        number,
        ...AspectRow,
      ][];
      for (const [key, ...row] of rows) {
        // A tree that rotted may lead to rows beside the range.
        if (key < first || key >= first + namesPerEntity) throw damaged(`aspects of ${urn}`);
        const name = names.textOf(key - first);
        const aspect = aspectOf(urn, name, key, row);
        if (aspect !== undefined) aspects.set(name, aspect);
      }
      return aspects;
    }
    for (const name of wanted) {
      const nameId = names.idOf(name);
      const aspect = nameId === undefined ? undefined : aspectNow(urn, name, first + nameId);
      if (aspect !== undefined) aspects.set(name, aspect);
    }
    return aspects;
  }

  function aspectNow(urn: Urn, name: string, key: number): Aspect | undefined {
    const known = memory?.get(key);
    if (known !== undefined) return known;
    const row = selectAspect.get(key) as unknown as AspectRow | undefined;
    const aspect = row === undefined ? undefined : aspectOf(urn, name, key, row);
    if (aspect !== undefined) memory?.note(key, aspect);
    return aspect;
  }

  function keyOf(urn: Urn, name: string): number | undefined {
    const id = idOf(urn);
    const nameId = names.idOf(name);
    return id === undefined || nameId === undefined ? undefined : id * namesPerEntity + nameId;
  }

  function readVersionNow(urn: Urn, name: string, version: number): Aspect | undefined {
    const key = keyOf(urn, name);
    if (key === undefined) return undefined;
    const latest = selectAspect.get(key) as unknown as AspectRow | undefined;
    if (latest !== undefined && latest[0] === version) return aspectOf(urn, name, key, latest);
    const old = selectOld.get(key, version) as unknown as AspectRow | undefined;
    // The index led to the row; where it rotted, it may lead to another one, which is sound in itself.
    if (old !== undefined && old[0] !== version) throw damaged(`${urn} ${name} version ${version}`);
    return old === undefined ? undefined : aspectOf(urn, name, key, old);
  }

  function readFragmentNow(urn: Urn, name: string): string | undefined {
    const key = keyOf(urn, name);
    if (key === undefined) return undefined;
    const row = selectFragment.get(key) as unknown as [string, number] | undefined;
    return row === undefined ? undefined : fragmentFromRow(urn, name, key, ...row);
  }

  function isPresent(urn: Urn): boolean {
    return (selectPresent.get(urn) as unknown as [number] | undefined)?.[0] === 1;
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
    const aspects = query.aspects ?? [];
    const listOf = (values: readonly string[]): string => values.map(() => '?').join(',');
    const condition =
      `${own} = ?` +
      (query.kinds === undefined ? '' : ` AND kind IN (${listOf(kinds)})`) +
      (query.aspects === undefined
        ? ''
        : ` AND aspect IN (SELECT id FROM name WHERE text IN (${listOf(aspects)}))`);
    const path = query.distinct ? `''` : 'path';
    const edges = `SELECT DISTINCT kind, ${other} AS other, ${path} AS path FROM relationship WHERE ${condition}`;
    const total = countOf(`SELECT count(*) FROM (${edges})`, [id, ...kinds, ...aspects]);
    const rows = prepared(
      `SELECT kind, entity.urn, path FROM (${edges}) JOIN entity ON entity.id = other
       ORDER BY kind, other, path LIMIT ? OFFSET ?`,
    ).all(id, ...kinds, ...aspects, query.count, query.start) as unknown as [string, Urn, string][];
    return { items: rows.map(([kind, urn, edgePath]) => ({ kind, urn, path: edgePath })), total };
  }

  const usesNow = createSqliteUses(prepared, names, idOf, snapshot !== undefined);

  function urnPage(
    table: string,
    order: string,
    parameters: readonly (string | number)[],
    page: Window,
  ): Page<Urn> {
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

  function childrenNow({ type, parent, start, count }: Parameters<AspectReader['children']>[0]): Page<Urn> {
    const parentId = parentIdOf(parent);
    if (parentId === undefined) return { items: [], total: 0 };
    return urnPage(
      'placement JOIN entity ON entity.id = placement.entity WHERE placement.type = ? AND parent = ?',
      'name, entity.urn',
      [type, parentId],
      { start, count },
    );
  }

  function childrenNamedNow(type: string, parent: Urn | undefined, name: string): readonly Urn[] {
    const parentId = parentIdOf(parent);
    if (parentId === undefined) return [];
    const rows = prepared(
      `SELECT entity.urn FROM placement JOIN entity ON entity.id = placement.entity
       WHERE placement.type = ? AND parent = ? AND name = ? ORDER BY entity.urn`,
    ).all(type, parentId, name) as unknown as [Urn][];
    return rows.map(([urn]) => urn);
  }

  return {
    idOf,
    versionOf(urn, aspect) {
      const key = keyOf(urn, aspect);
      const row = key === undefined ? undefined : (selectAspect.get(key) as unknown as AspectRow | undefined);
      return row?.[0] ?? 0;
    },
    forgetIds: () => idByUrn.clear(),
    immediate: {
      aspect: (urn, name) =>
        ask(() => {
          const key = keyOf(urn, name);
          return key === undefined ? undefined : aspectNow(urn, name, key);
        }),
      exists: (urn) => ask(() => isPresent(urn)),
      fragment: (urn, name) => ask(() => readFragmentNow(urn, name)),
    },
    async read(urn, wanted) {
      return ask(() => readNow(urn, wanted));
    },
    async readMany(urns, wanted) {
      return ask(() => new Map(urns.map((urn) => [urn, readNow(urn, wanted)])));
    },
    async readVersion(urn, name, version) {
      return ask(() => readVersionNow(urn, name, version));
    },
    async existing(urns) {
      return ask(() => new Set(urns.filter(isPresent)));
    },
    async readFragment(urn, name) {
      return ask(() => readFragmentNow(urn, name));
    },
    async relationships(query) {
      return ask(() => relationshipsNow(query));
    },
    async uses(query) {
      return ask(() => usesNow(query));
    },
    async children(query) {
      return ask(() => childrenNow(query));
    },
    async childrenNamed(type, parent, name) {
      return ask(() => childrenNamedNow(type, parent, name));
    },
    async entities({ type, start, count }) {
      return ask(() => urnPage('entity WHERE type = ? AND present = 1', 'id', [type], { start, count }));
    },
    async changes({ after, count }) {
      return ask(() =>
        (selectChanges.all(after, count) as unknown as ChangeRow[]).map((row, index) =>
          changeOf(row, after + 1 + index, names),
        ),
      );
    },
    async changesOf({ urn, before = Number.MAX_SAFE_INTEGER, count }) {
      return ask(() => {
        const id = idOf(urn);
        if (id === undefined) return [];
        const rows = selectChangesOf.all(id, before, count) as unknown as ChangeRow[];
        return rows.map((row) => changeOf(row, row[2], names));
      });
    },
    async lastSequence() {
      return ask(() => (selectLast.get() as unknown as [number | null])[0] ?? 0);
    },
  };
}

type Window = { readonly start: number; readonly count: number };
type LoggedColumns = [number, number, number, string, string, number, number, number, number, number];
type ChangeRow = [urn: Urn | null, checksum: number, ...LoggedColumns];

/** Throws CORRUPT_ASPECT when the row is not what was logged, or is not the one that comes next. */
function changeOf([urn, checksum, ...columns]: ChangeRow, next: number, names: Names): Change {
  const [sequence, commit, time, actor, command, , aspect, versionBefore, versionAfter, removed] = columns;
  if (urn === null || sequence !== next || changeChecksum(columns) !== checksum) {
    throw damaged(`change ${next} of the log`);
  }
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
export function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageError(error);
  }
}
