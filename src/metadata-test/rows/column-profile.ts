import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { isJsonObject } from '../../aspect/json.ts';
import { isEmptyValue } from '../emptiness.ts';

/**
 * The profile of a column as `columnsOf` gives it, as canonical JSON: `nativeDataType`; `described`, whether there is a
 * description, edited or ingested, that is not empty (S14); `tags` and `terms`, sorted, each once, none of them empty.
 * Many columns, and many datasets, share one.
 */
export function profileText(column: JsonObject): string {
  const type = column['nativeDataType'];
  const start = type === undefined || type === null ? '{' : `{"nativeDataType":${JSON.stringify(type)},`;
  const described = isDescribed(column);
  return `${start}"described":${described},"tags":${sortedText(column['tags'])},"terms":${sortedText(column['terms'])}}`;
}

/** Whether the column has a description that is not empty. */
export function isDescribed(column: JsonObject): boolean {
  return !isEmptyValue(column['description'] ?? null);
}

function sortedText(values: JsonValue | undefined): string {
  if (!Array.isArray(values) || values.length === 0) return '[]';
  const texts = (values as readonly JsonValue[])
    .filter((value) => !isEmptyValue(value))
    .map((value) => JSON.stringify(value));
  return `[${texts.length > 1 ? texts.toSorted().join(',') : texts.join('')}]`;
}

/** A schema of one column with this profile. */
export function schemaOf(profile: JsonValue): JsonObject {
  if (!isJsonObject(profile)) return { fields: [] };
  const type = profile['nativeDataType'];
  return {
    fields: [
      {
        fieldPath: 'column',
        ...(type === undefined ? {} : { nativeDataType: type }),
        ...(profile['described'] === true ? { description: 'described' } : {}),
        globalTags: { tags: valuesIn(profile, 'tags').map((tag) => ({ tag })) },
        glossaryTerms: { terms: valuesIn(profile, 'terms').map((urn) => ({ urn })) },
      },
    ],
  };
}

function valuesIn(profile: JsonObject, member: string): readonly JsonValue[] {
  const values = profile[member];
  return Array.isArray(values) ? (values as readonly JsonValue[]) : [];
}
