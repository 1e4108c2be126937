import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isUrn, type Urn, urnParts, urnType } from '../urn/urn.ts';
import { type LineageDirection, type LineageEdge, lineageEdges, type Neighbours } from './lineage-edges.ts';

/** The aspects that say which columns are made of which. */
const lineageAspects = ['upstreamLineage', 'dataJobInputOutput'];

/** The entity that a column is part of; `undefined` when the URN has none. */
export function parentOf(column: Urn): Urn | undefined {
  const [parent] = urnParts(column);
  return isUrn(parent) ? parent : undefined;
}

/** What two URNs of one column have in common: clients write its path with and without the markers of version 2. */
export function columnKey(column: Urn): string {
  return `${parentOf(column) ?? ''}\n${simpleFieldPath(textIn(keyBodyOf(column), 'fieldPath') ?? '')}`;
}

/**
 * The columns that one column is made of, or that are made of it, by the fine-grained lineage of datasets and jobs. It is stored
 * with whoever is downstream and with jobs, so the neighbours of the dataset are read.
 */
export async function columnEdges(
  reader: AspectReader,
  column: Urn,
  direction: LineageDirection,
): Promise<Neighbours> {
  const parent = parentOf(column);
  if (parent === undefined) return { edges: [], isTruncated: false };
  const around = await lineageEdges(reader, parent, direction);
  const owners = new Set([parent, ...around.edges.map(({ owner }) => owner)]);
  const stored = await reader.readMany([...owners], lineageAspects);
  const wanted = columnKey(column);
  const edges = new Map<Urn, LineageEdge>();
  for (const [owner, aspects] of stored) {
    for (const { body } of aspects.values()) {
      for (const urn of columnsBeside(body, wanted, direction)) {
        if (urn !== column) edges.set(urn, { kind: 'DownstreamOf', urn, owner });
      }
    }
  }
  return { edges: [...edges.values()], isTruncated: around.isTruncated };
}

function* columnsBeside(body: JsonObject, wanted: string, direction: LineageDirection): Iterable<Urn> {
  const [near, far] = direction === 'UPSTREAM' ? ['downstreams', 'upstreams'] : ['upstreams', 'downstreams'];
  for (const lineage of objectsIn(body, 'fineGrainedLineages')) {
    if (!columnsIn(lineage, near).some((column) => columnKey(column) === wanted)) continue;
    yield* columnsIn(lineage, far);
  }
}

function columnsIn(lineage: JsonObject, member: string): Urn[] {
  return (textsIn(lineage, member) ?? []).filter(isUrn).filter(isColumn);
}

function isColumn(urn: Urn): boolean {
  if (urnType(urn) !== 'schemaField') return false;
  const [parent, path = ''] = urnParts(urn);
  return isUrn(parent) && path !== '';
}
