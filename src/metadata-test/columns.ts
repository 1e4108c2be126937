import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isEmptyValue } from './emptiness.ts';
import type { LoadedEntity } from './facts.ts';

/**
 * The columns of the schema, each with the description a reader should see: the edited one when it is not empty, else
 * the ingested one, joined on the exact path and then on the simple path (S14). Empty without a schema.
 */
export function columnsOf(entity: LoadedEntity): readonly JsonObject[] {
  let columns = columnsByEntity.get(entity);
  if (columns === undefined) {
    columns = joinedColumns(entity);
    columnsByEntity.set(entity, columns);
  }
  return columns;
}

/** Many tests look at the columns of one entity. */
const columnsByEntity = new WeakMap<LoadedEntity, readonly JsonObject[]>();

function joinedColumns(entity: LoadedEntity): readonly JsonObject[] {
  const columns = objectsIn(entity.aspects.get('schemaMetadata')?.body, 'fields');
  const edited = new Map<string, JsonValue>();
  const edits = entity.aspects.get('editableSchemaMetadata')?.body;
  for (const edit of objectsIn(edits, 'editableSchemaFieldInfo')) {
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
