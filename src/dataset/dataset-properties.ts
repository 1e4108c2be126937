import type { JsonObject } from '../aspect/json.ts';
import { auditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { integerIn, objectIn, objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import { isUrn, urnParts, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `DatasetProperties` (contract section 10.2); `body` is kept for members that are made when asked for. */
export type DatasetProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly qualifiedName: string | null;
  readonly description: string | null;
  readonly externalUrl: string | null;
  readonly created: number | null;
  readonly createdActor: string | null;
  readonly lastModified: AuditStampValue;
  readonly lastModifiedActor: string | null;
};

/** The parts of a dataset's URN. Throws INVALID_URN when they do not fit. */
export function datasetKey(urn: Urn): {
  readonly name: string;
  readonly platform: string;
  readonly origin: string;
} {
  const key = keyBodyOf(urn);
  return {
    name: textIn(key, 'name') ?? '',
    platform: textIn(key, 'platform') ?? '',
    origin: textIn(key, 'origin') ?? '',
  };
}

/** What `datasetProperties` says. */
export function datasetProperties(body: JsonObject, urn: Urn): DatasetProperties {
  const created = objectIn(body, 'created');
  const lastModified = auditStampIn(body, 'lastModified');
  return {
    urn,
    body,
    qualifiedName: textIn(body, 'qualifiedName'),
    description: textIn(body, 'description'),
    externalUrl: textIn(body, 'externalUrl'),
    created: integerIn(created, 'time'),
    createdActor: textIn(created, 'actor'),
    lastModified,
    lastModifiedActor: lastModified.actor,
  };
}

/** The GraphQL type `SchemaFieldRef`. */
export type ColumnReference = { readonly urn: string; readonly path: string };

/** The GraphQL type `FineGrainedLineage`. */
export type FineGrainedLineage = {
  readonly upstreams: readonly ColumnReference[] | null;
  readonly downstreams: readonly ColumnReference[] | null;
  readonly query: string | null;
  readonly transformOperation: string | null;
};

/** The column lineage in `upstreamLineage`; `null` when it has none. */
export function fineGrainedLineages(body: JsonObject): readonly FineGrainedLineage[] | null {
  if (body['fineGrainedLineages'] === undefined) return null;
  return objectsIn(body, 'fineGrainedLineages').map((lineage) => ({
    upstreams: textsIn(lineage, 'upstreams')?.flatMap(columnReference) ?? null,
    downstreams: textsIn(lineage, 'downstreams')?.flatMap(columnReference) ?? null,
    query: textIn(lineage, 'query'),
    transformOperation: textIn(lineage, 'transformOperation'),
  }));
}

/** None for what is no column: lineage may also name whole datasets. */
function columnReference(reference: string): ColumnReference[] {
  if (!isUrn(reference) || urnType(reference) !== 'schemaField') return [];
  const [urn, path] = urnParts(reference);
  return urn === undefined || path === undefined ? [] : [{ urn, path }];
}
