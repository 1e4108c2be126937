import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { listIn, objectIn, objectsIn } from '../entity/stored-member.ts';
import { list, record, text, urnOf } from '../entity/shapes/shape.ts';
import { simpleFieldPath } from '../urn/field-path.ts';
import { isEmptyValue } from './emptiness.ts';
import { type LoadedEntity, type Run, spend } from './facts.ts';

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

/** Where the steps are taken from. */
type Steps = Pick<Run, 'budget'>;

/**
 * The columns of the schema as a reader should see them, ingested and edited metadata together, joined on the exact path
 * and then on the simple path (S14): the edited description when it is not empty, else the ingested one; tags and terms
 * of both. Empty without a schema. Takes the same steps from the budget whether they were joined before or not; throws
 * LIMIT_EXCEEDED when there are not so many.
 */
export function columnsOf(entity: LoadedEntity, run: Steps = unlimited()): readonly JsonObject[] {
  let known = columnsByEntity.get(entity);
  if (known === undefined) {
    const meter = { budget: Math.min(run.budget, Number.MAX_SAFE_INTEGER) };
    const before = meter.budget;
    const { siblings } = entity;
    const columns = siblings === undefined ? joinedColumns(entity, meter) : mergedColumns(siblings, meter);
    known = { columns, steps: before - meter.budget };
    columnsByEntity.set(entity, known);
  }
  spend(run, known.steps);
  return known.columns;
}

function unlimited(): Steps {
  return { budget: Number.MAX_SAFE_INTEGER };
}

/** Many tests look at the columns of one entity. */
const columnsByEntity = new WeakMap<
  LoadedEntity,
  { readonly columns: readonly JsonObject[]; readonly steps: number }
>();

/** What joining one column costs, each of its tags and terms, and reading one edit. */
const joinSteps = 500;
const urnSteps = 60;
const editSteps = 500;

/** What is edited about one path, wherever in the list it stands. */
type Edit = {
  readonly description: JsonValue | undefined;
  readonly tags: readonly JsonValue[];
  readonly terms: readonly JsonValue[];
};

function joinedColumns(entity: LoadedEntity, run: Steps): readonly JsonObject[] {
  const edits = editsOf(entity, run);
  return objectsIn(entity.aspects.get('schemaMetadata')?.body, 'fields').map((field) =>
    columnOf(entity.urn, field, edits, run),
  );
}

/** By the path as it is written, and by its simple form. */
function editsOf(entity: LoadedEntity, run: Steps): ReadonlyMap<string, Edit> {
  const sources = new Map<string, JsonObject[]>();
  for (const edit of objectsIn(
    entity.aspects.get('editableSchemaMetadata')?.body,
    'editableSchemaFieldInfo',
  )) {
    const path = edit['fieldPath'];
    if (typeof path !== 'string') continue;
    spend(run, editSteps);
    const simple = simpleFieldPath(path);
    addTo(sources, path, edit);
    if (simple !== path && simple !== '') addTo(sources, simple, edit);
  }
  return new Map([...sources].map(([path, some]) => [path, editOf(some, run)]));
}

function addTo(edits: Map<string, JsonObject[]>, path: string, edit: JsonObject): void {
  const known = edits.get(path);
  if (known === undefined) edits.set(path, [edit]);
  else known.push(edit);
}

function editOf(sources: readonly JsonObject[], run: Steps): Edit {
  const edit = {
    description: filled(sources.map((source) => source['description'])),
    tags: urnsIn(sources, 'globalTags', 'tags', 'tag'),
    terms: urnsIn(sources, 'glossaryTerms', 'terms', 'urn'),
  };
  spend(run, (edit.tags.length + edit.terms.length) * urnSteps);
  return edit;
}

function filled(descriptions: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  return descriptions.find((description) => description !== undefined && !isEmptyValue(description));
}

function columnOf(urn: string, field: JsonObject, edits: ReadonlyMap<string, Edit>, run: Steps): JsonObject {
  const path = typeof field['fieldPath'] === 'string' ? field['fieldPath'] : '';
  const simple = simpleFieldPath(path);
  const own = editOf([field], run);
  const edited = editsAt(path, simple, edits);
  spend(run, joinSteps);
  for (const { tags, terms } of edited) spend(run, (tags.length + terms.length) * urnSteps);
  return {
    name: simple,
    fieldPath: path,
    nativeDataType: field['nativeDataType'],
    description: edited.find(({ description }) => description !== undefined)?.description ?? own.description,
    tags: unitedUrns(own, edited, 'tags'),
    terms: unitedUrns(own, edited, 'terms'),
    urn: `urn:li:schemaField:(${urn},${path})`,
  };
}

const noEdits: readonly Edit[] = [];

function editsAt(path: string, simple: string, edits: ReadonlyMap<string, Edit>): readonly Edit[] {
  if (edits.size === 0) return noEdits;
  const exact = edits.get(path);
  const other = simple === path || simple === '' ? undefined : edits.get(simple);
  return [exact, other].filter((edit) => edit !== undefined);
}

function unitedUrns(own: Edit, edited: readonly Edit[], list: 'tags' | 'terms'): readonly JsonValue[] {
  let all = own[list];
  for (const edit of edited) {
    if (edit[list].length > 0) all = all.length === 0 ? edit[list] : [...new Set([...all, ...edit[list]])];
  }
  return all;
}

function urnsIn(
  sources: readonly JsonObject[],
  aspect: string,
  list: string,
  member: string,
): readonly JsonValue[] {
  const urns = new Set<JsonValue>();
  for (const source of sources) {
    if (source[aspect] === undefined) continue;
    for (const association of objectsIn(objectIn(source, aspect), list))
      urns.add(association[member] ?? null);
  }
  return urns.size === 0 ? noUrns : [...urns];
}

const noUrns: readonly JsonValue[] = [];

/** The columns of siblings, each simple path once: what is not a list is that of the first which has it. */
function mergedColumns(siblings: readonly LoadedEntity[], run: Steps): readonly JsonObject[] {
  const columns = new Map<JsonValue, JsonObject>();
  for (const column of siblings.flatMap((sibling) => columnsOf(sibling, run))) {
    spend(run, joinSteps + (listIn(column, 'tags').length + listIn(column, 'terms').length) * urnSteps);
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
