import type { UseCounts, UsePage, UseQuery } from '../../aspect/aspect-store.ts';
import { removedTerm } from '../../search-index/search-terms.ts';
import type { Urn } from '../../urn/urn.ts';
import type { Run } from './postgres-connection.ts';

/**
 * Counts and page in one statement, so that both are of one state; a page beyond the last is one row of nulls. Edges are counted by
 * entity, because telling all columns apart takes several times as long: that is done only where two aspects may mean the same.
 */
function selectUses(own: string, other: string): string {
  const isOfSubject = (table: string): string => `${table}.${own} = (SELECT id FROM subject)`;
  const count = (column: string, condition: string): string => `
    CASE WHEN doubtful THEN (
      SELECT count(DISTINCT path) FILTER (WHERE ${condition}) FROM relationship AS same
      WHERE ${isOfSubject('same')} AND same.kind = raw.kind AND same.${other} = raw.other
    ) ELSE ${column} END AS ${column}`;
  const saidTwice = (condition: string): string =>
    `coalesce(min(aspect) FILTER (WHERE ${condition}) <> max(aspect) FILTER (WHERE ${condition}), false)`;
  return `
    WITH subject AS MATERIALIZED (SELECT id FROM entity WHERE urn = $1),
    gone AS MATERIALIZED (
      SELECT entity FROM search_few
      WHERE NOT $3::text::boolean AND search_terms_of(entity, 0::smallint, 0::smallint) @@ '''${removedTerm}'''::tsquery
      UNION ALL
      SELECT entity FROM search_bearer
      WHERE NOT $3::text::boolean AND search_terms_of(entity, name, part) @@ '''${removedTerm}'''::tsquery
    ),
    raw AS (
      SELECT kind, ${other} AS other, count(*) AS total, count(*) FILTER (WHERE path <> '') AS columns,
        ${saidTwice("path <> ''")} OR ${saidTwice("path = ''")} AS doubtful
      FROM relationship WHERE ${isOfSubject('relationship')} AND kind = ANY ($2::text[]) GROUP BY kind, ${other}
    ),
    exact AS (
      SELECT kind, other, ${count('total', 'true')}, ${count('columns', "path <> ''")}
      FROM raw WHERE other NOT IN (SELECT entity FROM gone)
    ),
    used AS MATERIALIZED (
      SELECT *, (sum(total) OVER (ORDER BY kind, other) - total)::bigint AS before FROM exact
    ),
    kinds AS MATERIALIZED (
      SELECT kind, count(*) AS entities, sum(columns)::bigint AS columns, sum(total)::bigint AS total
      FROM used GROUP BY kind
    ),
    counted AS (
      SELECT (SELECT coalesce(json_agg(kinds ORDER BY kind), '[]')::text FROM kinds) AS counts,
        CASE WHEN (SELECT count(*) FROM kinds) > 1 THEN (SELECT count(DISTINCT other) FROM used)
          ELSE (SELECT entities FROM kinds) END AS entities
    ),
    said AS (
      SELECT used.kind, used.other, used.before, path, array_agg(aspect) AS aspects
      FROM used JOIN relationship AS edge
        ON ${isOfSubject('edge')} AND edge.kind = used.kind AND edge.${other} = used.other
      WHERE used.before < $4::bigint + $5::bigint AND used.before + used.total > $4::bigint
      GROUP BY used.kind, used.other, used.before, path
    ),
    page AS (
      SELECT kind, other, path, aspects,
        before + row_number() OVER (PARTITION BY kind, other ORDER BY path) - 1 AS place
      FROM said
    )
    SELECT counts, entities, kind, urn, path,
      (SELECT json_agg(text)::text FROM name WHERE id = ANY (aspects)) AS aspects
    FROM counted LEFT JOIN (page JOIN entity ON entity.id = other)
      ON place >= $4::bigint AND place < $4::bigint + $5::bigint
    ORDER BY place`;
}

const statements = {
  INCOMING: selectUses('destination', 'source'),
  OUTGOING: selectUses('source', 'destination'),
};

type CountsOfKind = UseCounts & { readonly kind: string };

export async function usesOf(
  run: Run,
  { urn, direction, kinds, withRemoved, start, count }: UseQuery,
): Promise<UsePage> {
  const { rows } = await run(statements[direction], [urn, kinds, String(withRemoved), start, count]);
  const countsByKind = JSON.parse(String(rows[0]?.['counts'] ?? '[]')) as CountsOfKind[];
  return {
    items: rows
      .filter((row) => row['urn'] !== null)
      .map((row) => ({
        kind: String(row['kind']),
        urn: String(row['urn']) as Urn,
        path: String(row['path']),
        aspects: (JSON.parse(String(row['aspects'])) as string[]).toSorted(),
      })),
    counts: {
      entities: Number(rows[0]?.['entities'] ?? 0),
      columns: sumOf(countsByKind.map(({ columns }) => columns)),
      total: sumOf(countsByKind.map(({ total }) => total)),
    },
    countsByKind,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
