import type { AspectReader, RelationshipQuery } from '../aspect/aspect-store.ts';
import { pageCountMax } from '../entity/page.ts';
import { type Urn, urnType } from '../urn/urn.ts';

export type LineageDirection = 'UPSTREAM' | 'DOWNSTREAM';

/** What is next to an entity; `kind` is the kind of the stored edge, and `owner` whose aspect says so. */
export type LineageEdge = { readonly kind: string; readonly urn: Urn; readonly owner: Urn };

/**
 * Edges from what reads to what is read (wire 8.5): a dashboard shows its charts, and a table of features holds them, so both are
 * downstream. A run names the runs before it by `UpstreamOf`.
 */
const readingKinds: readonly string[] = [
  'DownstreamOf',
  'Consumes',
  'Contains',
  'DashboardContainsDashboard',
  'DerivedFrom',
  'KeyedBy',
  'UpstreamOf',
];
/** Edges from what writes to what is written, and from models to the group that is made of them. */
const writingKinds: readonly string[] = ['Produces', 'MemberOf'];

/** More than anything sensible has; whoever asks for neighbours is told when there are more. */
const neighboursMax = 50_000;

export type Neighbours = {
  /** Each entity once, in the order in which the edges were stored. */
  readonly edges: readonly LineageEdge[];
  readonly isTruncated: boolean;
};

/**
 * What is one step upstream (what `urn` reads or is written by) or downstream (who reads it, what it writes). Columns that an
 * entity reads or writes are no neighbours of it: lineage of columns is about columns (`columnEdges`).
 */
export async function lineageEdges(
  reader: AspectReader,
  urn: Urn,
  direction: LineageDirection,
): Promise<Neighbours> {
  const readsAre = direction === 'UPSTREAM' ? 'OUTGOING' : 'INCOMING';
  const writesAre = direction === 'UPSTREAM' ? 'INCOMING' : 'OUTGOING';
  const [reads, writes] = await Promise.all([
    allRelated(reader, urn, readsAre, readingKinds),
    allRelated(reader, urn, writesAre, writingKinds),
  ]);
  const byUrn = new Map<Urn, LineageEdge>();
  for (const edge of [...reads.edges, ...writes.edges]) {
    if (edge.urn !== urn && urnType(edge.urn) !== 'schemaField' && !byUrn.has(edge.urn)) {
      byUrn.set(edge.urn, edge);
    }
  }
  return { edges: [...byUrn.values()], isTruncated: reads.isTruncated || writes.isTruncated };
}

async function allRelated(
  reader: AspectReader,
  urn: Urn,
  direction: RelationshipQuery['direction'],
  kinds: readonly string[],
): Promise<Neighbours> {
  const edges: LineageEdge[] = [];
  for (let start = 0; start < neighboursMax; start += pageCountMax) {
    const page = await reader.relationships({
      urn,
      direction,
      kinds,
      start,
      count: pageCountMax,
      distinct: true,
    });
    for (const { kind, urn: other } of page.items) {
      edges.push({ kind, urn: other, owner: direction === 'OUTGOING' ? urn : other });
    }
    if (start + pageCountMax >= page.total) return { edges, isTruncated: false };
  }
  return { edges, isTruncated: true };
}
