import type { UseCounts, UsePage, UseQuery } from '../../aspect/aspect-store.ts';
import { removedTerm } from '../../search-index/search-terms.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import type { Run } from './postgres-connection.ts';

/** Counts and page in one statement, so that both are of one state; a page beyond the last is one row of nulls. */
function selectUses(own: string, other: string): string {
  return `
    WITH subject AS MATERIALIZED (SELECT id FROM entity WHERE urn = $1),
    gone AS MATERIALIZED (
      SELECT key / ${namesPerEntity} AS entity FROM search_term WHERE NOT $3::text::boolean AND terms @@ '''${removedTerm}'''::tsquery
    ),
    used AS MATERIALIZED (
      SELECT kind, ${other} AS other, path, array_agg(aspect) AS aspects FROM relationship
      WHERE ${own} = (SELECT id FROM subject) AND kind = ANY ($2::text[]) AND ${other} NOT IN (SELECT entity FROM gone)
      GROUP BY kind, ${other}, path
    ),
    kinds AS (
      SELECT kind, count(DISTINCT other) AS entities, count(*) FILTER (WHERE path <> '') AS columns, count(*) AS total
      FROM used GROUP BY kind
    ),
    counted AS (
      SELECT (SELECT coalesce(json_agg(kinds ORDER BY kind), '[]')::text FROM kinds) AS counts,
        (SELECT count(DISTINCT other) FROM used) AS entities
    ),
    page AS (SELECT * FROM used ORDER BY kind, other, path LIMIT $5 OFFSET $4)
    SELECT counts, entities, kind, urn, path,
      (SELECT json_agg(text)::text FROM name WHERE id = ANY (page.aspects)) AS aspects
    FROM counted LEFT JOIN (page JOIN entity ON entity.id = other) ON true ORDER BY kind, other, path`;
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
