import type { StatementSync } from 'node:sqlite';
import type { Use, UseCounts, UsePage, UseQuery } from '../../aspect/aspect-store.ts';
import { removedTerm } from '../../search-index/search-terms.ts';
import type { Urn } from '../../urn/urn.ts';
import type { Names } from './sqlite-names.ts';

type Ends = { readonly own: string; readonly other: string };

const endsOf = {
  INCOMING: { own: 'destination', other: 'source' },
  OUTGOING: { own: 'source', other: 'destination' },
} as const satisfies Record<UseQuery['direction'], Ends>;

const selectRemoved = `SELECT json_group_array(rowid) FROM search_bearer WHERE search_bearer MATCH ?`;

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
  `SELECT urn, path, (SELECT json_group_array(aspect) FROM relationship AS said
     WHERE said.${own} = ?1 AND said.kind = ?2 AND said.${other} = page.other AND said.path = page.path)
   FROM (SELECT DISTINCT ${other} AS other, path FROM relationship
     WHERE ${own} = ?1 AND kind = ?2 AND ${other} NOT IN (SELECT value FROM json_each(?3))
     ORDER BY ${other}, path LIMIT ?4 OFFSET ?5) AS page
   JOIN entity ON entity.id = page.other ORDER BY page.other, path`;

const noUses: UseCounts = { entities: 0, columns: 0, total: 0 };

/** What one kind contributes: its counts, its entities, and as JSON those that are left out. */
type Counted = {
  readonly counts: UseCounts;
  readonly entities: readonly number[];
  readonly gone: string;
};

/** Counts of so many uses are worth keeping until something changes, and of so many subjects. */
const keptFrom = 1_000;
const keptMax = 50;

/**
 * Answers about uses; `prepared` statements answer arrays. Of a connection that only reads, counts are kept until another connection
 * has committed anything; a transaction counts every time.
 */
export function createSqliteUses(
  prepared: (sql: string) => StatementSync,
  names: Names,
  idOf: (urn: Urn) => number | undefined,
  isReading: boolean,
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

  function countedNow(ends: Ends, id: number, kind: string, removed: ReadonlySet<number>): Counted {
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

  const keptCounts = new Map<string, Counted>();
  let keptAt: number | undefined;

  function countedAlone(
    query: Pick<UseQuery, 'direction' | 'withRemoved'>,
    id: number,
    kind: string,
    removed: () => ReadonlySet<number>,
  ): Counted {
    const ends = endsOf[query.direction];
    if (!isReading) return countedNow(ends, id, kind, removed());
    const [version] = prepared('PRAGMA data_version').get() as unknown as [number];
    if (version !== keptAt || keptCounts.size >= keptMax) keptCounts.clear();
    keptAt = version;
    const key = `${query.direction} ${id} ${query.withRemoved} ${kind}`;
    const kept = keptCounts.get(key);
    if (kept !== undefined) return kept;
    const counted = countedNow(ends, id, kind, removed());
    // Which entities they are matters only among several kinds, and they may be very many.
    if (counted.counts.total >= keptFrom) keptCounts.set(key, { ...counted, entities: [] });
    return counted;
  }

  return ({ urn, direction, kinds, withRemoved, start, count }) => {
    const id = idOf(urn);
    if (id === undefined) return { items: [], counts: noUses, countsByKind: [] };
    const ends = endsOf[direction];
    let known: ReadonlySet<number> | undefined;
    const removed = (): ReadonlySet<number> =>
      (known ??= new Set(withRemoved ? [] : list(selectRemoved, `"${removedTerm}"`)));
    const wantedKinds = [...new Set(kinds)].toSorted();
    const items: Use[] = [];
    const countsByKind: (UseCounts & { readonly kind: string })[] = [];
    const distinct = new Set<number>();
    let total = 0;
    for (const kind of wantedKinds) {
      const { counts, entities, gone } =
        wantedKinds.length === 1
          ? countedAlone({ direction, withRemoved }, id, kind, removed)
          : countedNow(ends, id, kind, removed());
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
    const [only] = countsByKind;
    const entities = countsByKind.length === 1 && only !== undefined ? only.entities : distinct.size;
    return { items, counts: { entities, columns, total }, countsByKind };
  };
}
