import type { DatabaseSync } from 'node:sqlite';
import type {
  AspectStore,
  IntegrityProblem,
  Relationship,
  ScrubbedAspect,
} from '../../aspect/aspect-store.ts';
import { Aspect } from '../../aspect/aspect.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { aspectChecksum } from '../checksum.ts';
import type { Names } from './sqlite-names.ts';

type Inspection = Pick<AspectStore, 'scrub' | 'integrityProblems' | 'projectionsOf' | 'statistics'>;

const pageSize = 100;

/** The entity.id that a row of each table belongs to. */
const owners = {
  aspect: `key / ${namesPerEntity}`,
  aspect_history: `key / ${namesPerEntity}`,
  relationship: 'source',
  fragment: `key / ${namesPerEntity}`,
  placement: 'entity',
};

/** What `postil check` asks of the embedded store. Nothing here is on the path of a request. */
export function createSqliteInspection(database: DatabaseSync, names: Names): Inspection {
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);

  function* rowsOf(table: 'aspect' | 'aspect_history'): Iterable<ScrubbedAspect> {
    const page = database.prepare(
      `SELECT entity.urn, ${table}.* FROM ${table} LEFT JOIN entity ON entity.id = ${table}.key / ${namesPerEntity}
       WHERE (key, version) > (?, ?) ORDER BY key, version LIMIT ${pageSize}`,
    );
    let after: readonly [number, number] = [-1, -1];
    for (;;) {
      const rows = page.all(...after);
      for (const row of rows) yield scrubbedOf(row, table === 'aspect', names);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = [Number(last['key']), Number(last['version'])];
    }
  }

  function problems(what: string, sql: string, problem: string): IntegrityProblem[] {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ what, where: String(Object.values(row)[0]), problem }));
  }

  return {
    async *scrub() {
      yield* rowsOf('aspect');
      yield* rowsOf('aspect_history');
    },
    async integrityProblems() {
      const pages = database
        .prepare('PRAGMA integrity_check(20)')
        .all()
        .map((row) => String(Object.values(row)[0]))
        .filter((text) => text !== 'ok')
        .map((text) => ({ what: 'database file', where: 'integrity_check', problem: text }));
      const rows = number('SELECT count(*) FROM change WHERE sequence > 0');
      const last = number('SELECT max(sequence) FROM change');
      const gap =
        rows === last
          ? []
          : [{ what: 'change log', where: `1 to ${last}`, problem: `${rows} rows, ${last} expected` }];
      return [
        ...pages,
        ...gap,
        ...problems(
          'change log',
          `SELECT sequence FROM change LEFT JOIN aspect ON aspect.key = change.entity * ${namesPerEntity} + change.aspect
           WHERE aspect.version IS NULL OR aspect.version < change.version_after LIMIT 20`,
          'names a version that is not stored',
        ),
        ...Object.entries(owners).flatMap(([table, owner]) =>
          problems(
            table,
            `SELECT ${owner} FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM entity WHERE id = ${owner}) LIMIT 20`,
            'belongs to no entity',
          ),
        ),
        ...problems(
          'aspect history',
          `SELECT entity.urn || ' ' || name.text FROM aspect
           JOIN entity ON entity.id = aspect.key / ${namesPerEntity} JOIN name ON name.id = aspect.key % ${namesPerEntity}
           WHERE version - 1 <> (SELECT count(*) FROM aspect_history WHERE aspect_history.key = aspect.key) LIMIT 20`,
          'has a gap in its versions',
        ),
      ];
    },
    async projectionsOf(urn: Urn) {
      const relationships = database
        .prepare(
          `SELECT DISTINCT kind, target.urn AS destination, path FROM relationship
           JOIN entity AS source ON source.id = relationship.source
           JOIN entity AS target ON target.id = relationship.destination WHERE source.urn = ?`,
        )
        .all(urn) as unknown as Relationship[];
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
        relationships: relationships.map(({ kind, destination, path }) => ({ kind, destination, path })),
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
    async statistics() {
      return {
        entities: number('SELECT count(*) FROM entity WHERE present = 1'),
        aspects: number('SELECT count(*) FROM aspect WHERE body IS NOT NULL'),
        lastSequence: number('SELECT max(sequence) FROM change'),
      };
    },
  };
}

function scrubbedOf(row: Record<string, unknown>, latest: boolean, names: Names): ScrubbedAspect {
  const key = Number(row['key']);
  const version = Number(row['version']);
  const time = Number(row['time']);
  const actor = String(row['actor']);
  const system = row['system'] === null ? null : String(row['system']);
  const body = row['body'] === null ? null : String(row['body']);
  const intact =
    row['urn'] !== null &&
    aspectChecksum(key, version, time, actor, system, body) === Number(row['checksum']);
  const aspect = names.textOf(key % namesPerEntity);
  return {
    urn: (row['urn'] ?? `entity ${Math.floor(key / namesPerEntity)}`) as Urn,
    aspect,
    version,
    latest,
    removed: body === null,
    value: intact && body !== null ? new Aspect(aspect, version, body, { time, actor }, system) : undefined,
    intact,
  };
}
