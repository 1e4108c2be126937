import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { parseUrn } from '../../urn/urn.ts';
import type { ListColumn, NumberColumn, TestRow } from '../../verdict/test-row.ts';
import { columnAspects } from '../../entity/column.ts';
import { descriptionPairs } from '../effective-description.ts';
import { isEmptyValue } from '../emptiness.ts';
import type { LoadedEntity } from '../facts.ts';
import { codePointsIn } from '../operators/length.ts';
import { carries, isTestable } from '../property-catalogue.ts';
import { columnProfilesOf } from './column-profile.ts';
import { listSources } from './list-sources.ts';

/** Lengths of a description that is no text: an aspect without a known shape may hold anything, and a row cannot tell. */
export const noTextLength = -1;

/**
 * The form of rows. To be raised whenever `testRowOf` makes another row of the same aspects, so that whoever keeps rows makes
 * those anew that were kept before.
 */
export const rowFormat = 2;

/**
 * The aspects that the wide row of an entity of the type is derived from, `status` included. Empty for types that have no
 * rows because tests cannot be evaluated for them.
 */
export function rowAspects(type: string): readonly string[] {
  let aspects = aspectsByType.get(type);
  if (aspects === undefined) {
    aspects = isTestable(type) ? aspectsOf(type) : [];
    aspectsByType.set(type, aspects);
  }
  return aspects;
}

const aspectsByType = new Map<string, readonly string[]>();

function aspectsOf(type: string): readonly string[] {
  const pair = descriptionPairs.get(type);
  const aspects = new Set([
    'status',
    ...listSources.map(({ aspect }) => aspect),
    ...columnAspects,
    'upstreamLineage',
    ...(pair === undefined ? [] : [pair.edited, pair.ingested]),
  ]);
  return [...aspects].filter((aspect) => carries(type, aspect));
}

/**
 * The wide row of an entity of which the `rowAspects` are loaded. From aspects alone, so that the same aspects always
 * give the same row; an entity without aspects has a row of nothing. Throws INVALID_URN for an entity without a URN.
 */
export function testRowOf(entity: LoadedEntity): TestRow {
  const lists = emptyLists();
  for (const { column, aspect, textsOf } of listSources) {
    const body = entity.aspects.get(aspect)?.body;
    if (body !== undefined) lists[column] = textsOf(body);
  }
  const { texts, columns, described } = columnProfilesOf(
    entity.aspects.get('schemaMetadata')?.body,
    entity.aspects.get('editableSchemaMetadata')?.body,
  );
  lists.columnProfiles = texts;
  return {
    urn: parseUrn(entity.urn),
    type: entity.type,
    removed: entity.removed,
    lists,
    numbers: {
      columns,
      describedColumns: described,
      upstreams: upstreamsOf(entity),
      ...descriptionLengths(entity),
    },
  };
}

const nothing: readonly string[] = [];

function emptyLists(): Record<ListColumn, readonly string[]> {
  return {
    platformInstance: nothing,
    subTypes: nothing,
    owners: nothing,
    ownerships: nothing,
    tags: nothing,
    terms: nothing,
    domains: nothing,
    container: nothing,
    deprecation: nothing,
    structuredProperties: nothing,
    columnProfiles: nothing,
  };
}

/** How many different upstreams there are, empty ones aside. */
function upstreamsOf(entity: LoadedEntity): number {
  const upstreams = entity.aspects.get('upstreamLineage')?.body['upstreams'];
  if (!Array.isArray(upstreams)) return 0;
  const filled = (upstreams as readonly JsonValue[]).filter((upstream) => !isEmptyValue(upstream));
  return filled.length < 2 ? filled.length : new Set(filled.map((upstream) => JSON.stringify(upstream))).size;
}

type Lengths = Pick<
  Record<NumberColumn, number>,
  'ingestedLength' | 'ingestedTrimmedLength' | 'editedLength' | 'editedTrimmedLength'
>;

function descriptionLengths(entity: LoadedEntity): Lengths {
  const pair = descriptionPairs.get(entity.type);
  const ingested = lengthsIn(pair && entity.aspects.get(pair.ingested)?.body);
  const edited = lengthsIn(pair && entity.aspects.get(pair.edited)?.body);
  return {
    ingestedLength: ingested.raw,
    ingestedTrimmedLength: ingested.trimmed,
    editedLength: edited.raw,
    editedTrimmedLength: edited.trimmed,
  };
}

function lengthsIn(body: JsonObject | undefined): { readonly raw: number; readonly trimmed: number } {
  const description = body?.['description'];
  if (description === undefined || isEmptyValue(description)) return { raw: 0, trimmed: 0 };
  if (typeof description !== 'string') return { raw: noTextLength, trimmed: noTextLength };
  const raw = codePointsIn(description);
  const trimmed = description.trim();
  return { raw, trimmed: trimmed.length === description.length ? raw : codePointsIn(trimmed) };
}
