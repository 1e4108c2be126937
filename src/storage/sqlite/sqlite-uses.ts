import type { StatementSync } from 'node:sqlite';
import type { Use, UseCounts, UsePage, UseQuery } from '../../aspect/aspect-store.ts';
import { removedTerm } from '../../search-index/search-terms.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import type { Names } from './sqlite-names.ts';

type Ends = { readonly own: string; readonly other: string };

const endsOf = {
  INCOMING: { own: 'destination', other: 'source' },
  OUTGOING: { own: 'source', other: 'destination' },
} as const satisfies Record<UseQuery['direction'], Ends>;

const selectRemoved = `SELECT json_group_array(rowid / ${namesPerEntity}) FROM search_bearer WHERE search_bearer MATCH ?`;

/** In the order of the index, so that nothing is sorted: what is used in 100,000 columns is counted in some milliseconds. */
const selectOthers = ({ own, other }: Ends): string =>
  `SELECT json_group_array(${other}) FROM (SELECT DISTINCT ${other} FROM relationship WHERE ${own} = ? AND kind = ?)`;

const selectCounts = ({ own, other }: Ends): string =>
  `SELECT count(*), coalesce(sum(path <> ''), 0) FROM
     (SELECT DISTINCT ${other}, path FROM relationship WHERE ${own} = ? AND kind = ?)`;

const selectCountsOfThese = ({ own, other }: Ends): string =>
  `SELECT count(*), coalesce(sum(path <> ''), 0) FROM
     (SELECT DISTINCT ${other}, relationship.path FROM json_each(?) AS these CROSS JOIN relationship
      WHERE ${own} = ? AND kind = ? AND ${other} = these.value)`;

const selectPage = ({ own, other }: Ends): string =>
  `SELECT urn, path, aspects FROM
     (SELECT ${other} AS other, path, json_group_array(aspect) AS aspects FROM relationship
      WHERE ${own} = ? AND kind = ? AND ${other} NOT IN (SELECT value FROM json_each(?))
      GROUP BY ${other}, path ORDER BY ${other}, path LIMIT ? OFFSET ?)
   JOIN entity ON entity.id = other ORDER BY other, path`;

const noUses: UseCounts = { entities: 0, columns: 0, total: 0 };

/** Answers about uses; `prepared` statements answer arrays. */
export function createSqliteUses(
  prepared: (sql: string) => StatementSync,
  names: Names,
  idOf: (urn: Urn) => number | undefined,
): (query: UseQuery) => UsePage {
  function list(sql: string, ...parameters: readonly (string | number)[]): number[] {
    const [text] = prepared(sql).get(...parameters) as unknown as [string];
    return JSON.parse(text) as number[];
  }

  function pairsOf(
    sql: string,
    ...parameters: readonly (string | number)[]
  ): [total: number, columns: number] {
    return prepared(sql).get(...parameters) as unknown as [number, number];
  }

  function page(ends: Ends, id: number, kind: string, gone: string, start: number, count: number): Use[] {
    const rows = prepared(selectPage(ends)).all(id, kind, gone, count, start) as unknown as [
      Urn,
      string,
      string,
    ][];
    return rows.map(([urn, path, aspects]) => ({
      kind,
      urn,
      path,
      aspects: (JSON.parse(aspects) as number[]).map((name) => names.textOf(name)).toSorted(),
    }));
  }

  /** What one kind contributes: its counts, its entities, and those that are left out. */
  function countedOf(
    ends: Ends,
    id: number,
    kind: string,
    removed: ReadonlySet<number>,
  ): { readonly counts: UseCounts; readonly entities: readonly number[]; readonly gone: string } {
    const others = list(selectOthers(ends), id, kind);
    const entities = others.filter((other) => !removed.has(other));
    const gone = JSON.stringify(others.filter((other) => removed.has(other)));
    if (entities.length === 0) return { counts: noUses, entities, gone };
    const [total, columns] = pairsOf(selectCounts(ends), id, kind);
    const [goneTotal, goneColumns] =
      gone === '[]' ? [0, 0] : pairsOf(selectCountsOfThese(ends), gone, id, kind);
    const counts = {
      entities: entities.length,
      columns: columns - goneColumns,
      total: total - goneTotal,
    };
    return { counts, entities, gone };
  }

  return ({ urn, direction, kinds, withRemoved, start, count }) => {
    const id = idOf(urn);
    if (id === undefined) return { items: [], counts: noUses, countsByKind: [] };
    const ends = endsOf[direction];
    const removed = new Set(withRemoved ? [] : list(selectRemoved, `"${removedTerm}"`));
    const items: Use[] = [];
    const countsByKind: (UseCounts & { readonly kind: string })[] = [];
    const distinct = new Set<number>();
    let total = 0;
    for (const kind of [...new Set(kinds)].toSorted()) {
      const { counts, entities, gone } = countedOf(ends, id, kind, removed);
      if (counts.total === 0) continue;
      countsByKind.push({ kind, ...counts });
      for (const entity of entities) distinct.add(entity);
      const wanted = count - items.length;
      if (wanted > 0 && start < total + counts.total) {
        items.push(...page(ends, id, kind, gone, Math.max(0, start - total), wanted));
      }
      total += counts.total;
    }
    const columns = countsByKind.reduce((sum, counts) => sum + counts.columns, 0);
    return { items, counts: { entities: distinct.size, columns, total }, countsByKind };
  };
}
