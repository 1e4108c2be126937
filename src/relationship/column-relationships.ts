import type { AspectReader, Page, RelatedEntity, RelationshipQuery } from '../aspect/aspect-store.ts';
import { columnEdges } from './column-edges.ts';

const kind = 'DownstreamOf';

/**
 * The relationships of a column: the stored ones, and before them `DownstreamOf` between columns, which datasets and jobs tell in their
 * fine-grained lineage (wire 8.5).
 */
export async function relationshipsOfColumn(
  reader: AspectReader,
  query: RelationshipQuery,
): Promise<Page<RelatedEntity>> {
  if (query.kinds !== undefined && !query.kinds.includes(kind)) return reader.relationships(query);
  const { start, count, direction, urn } = query;
  const { edges } = await columnEdges(reader, urn, direction === 'OUTGOING' ? 'UPSTREAM' : 'DOWNSTREAM');
  const items = edges.slice(start, start + count).map((edge) => ({ kind, urn: edge.urn, path: '' }));
  const rest = await reader.relationships({
    ...query,
    start: Math.max(0, start - edges.length),
    count: count - items.length,
  });
  return { items: [...items, ...rest.items], total: edges.length + rest.total };
}
