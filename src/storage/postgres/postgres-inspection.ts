import type { AspectStore, IntegrityProblem, ScrubbedAspect } from '../../aspect/aspect-store.ts';
import { Aspect } from '../../aspect/aspect.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { aspectChecksum } from '../checksum.ts';
import { parsedEntry } from '../stored-search-entry.ts';
import { createAspectNames } from './entry-page.ts';
import type { Row, Run } from './postgres-connection.ts';
import { entryParts, packedEntriesOf, requireUndamaged, rowKeyOf } from './search-entry-rows.ts';
import { entryRowOf } from './search-entry-steps.ts';

type Inspection = Pick<
  AspectStore,
  'scrub' | 'integrityProblems' | 'projectionsOf' | 'searchEntriesOf' | 'statistics'
>;

const pageSize = 100;

/** The entity.id that a row of each table belongs to. */
const owners = {
  aspect: `key / ${namesPerEntity}`,
  aspect_history: `key / ${namesPerEntity}`,
  relationship: 'source',
  fragment: `key / ${namesPerEntity}`,
  placement: 'placement.entity',
  search_entry: 'entity',
};

/** Rows of `search_bearer` and `search_few`, and where they stand. */
const bearerRows = `(SELECT entity, name, part FROM search_bearer UNION ALL
  SELECT entity, 0::smallint, ${entryParts.few}::smallint FROM search_few) AS bearer`;

/** What is left over in the search index, by keys; where more is concerned than one entry, the name is 0. */
const searchQuestions = {
  'has an entry and no aspect': `SELECT key FROM (SELECT entity::bigint * ${namesPerEntity}
      + coalesce(substring(line FROM '^[0-9]{1,3}(?= )')::bigint, 0) AS key
    FROM search_entry CROSS JOIN unnest(string_to_array(entries, E'\\n')) AS line) AS entry
    WHERE NOT EXISTS (SELECT 1 FROM aspect WHERE aspect.key = entry.key AND body IS NOT NULL) LIMIT 1000`,
  'has terms and no entry': `SELECT entity::bigint * ${namesPerEntity} + name AS key FROM search_entry AS more
    WHERE part > ${entryParts.own} AND NOT EXISTS (SELECT 1 FROM search_entry AS first
      WHERE first.entity = more.entity AND first.name = more.name AND first.part = ${entryParts.own}) LIMIT 1000`,
  'has terms by which it is not found': `SELECT DISTINCT entity::bigint * ${namesPerEntity} + name AS key FROM search_entry
    WHERE terms <> '' AND NOT EXISTS (SELECT 1 FROM ${bearerRows} WHERE bearer.entity = search_entry.entity
      AND bearer.name = search_entry.name AND bearer.part = search_entry.part) LIMIT 1000`,
  'is found by terms that are gone': `SELECT DISTINCT entity::bigint * ${namesPerEntity} + name AS key FROM ${bearerRows}
    WHERE NOT EXISTS (SELECT 1 FROM search_entry WHERE terms <> '' AND search_entry.entity = bearer.entity
      AND search_entry.name = bearer.name AND search_entry.part = bearer.part) LIMIT 1000`,
};

const rowsOfEntity = `SELECT search_entry.* FROM entity JOIN search_entry ON entity = id WHERE urn = $1 ORDER BY name, part`;

/** What `postil check` asks of the shared store; pages and indexes are the server's own to check (pg_amcheck). */
export function createPostgresInspection(run: Run): Inspection {
  const names = createAspectNames(run);

  async function* rowsOf(table: 'aspect' | 'aspect_history'): AsyncIterable<ScrubbedAspect> {
    let after: readonly [number, number] = [-1, -1];
    for (;;) {
      const { rows } = await run(
        `SELECT entity.urn, name.text AS name, ${table}.* FROM ${table}
         LEFT JOIN entity ON entity.id = key / ${namesPerEntity} LEFT JOIN name ON name.id = key % ${namesPerEntity}
         WHERE (key, version) > ($1, $2) ORDER BY key, version LIMIT ${pageSize}`,
        after,
      );
      for (const row of rows) yield scrubbedOf(row, table === 'aspect');
      const last = rows.at(-1);
      if (last === undefined) return;
      after = [Number(last['key']), Number(last['version'])];
    }
  }

  async function problems(what: string, sql: string, problem: string): Promise<IntegrityProblem[]> {
    const { rows } = await run(sql);
    return rows.map((row) => ({ what, where: String(Object.values(row)[0]), problem }));
  }

  return {
    async *scrub() {
      yield* rowsOf('aspect');
      yield* rowsOf('aspect_history');
    },
    async integrityProblems() {
      const found = [
        await problems(
          'change log',
          `SELECT '1 to ' || max(sequence) FROM change HAVING count(*) FILTER (WHERE sequence > 0) <> max(sequence)`,
          'has a gap',
        ),
        await problems(
          'change log',
          `SELECT sequence FROM change LEFT JOIN aspect ON key = change.entity * ${namesPerEntity} + change.aspect
           WHERE version IS NULL OR version < version_after LIMIT 20`,
          'names a version that is not stored',
        ),
        await problems(
          'aspect history',
          `SELECT entity.urn || ' ' || name.text FROM aspect
           JOIN entity ON entity.id = key / ${namesPerEntity} JOIN name ON name.id = key % ${namesPerEntity}
           WHERE version - 1 <> (SELECT count(*) FROM aspect_history WHERE aspect_history.key = aspect.key) LIMIT 20`,
          'has a gap in its versions',
        ),
      ];
      for (const [table, owner] of Object.entries(owners)) {
        found.push(
          await problems(
            table,
            `SELECT ${owner} FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM entity WHERE id = ${owner}) LIMIT 20`,
            'belongs to no entity',
          ),
        );
      }
      for (const [problem, sql] of Object.entries(searchQuestions)) {
        const keys = `SELECT coalesce(urn, 'entity ' || key / ${namesPerEntity}) || ' ' || coalesce(text, 'all entries')
          FROM (${sql}) AS left_over LEFT JOIN entity ON entity.id = key / ${namesPerEntity}
          LEFT JOIN name ON name.id = key % ${namesPerEntity}`;
        found.push(await problems('search index', keys, problem));
      }
      return found.flat();
    },
    async projectionsOf(urn: Urn) {
      const [relationships, fragments, placements] = await Promise.all([
        run(
          `SELECT kind, target.urn AS destination, path, name.text AS aspect FROM relationship
           JOIN name ON name.id = relationship.aspect JOIN entity AS target ON target.id = destination WHERE source = (SELECT id FROM entity WHERE urn = $1)`,
          [urn],
        ),
        run(
          `SELECT name.text AS name, body FROM entity
           JOIN fragment ON key >= entity.id * ${namesPerEntity} AND key < (entity.id + 1) * ${namesPerEntity}
           JOIN name ON name.id = key % ${namesPerEntity} WHERE urn = $1`,
          [urn],
        ),
        run(
          `SELECT name, above.urn AS parent FROM placement LEFT JOIN entity AS above ON above.id = parent
           WHERE placement.entity = (SELECT id FROM entity WHERE urn = $1)`,
          [urn],
        ),
      ]);
      const placement = placements.rows[0];
      return {
        relationships: relationships.rows.map((row) => ({
          kind: String(row['kind']),
          destination: String(row['destination']) as Urn,
          path: String(row['path']),
          aspect: String(row['aspect']),
        })),
        fragments: new Map(fragments.rows.map((row) => [String(row['name']), String(row['body'])])),
        placement:
          placement === undefined
            ? undefined
            : {
                urn,
                name: String(placement['name']),
                parent: placement['parent'] === null ? undefined : (String(placement['parent']) as Urn),
              },
      };
    },
    async searchEntriesOf(urn: Urn) {
      const { rows } = await run(rowsOfEntity, [urn]);
      const entryRows = rows.map(entryRowOf);
      for (const row of entryRows) requireUndamaged(urn, rowKeyOf(row), row.checksum, row.entries);
      return names.sure(
        () =>
          new Map(
            packedEntriesOf(entryRows).map(({ name, fields, terms }) => {
              const aspect = names.of(name);
              return [aspect, { fields: parsedEntry(aspect, fields).fields, terms }];
            }),
          ),
      );
    },
    async statistics() {
      const { rows } = await run(
        `SELECT (SELECT count(*) FROM entity WHERE present = 1) AS entities,
           (SELECT count(*) FROM aspect WHERE body IS NOT NULL) AS aspects,
           (SELECT coalesce(max(sequence), 0) FROM change) AS sequence`,
      );
      return {
        entities: Number(rows[0]?.['entities']),
        aspects: Number(rows[0]?.['aspects']),
        lastSequence: Number(rows[0]?.['sequence']),
      };
    },
  };
}

function scrubbedOf(row: Row, latest: boolean): ScrubbedAspect {
  const key = Number(row['key']);
  const version = Number(row['version']);
  const time = Number(row['time']);
  const actor = String(row['actor']);
  const system = row['system'] === null ? null : String(row['system']);
  const body = row['body'] === null ? null : String(row['body']);
  const isOwned = row['urn'] !== null && row['name'] !== null;
  const intact =
    isOwned && aspectChecksum(key, version, time, actor, system, body) === Number(row['checksum']);
  const aspect = String(row['name'] ?? `name ${key % namesPerEntity}`);
  return {
    urn: String(row['urn'] ?? `entity ${Math.floor(key / namesPerEntity)}`) as Urn,
    aspect,
    version,
    latest,
    intact,
    removed: body === null,
    value: intact && body !== null ? new Aspect(aspect, version, body, { time, actor }, system) : undefined,
  };
}
