import type { AspectReader, Change, Page, RelatedEntity } from '../../aspect/aspect-store.ts';
import type { Aspect } from '../../aspect/aspect.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { changeChecksum } from '../checksum.ts';
import { aspectFromRow, damaged, fragmentFromRow } from '../stored-aspect.ts';
import type { Row, Run } from './postgres-connection.ts';
import { usesOf } from './postgres-uses.ts';

const columns = 'version, body, system, time, actor, checksum';

const selectAll = `
  SELECT entity.urn, name.text AS name, key, ${columns} FROM entity
  JOIN aspect ON key >= entity.id * ${namesPerEntity} AND key < (entity.id + 1) * ${namesPerEntity}
  JOIN name ON name.id = key % ${namesPerEntity}
  WHERE entity.urn = ANY ($1::text[])`;

const selectNamed = `
  SELECT entity.urn, name.text AS name, key, ${columns} FROM entity CROSS JOIN name
  JOIN aspect ON key = entity.id * ${namesPerEntity} + name.id
  WHERE entity.urn = ANY ($1::text[]) AND name.text = ANY ($2::text[])`;

const keyOf = `(SELECT entity.id * ${namesPerEntity} + name.id FROM entity CROSS JOIN name
  WHERE entity.urn = $1 AND name.text = $2)`;

const selectVersion = `
  SELECT key, ${columns} FROM aspect WHERE key = ${keyOf} AND version = $3
  UNION ALL SELECT key, ${columns} FROM aspect_history WHERE key = ${keyOf} AND version = $3 LIMIT 1`;

const changeRows = `
  SELECT sequence, commit_sequence, time, actor, command, entity.urn, name.text AS aspect, version_before, version_after,
    removed, change.entity, change.aspect AS name, checksum
  FROM change JOIN entity ON entity.id = change.entity JOIN name ON name.id = change.aspect`;
const selectChanges = `${changeRows} WHERE sequence > $1 ORDER BY sequence LIMIT $2`;
const selectChangesOf = `${changeRows}
  WHERE change.entity = (SELECT id FROM entity WHERE urn = $1) AND sequence < $2 ORDER BY sequence DESC LIMIT $3`;

const childrenCondition = `
  placement.type = $1
  AND parent = CASE WHEN $2::text IS NULL THEN 0 ELSE (SELECT id FROM entity WHERE urn = $2::text) END`;

/** One page and the total in one statement, so that both are of one state; a page beyond the last is one row of nulls. */
function pageOf(total: string, page: string, order: string): string {
  return `SELECT total, page.* FROM (${total}) AS counted LEFT JOIN (${page}) AS page ON true ORDER BY ${order}`;
}

const pageOfEntities = pageOf(
  'SELECT count(*) AS total FROM entity WHERE type = $1 AND present = 1',
  'SELECT id, urn FROM entity WHERE type = $1 AND present = 1 ORDER BY id LIMIT $3 OFFSET $2',
  'id',
);

// The index knows the order of the first 200 characters; only what the page needs is joined to its URNs, by which equal
// names are told apart.
const pageOfChildren = pageOf(
  `SELECT count(*) AS total FROM placement WHERE ${childrenCondition}`,
  `SELECT name, urn FROM
     (SELECT entity, name FROM placement WHERE ${childrenCondition} ORDER BY left(name, 200), name
      FETCH FIRST ($3::bigint + $4::bigint) ROWS WITH TIES) AS first JOIN entity ON entity.id = first.entity
   ORDER BY name, urn LIMIT $4 OFFSET $3`,
  'name, urn',
);

function pageOfRelationships(own: string, other: string, distinct: boolean): string {
  const page = pageOf(
    'SELECT count(*) AS total FROM found',
    `SELECT kind, other, urn, path FROM found JOIN entity ON entity.id = other
     ORDER BY kind, other, path LIMIT $4 OFFSET $3`,
    'kind, other, path',
  );
  return `
    WITH found AS MATERIALIZED (
      SELECT DISTINCT kind, ${other} AS other, ${distinct ? `''` : 'path'} AS path FROM relationship
      WHERE ${own} = (SELECT id FROM entity WHERE urn = $1) AND ($2::text[] IS NULL OR kind = ANY ($2::text[]))
        AND ($5::text[] IS NULL OR aspect IN (SELECT id FROM name WHERE text = ANY ($5::text[])))
    ) ${page}`;
}

const pagesOfRelationships = {
  INCOMING: {
    each: pageOfRelationships('destination', 'source', false),
    distinct: pageOfRelationships('destination', 'source', true),
  },
  OUTGOING: {
    each: pageOfRelationships('source', 'destination', false),
    distinct: pageOfRelationships('source', 'destination', true),
  },
};

/** Rows of a page without the row of nulls, and the total that each of them tells. */
function pageFrom<T>(rows: readonly Row[], itemOf: (row: Row) => T): Page<T> {
  const items = rows.filter((row) => row['urn'] !== null).map(itemOf);
  return { items, total: Number(rows[0]?.['total'] ?? 0) };
}

const urnOf = (row: Row): Urn => String(row['urn']) as Urn;
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function aspectOf(urn: Urn, name: string, row: Row): Aspect | undefined {
  return aspectFromRow(
    urn,
    name,
    Number(row['key']),
    Number(row['version']),
    textOrNull(row['body']),
    textOrNull(row['system']),
    Number(row['time']),
    String(row['actor']),
    Number(row['checksum']),
  );
}

/** Throws CORRUPT_ASPECT when the row is not what was logged. */
function changeOf(row: Row): Change {
  const change = {
    sequence: Number(row['sequence']),
    commit: Number(row['commit_sequence']),
    time: Number(row['time']),
    actor: String(row['actor']),
    command: String(row['command']),
    urn: urnOf(row),
    aspect: String(row['aspect']),
    versionBefore: Number(row['version_before']),
    versionAfter: Number(row['version_after']),
    removed: row['removed'] === 1,
  };
  const checksum = changeChecksum([
    change.sequence,
    change.commit,
    change.time,
    change.actor,
    change.command,
    Number(row['entity']),
    Number(row['name']),
    change.versionBefore,
    change.versionAfter,
    Number(row['removed']),
  ]);
  if (checksum !== Number(row['checksum'])) throw damaged(`change ${change.sequence} of the log`);
  return change;
}

/**
 * Answers the port's questions, each with one statement, so each answer is of one state. `onEntity` is told the ids that
 * come along.
 */
export function createPostgresReader(run: Run, onEntity?: (urn: Urn, id: number) => void): AspectReader {
  async function readMany(
    urns: readonly Urn[],
    names?: readonly string[],
  ): Promise<Map<Urn, Map<string, Aspect>>> {
    const found = new Map(urns.map((urn) => [urn, new Map<string, Aspect>()]));
    if (found.size === 0 || names?.length === 0) return found;
    const { rows } = await (names === undefined
      ? run(selectAll, [[...found.keys()]])
      : run(selectNamed, [[...found.keys()], names]));
    for (const row of rows) {
      const urn = urnOf(row);
      const name = String(row['name']);
      const aspect = aspectOf(urn, name, row);
      if (aspect !== undefined) found.get(urn)?.set(name, aspect);
      onEntity?.(urn, Math.floor(Number(row['key']) / namesPerEntity));
    }
    return found;
  }

  return {
    readMany,
    async read(urn, names) {
      return (await readMany([urn], names)).get(urn) ?? new Map();
    },
    async readVersion(urn, name, version) {
      const { rows } = await run(selectVersion, [urn, name, version]);
      return rows[0] === undefined ? undefined : aspectOf(urn, name, rows[0]);
    },
    async existing(urns) {
      if (urns.length === 0) return new Set();
      // A condition on `present` would make the planner go through all entities that exist.
      const { rows } = await run('SELECT urn, present FROM entity WHERE urn = ANY ($1::text[])', [urns]);
      const found = new Set(rows.filter((row) => row['present'] === 1).map(urnOf));
      return new Set(urns.filter((urn) => found.has(urn)));
    },
    async readFragment(urn, name) {
      const { rows } = await run(`SELECT key, body, checksum FROM fragment WHERE key = ${keyOf}`, [
        urn,
        name,
      ]);
      const row = rows[0];
      if (row === undefined) return undefined;
      return fragmentFromRow(urn, name, Number(row['key']), String(row['body']), Number(row['checksum']));
    },
    async relationships({
      urn,
      direction,
      kinds,
      aspects,
      start,
      count,
      distinct,
    }): Promise<Page<RelatedEntity>> {
      const sql = pagesOfRelationships[direction][distinct ? 'distinct' : 'each'];
      const { rows } = await run(sql, [urn, kinds ?? null, start, count, aspects ?? null]);
      return pageFrom(rows, (row) => ({
        kind: String(row['kind']),
        urn: urnOf(row),
        path: String(row['path']),
      }));
    },
    uses: (query) => usesOf(run, query),
    async children({ type, parent, start, count }) {
      const { rows } = await run(pageOfChildren, [type, parent ?? null, start, count]);
      return pageFrom(rows, urnOf);
    },
    async childrenNamed(type, parent, name) {
      const { rows } = await run(
        `SELECT urn FROM placement JOIN entity ON entity.id = placement.entity
         WHERE ${childrenCondition} AND left(name, 200) = left($3, 200) AND name = $3 ORDER BY urn`,
        [type, parent ?? null, name],
      );
      return rows.map(urnOf);
    },
    async entities({ type, start, count }) {
      const { rows } = await run(pageOfEntities, [type, start, count]);
      return pageFrom(rows, urnOf);
    },
    async changes({ after, count }) {
      const { rows } = await run(selectChanges, [after, count]);
      return rows.map(changeOf);
    },
    async changesOf({ urn, before = Number.MAX_SAFE_INTEGER, count }) {
      const { rows } = await run(selectChangesOf, [urn, before, count]);
      return rows.map(changeOf);
    },
    async lastSequence() {
      const { rows } = await run('SELECT coalesce(max(sequence), 0) AS last FROM change');
      return Number(rows[0]?.['last']);
    },
  };
}
