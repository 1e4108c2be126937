import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { listIn, objectIn, objectsIn } from '../entity/stored-member.ts';
import { list, record, text, urnOf } from '../entity/shapes/shape.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isEmptyValue } from './emptiness.ts';
import type { LoadedEntity } from './facts.ts';

/** What can be asked of one column. `urn` is that of the column itself, which leads to what is stored about it. */
export const columnShape = record({
  name: text,
  fieldPath: text,
  nativeDataType: text,
  description: text,
  tags: list(urnOf('tag')),
  terms: list(urnOf('glossaryTerm')),
  urn: urnOf('schemaField'),
});

/**
 * The columns of the schema as a reader should see them, ingested and edited metadata together, joined on the exact path
 * and then on the simple path (S14): the edited description when it is not empty, else the ingested one; tags and terms
 * of both. Empty without a schema.
 */
export function columnsOf(entity: LoadedEntity): readonly JsonObject[] {
  let columns = columnsByEntity.get(entity);
  if (columns === undefined) {
    columns = entity.siblings === undefined ? joinedColumns(entity) : mergedColumns(entity.siblings);
    columnsByEntity.set(entity, columns);
  }
  return columns;
}

/** Many tests look at the columns of one entity. */
const columnsByEntity = new WeakMap<LoadedEntity, readonly JsonObject[]>();

function joinedColumns(entity: LoadedEntity): readonly JsonObject[] {
  const edits = new Map<string, JsonObject[]>();
  for (const edit of objectsIn(
    entity.aspects.get('editableSchemaMetadata')?.body,
    'editableSchemaFieldInfo',
  )) {
    const path = edit['fieldPath'];
    if (typeof path !== 'string') continue;
    const simple = simpleFieldPath(path);
    addTo(edits, path, edit);
    if (simple !== path && simple !== '') addTo(edits, simple, edit);
  }
  return objectsIn(entity.aspects.get('schemaMetadata')?.body, 'fields').map((field) =>
    columnOf(entity.urn, field, edits),
  );
}

function addTo(edits: Map<string, JsonObject[]>, path: string, edit: JsonObject): void {
  const known = edits.get(path);
  if (known === undefined) edits.set(path, [edit]);
  else known.push(edit);
}

function columnOf(
  urn: string,
  field: JsonObject,
  edits: ReadonlyMap<string, readonly JsonObject[]>,
): JsonObject {
  const path = typeof field['fieldPath'] === 'string' ? field['fieldPath'] : '';
  const simple = simpleFieldPath(path);
  const exact = edits.get(path) ?? [];
  const edited = simple === path || simple === '' ? exact : [...exact, ...(edits.get(simple) ?? [])];
  const descriptions = [...edited, field].map((source) => source['description']);
  return {
    name: simple,
    fieldPath: path,
    nativeDataType: field['nativeDataType'],
    description: descriptions.find((description) => description !== undefined && !isEmptyValue(description)),
    tags: urnsIn([field, ...edited], 'globalTags', 'tags', 'tag'),
    terms: urnsIn([field, ...edited], 'glossaryTerms', 'terms', 'urn'),
    urn: `urn:li:schemaField:(${urn},${path})`,
  };
}

function urnsIn(
  sources: readonly JsonObject[],
  aspect: string,
  list: string,
  member: string,
): readonly JsonValue[] {
  const urns = new Set<JsonValue>();
  for (const source of sources) {
    for (const association of objectsIn(objectIn(source, aspect), list))
      urns.add(association[member] ?? null);
  }
  return [...urns];
}

/** The columns of siblings, each simple path once: what is not a list is that of the first which has it. */
function mergedColumns(siblings: readonly LoadedEntity[]): readonly JsonObject[] {
  const columns = new Map<JsonValue, JsonObject>();
  for (const column of siblings.flatMap(columnsOf)) {
    const name = column['name'] === '' ? column['fieldPath'] : column['name'];
    const first = columns.get(name ?? null);
    const both = (list: string): readonly JsonValue[] => [
      ...new Set([...listIn(first, list), ...listIn(column, list)]),
    ];
    columns.set(
      name ?? null,
      first === undefined
        ? column
        : {
            ...first,
            description: first['description'] ?? column['description'],
            tags: both('tags'),
            terms: both('terms'),
          },
    );
  }
  return [...columns.values()];
}

/** How many columns there are; `undefined` without a schema. */
export function columnCount(entity: LoadedEntity): number | undefined {
  const fields = entity.aspects.get('schemaMetadata')?.body['fields'];
  return Array.isArray(fields) ? fields.length : undefined;
}
