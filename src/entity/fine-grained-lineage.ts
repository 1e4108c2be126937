import type { JsonObject } from '../aspect/json.ts';
import { isUrn, urnParts, urnType } from '../urn/urn.ts';
import { objectsIn, textIn, textsIn } from './stored-member.ts';

/** The GraphQL type `SchemaFieldRef`. */
export type ColumnReference = { readonly urn: string; readonly path: string };

/** The GraphQL type `FineGrainedLineage`. */
export type FineGrainedLineage = {
  readonly upstreams: readonly ColumnReference[] | null;
  readonly downstreams: readonly ColumnReference[] | null;
  readonly query: string | null;
  readonly transformOperation: string | null;
};

/** The column lineage in `upstreamLineage` or `dataJobInputOutput`; `null` when it has none. */
export function fineGrainedLineages(body: JsonObject): readonly FineGrainedLineage[] | null {
  if (body['fineGrainedLineages'] === undefined) return null;
  return objectsIn(body, 'fineGrainedLineages').map((lineage) => ({
    upstreams: textsIn(lineage, 'upstreams')?.flatMap(columnReference) ?? null,
    downstreams: textsIn(lineage, 'downstreams')?.flatMap(columnReference) ?? null,
    query: textIn(lineage, 'query'),
    transformOperation: textIn(lineage, 'transformOperation'),
  }));
}

/** The column that a stored reference means; none for what is no column: lineage may also name whole datasets. */
export function columnReference(reference: string): ColumnReference[] {
  if (!isUrn(reference) || urnType(reference) !== 'schemaField') return [];
  const [urn, path] = urnParts(reference);
  return urn === undefined || path === undefined ? [] : [{ urn, path }];
}
