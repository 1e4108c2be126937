import type { Change, ChangeBatch, Relationship } from '../../aspect/aspect-store.ts';
import { urnType, type Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { aspectChecksum, changeChecksum, fragmentChecksum } from '../checksum.ts';
import type { Ids, NewIds } from './postgres-ids.ts';
import type { Step } from './batch-step.ts';

/** Every URN and every name that a batch speaks of, in the order in which the embedded store would meet them. */
export function mentionsOf(batch: ChangeBatch): { readonly urns: Set<Urn>; readonly names: Set<string> } {
  const urns = new Set<Urn>();
  const names = new Set<string>();
  for (const change of [...batch.changes, ...(batch.edgeRepairs ?? [])]) {
    urns.add(change.urn);
    names.add(change.aspect);
    for (const { destination } of change.removedRelationships) urns.add(destination);
    for (const { destination } of change.addedRelationships) urns.add(destination);
  }
  for (const { urn, aspect } of batch.observations) {
    urns.add(urn);
    names.add(aspect);
  }
  for (const { urn, name } of batch.fragments) {
    urns.add(urn);
    names.add(name);
  }
  for (const { urn, aspect } of batch.searchEntries) {
    urns.add(urn);
    names.add(aspect);
  }
  for (const { urn, placement } of batch.placements) {
    urns.add(urn);
    if (placement?.parent !== undefined) urns.add(placement.parent);
  }
  return { urns, names };
}

/**
 * The statements of one batch, in their order, but for its search entries. All ids are known; `changes` are the log rows to append.
 */
export function stepsOf(
  batch: ChangeBatch,
  changes: readonly Change[],
  ids: Ids,
  added: NewIds,
): readonly Step[] {
  const keyOf = (urn: Urn, name: string): number => ids.entity(urn) * namesPerEntity + ids.name(name);
  return [
    insertNames(added),
    insertEntities(added),
    ...changeSteps(batch, keyOf),
    ...existenceSteps(batch, ids),
    ...edgeSteps(batch, ids),
    logStep(changes, ids),
    observationStep(batch, keyOf),
    ...fragmentSteps(batch, keyOf),
    ...placementSteps(batch, ids),
  ].filter(({ columns }) => (columns[0]?.length ?? 0) > 0);
}

type KeyOf = (urn: Urn, name: string) => number;

function insertNames({ names }: NewIds): Step {
  return {
    sql: 'INSERT INTO name (id, text) SELECT * FROM unnest($1::bigint[], $2::text[])',
    columns: [names.map(({ id }) => id), names.map(({ text }) => text)],
  };
}

/** Entities that something has named for the first time. */
export function insertEntities({ entities }: NewIds): Step {
  return {
    sql: 'INSERT INTO entity (id, urn, type) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])',
    columns: [
      entities.map(({ id }) => id),
      entities.map(({ urn }) => urn),
      entities.map(({ urn }) => urnType(urn)),
    ],
  };
}

function changeSteps({ changes, stamp }: ChangeBatch, keyOf: KeyOf): readonly Step[] {
  const { time, actor } = stamp;
  const keys = changes.map(({ urn, aspect }) => keyOf(urn, aspect));
  const keptKeys = keys.filter((_, index) => (changes[index]?.versionBefore ?? 0) > 0);
  const versions = changes.map(({ versionBefore }) => versionBefore + 1);
  const bodies = changes.map(({ text }) => text ?? null);
  const checksums = changes.map((change, index) =>
    aspectChecksum(
      keys[index] ?? 0,
      change.versionBefore + 1,
      time,
      actor,
      change.systemText,
      change.text ?? null,
    ),
  );
  return [
    {
      sql: 'INSERT INTO aspect_history SELECT * FROM aspect WHERE key = ANY ($1::bigint[])',
      columns: [keptKeys],
      expected: keptKeys.length,
    },
    {
      sql: `INSERT INTO aspect (key, version, body, system, time, actor, checksum)
        SELECT key, version, body, system, $6::bigint, $7::text, checksum
        FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])
          AS new (key, version, body, system, checksum)
        ON CONFLICT (key) DO UPDATE SET version = excluded.version, body = excluded.body, system = excluded.system,
          time = excluded.time, actor = excluded.actor, checksum = excluded.checksum
          WHERE aspect.version = excluded.version - 1`,
      columns: [keys, versions, bodies, changes.map(({ systemText }) => systemText), checksums],
      shared: [time, actor],
      expected: keys.length,
    },
  ];
}

function existenceSteps({ changes }: ChangeBatch, ids: Ids): readonly Step[] {
  const setPresent = (existence: 'begins' | 'ends'): Step => ({
    sql: `UPDATE entity SET present = ${existence === 'begins' ? 1 : 0} WHERE id = ANY ($1::bigint[])`,
    columns: [changes.filter((change) => change.existence === existence).map(({ urn }) => ids.entity(urn))],
  });
  return [setPresent('ends'), setPresent('begins')];
}

function edgeSteps({ changes, edgeRepairs = [] }: ChangeBatch, ids: Ids): readonly Step[] {
  const columnsOf = (member: 'addedRelationships' | 'removedRelationships'): Step['columns'] => {
    const edges = [...changes, ...edgeRepairs].flatMap((change) =>
      change[member].map((edge: Relationship) => ({
        ...edge,
        source: ids.entity(change.urn),
        aspect: ids.name(change.aspect),
      })),
    );
    return [
      edges.map(({ destination }) => ids.entity(destination)),
      edges.map(({ kind }) => kind),
      edges.map(({ source }) => source),
      edges.map(({ path }) => path),
      edges.map(({ aspect }) => aspect),
    ];
  };
  const edges = `unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])`;
  return [
    {
      sql: `DELETE FROM relationship USING ${edges} AS old (destination, kind, source, path, aspect)
        WHERE relationship.destination = old.destination AND relationship.kind = old.kind
          AND relationship.source = old.source AND relationship.aspect = old.aspect
          AND md5(relationship.path) = md5(old.path) AND relationship.path = old.path`,
      columns: columnsOf('removedRelationships'),
    },
    {
      sql: `INSERT INTO relationship SELECT * FROM ${edges} ON CONFLICT DO NOTHING`,
      columns: columnsOf('addedRelationships'),
    },
  ];
}

function logStep(changes: readonly Change[], ids: Ids): Step {
  const first = changes[0];
  const flag = (removed: boolean): number => (removed ? 1 : 0);
  return {
    sql: `INSERT INTO change SELECT sequence, $8::bigint, $9::bigint, $10::text, $11::text, entity, aspect, before, after,
        removed, checksum
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::bigint[])
        AS new (sequence, entity, aspect, before, after, removed, checksum)`,
    columns: [
      changes.map(({ sequence }) => sequence),
      changes.map(({ urn }) => ids.entity(urn)),
      changes.map(({ aspect }) => ids.name(aspect)),
      changes.map(({ versionBefore }) => versionBefore),
      changes.map(({ versionAfter }) => versionAfter),
      changes.map(({ removed }) => flag(removed)),
      changes.map((change) =>
        changeChecksum([
          change.sequence,
          change.commit,
          change.time,
          change.actor,
          change.command,
          ids.entity(change.urn),
          ids.name(change.aspect),
          change.versionBefore,
          change.versionAfter,
          flag(change.removed),
        ]),
      ),
    ],
    shared: first === undefined ? [] : [first.commit, first.time, first.actor, first.command],
  };
}

function observationStep({ observations }: ChangeBatch, keyOf: KeyOf): Step {
  const rows = [...new Map(observations.map((each) => [keyOf(each.urn, each.aspect), each]))];
  return {
    sql: `UPDATE aspect SET system = new.system, checksum = new.checksum
      FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS new (key, system, checksum) WHERE aspect.key = new.key`,
    columns: [
      rows.map(([key]) => key),
      rows.map(([, { systemText }]) => systemText),
      rows.map(([key, { current, systemText }]) =>
        aspectChecksum(
          key,
          current.version,
          current.stamp.time,
          current.stamp.actor,
          systemText,
          current.text,
        ),
      ),
    ],
  };
}

function fragmentSteps({ fragments }: ChangeBatch, keyOf: KeyOf): readonly Step[] {
  const latest = [...new Map(fragments.map(({ urn, name, text }) => [keyOf(urn, name), text]))];
  const dropped = latest.filter(([, text]) => text === undefined);
  const kept = latest.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const]));
  return [
    { sql: 'DELETE FROM fragment WHERE key = ANY ($1::bigint[])', columns: [dropped.map(([key]) => key)] },
    {
      sql: `INSERT INTO fragment (key, body, checksum) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
        ON CONFLICT (key) DO UPDATE SET body = excluded.body, checksum = excluded.checksum`,
      columns: [
        kept.map(([key]) => key),
        kept.map(([, text]) => text),
        kept.map(([key, text]) => fragmentChecksum(key, text)),
      ],
    },
  ];
}

function placementSteps({ placements }: ChangeBatch, ids: Ids): readonly Step[] {
  const latest = [...new Map(placements.map(({ urn, placement }) => [urn, placement]))];
  const displaced = latest.filter(([, placement]) => placement === undefined);
  const placed = latest.flatMap(([urn, placement]) =>
    placement === undefined ? [] : [{ ...placement, urn }],
  );
  return [
    {
      sql: 'DELETE FROM placement WHERE entity = ANY ($1::bigint[])',
      columns: [displaced.map(([urn]) => ids.entity(urn))],
    },
    {
      sql: `INSERT INTO placement (entity, type, parent, name)
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
        ON CONFLICT (entity) DO UPDATE SET type = excluded.type, parent = excluded.parent, name = excluded.name`,
      columns: [
        placed.map(({ urn }) => ids.entity(urn)),
        placed.map(({ urn }) => urnType(urn)),
        placed.map(({ parent }) => (parent === undefined ? 0 : ids.entity(parent))),
        placed.map(({ name }) => name),
      ],
    },
  ];
}
