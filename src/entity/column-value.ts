import type { JsonObject } from '../aspect/json.ts';
import type { Urn } from '../urn/urn.ts';
import { objectIn, objectsIn } from './stored-member.ts';

/** The list that each facet holds, and the member of its elements that refers to something. */
const lists = {
  glossaryTerms: { list: 'terms', reference: 'urn' },
  globalTags: { list: 'tags', reference: 'tag' },
} as const;

/**
 * A column as resolvers pass it on; slices attach their fields to it. What ingestion brought and what people set stay apart:
 * readers get the union of both, each once (decision 12).
 */
export type ColumnValue = {
  /** The entity whose column it is. */
  readonly urn: Urn;
  /** Element of `schemaMetadata.fields`; `undefined` where only the edit is asked for. */
  readonly ingested: JsonObject | undefined;
  /** Element of `editableSchemaMetadata.editableSchemaFieldInfo`. */
  readonly edited: JsonObject | undefined;
};

/**
 * The elements that a column has of one kind, ingested ones first, each once: `glossaryTerms.terms` told apart by `urn`,
 * `globalTags.tags` by `tag`. What only people set is given as it is stored. `undefined` when neither side has the facet.
 */
export function columnElements(
  column: ColumnValue,
  facet: keyof typeof lists,
): readonly JsonObject[] | undefined {
  const ingested = elementsOf(column.ingested, facet);
  const edited = elementsOf(column.edited, facet);
  if (ingested === undefined) return edited;
  const { reference } = lists[facet];
  const known = new Set<unknown>();
  return [...ingested, ...(edited ?? [])].filter((element) => {
    const before = known.size;
    return known.add(element[reference]).size > before;
  });
}

function elementsOf(
  column: JsonObject | undefined,
  facet: keyof typeof lists,
): readonly JsonObject[] | undefined {
  const body = objectIn(column, facet);
  return body === undefined ? undefined : objectsIn(body, lists[facet].list);
}
