import type { AspectReader } from '../../aspect/aspect-store.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { checkFilter } from '../filter-evaluation.ts';
import type { Facet, MatchedField, SearchFilter } from '../search-engine.ts';
import { degreeAlternatives, degreeMaxOf, degreeValue } from './degree-filter.ts';
import { type Exploration, exploreLineage } from './explore-lineage.ts';
import type { LineageDirection } from '../../relationship/lineage-edges.ts';
import { matchAmong, matchColumns, type Matcher } from './match-among.ts';

export type LineageQuery = {
  /** An entity, or a column for the lineage of columns. */
  readonly start: Urn;
  readonly direction: LineageDirection;
  /** May ask for `degree`. Of columns, everything else is about the entities that they are part of. */
  readonly filter: SearchFilter | undefined;
};

export type LineageHit = {
  readonly urn: Urn;
  readonly degree: number;
  readonly matched: readonly MatchedField[];
};

export type FoundLineage = {
  /** By degree, then by URN: an order that holds whatever is written meanwhile. */
  readonly hits: readonly LineageHit[];
  readonly exploration: Exploration;
};

/**
 * Everything up or down the lineage of an entity that fits a search. Throws BAD_REQUEST for unknown fields and for values that
 * `degree` does not have.
 */
export async function searchLineage(
  { start, direction, filter }: LineageQuery,
  reader: AspectReader,
  matcher: Matcher,
): Promise<FoundLineage> {
  const alternatives = degreeAlternatives(filter);
  // Also where there is no lineage to be asked about.
  checkFilter(alternatives.map(({ criteria }) => criteria));
  const exploration = await exploreLineage(reader, {
    start,
    direction,
    degreeMax: degreeMaxOf(alternatives),
    includeSoftDeleted: matcher.scope.includeSoftDeleted === true,
  });
  const match = urnType(start) === 'schemaField' ? matchColumns : matchAmong;
  const hits = new Map<Urn, LineageHit>();
  for (const { hasDegree, criteria } of alternatives) {
    const near = [...exploration.found.values()].filter(({ degree }) => hasDegree(degree));
    const matches = await match(
      matcher,
      near.map(({ urn }) => urn),
      criteria,
    );
    for (const { urn, degree } of near) {
      const matched = matches.get(urn);
      if (matched !== undefined && !hits.has(urn)) hits.set(urn, { urn, degree, matched });
    }
  }
  return { hits: [...hits.values()].toSorted(byDegree), exploration };
}

function byDegree(left: LineageHit, right: LineageHit): number {
  if (left.degree !== right.degree) return left.degree - right.degree;
  return left.urn < right.urn ? -1 : 1;
}

/** The facets of what was found; of columns by degree alone, because everything else would count their datasets. */
export async function lineageFacets(
  hits: readonly LineageHit[],
  { start }: Pick<LineageQuery, 'start'>,
  { engine, caller, scope }: Matcher,
  valuesMax: number,
): Promise<readonly Facet[]> {
  const degrees = degreeFacet(hits);
  if (urnType(start) === 'schemaField' || hits.length === 0) return [degrees];
  const among = hits.map(({ urn }) => urn);
  const found = { ...scope, text: '', among, includeSoftDeleted: true };
  return [degrees, ...(await engine.facets(found, undefined, valuesMax, caller))];
}

function degreeFacet(hits: readonly LineageHit[]): Facet {
  const counts = new Map<string, number>();
  for (const { degree } of hits) {
    const value = degreeValue(degree);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return {
    field: 'degree',
    displayName: 'Degree of dependency',
    counts: [...counts].map(([value, count]) => ({ value, count })),
  };
}
