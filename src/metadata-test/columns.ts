import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isEmptyValue } from './emptiness.ts';
import type { LoadedEntity } from './facts.ts';

/** Aspects that the columns of an entity are put together from. */
export const columnAspects: readonly string[] = ['schemaMetadata', 'editableSchemaMetadata'];

/**
 * The columns of the schema, each with the description a reader should see: the edited one when it is not empty, else
 * the ingested one, joined on the exact path and then on the simple path (S14). Empty without a schema.
 */
export function columnsOf(entity: LoadedEntity): readonly JsonObject[] {
  const columns = records(entity.aspects.get('schemaMetadata')?.body['fields']);
  const edited = new Map<string, JsonValue>();
  for (const edit of records(entity.aspects.get('editableSchemaMetadata')?.body['editableSchemaFieldInfo'])) {
    const path = edit['fieldPath'];
    const description = edit['description'];
    if (typeof path !== 'string' || description === undefined || isEmptyValue(description)) continue;
    edited.set(path, description);
    const simple = simpleFieldPath(path);
    if (simple !== '' && !edited.has(simple)) edited.set(simple, description);
  }
  if (edited.size === 0) return columns;
  return columns.map((column) => {
    const path = column['fieldPath'];
    if (typeof path !== 'string') return column;
    const description = edited.get(path) ?? edited.get(simpleFieldPath(path));
    return description === undefined ? column : { ...column, description };
  });
}

/** How many columns there are; `undefined` without a schema. */
export function columnCount(entity: LoadedEntity): number | undefined {
  const fields = entity.aspects.get('schemaMetadata')?.body['fields'];
  return Array.isArray(fields) ? fields.length : undefined;
}

function records(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}
