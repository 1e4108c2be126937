import type { Aspect } from '../aspect/aspect.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { resolveFieldPath, simpleFieldPath } from '../urn/field-path.ts';
import type { Urn } from '../urn/urn.ts';
import { suggestion } from './nearest-name.ts';
import { objectsIn } from './stored-member.ts';

/** The aspects that a change of a column needs to read. */
export const columnAspects = ['schemaMetadata', 'editableSchemaMetadata'] as const;

/** What somebody set on one column: `fieldPath`, and possibly `description`, `globalTags` and `glossaryTerms`. */
export type ColumnRecord = JsonObject;

const candidatesNamed = 5;

/** The field paths of a `schemaMetadata` body, as they are stored. */
export function columnPaths(schema: JsonObject): string[] {
  const paths: string[] = [];
  for (const field of objectsIn(schema, 'fields')) {
    const path = field['fieldPath'];
    if (typeof path === 'string') paths.push(path);
  }
  return paths;
}

/**
 * The schema's own path of the column that `asked` means (decision 11). Throws COLUMN_NOT_FOUND when the entity has no
 * schema or the schema no such column, and AMBIGUOUS_COLUMN; texts of contract section 7.3, f and g.
 */
export function requireColumn(
  entity: Urn,
  schema: Aspect | undefined,
  asked: string | null | undefined,
): string {
  const start = `Failed to update ${entity} & field ${asked ?? null}.`;
  if (schema === undefined) throw new PostilError('COLUMN_NOT_FOUND', `${start} ${entity} has no schema.`);
  const paths = columnPaths(schema.body);
  const found = resolveFieldPath(paths, asked ?? '');
  if (found.kind === 'found') return found.path;
  if (found.kind === 'ambiguous') {
    const named = found.candidates.slice(0, candidatesNamed).join(', ');
    throw new PostilError(
      'AMBIGUOUS_COLUMN',
      `${start} Field ${asked ?? null} means ${found.candidates.length} columns of the datasets schema: ${named}` +
        `${found.candidates.length > candidatesNamed ? ', ...' : ''}. Send the full path of one of them.`,
    );
  }
  const hint = suggestion(simpleFieldPath(asked ?? ''), paths.map(simpleFieldPath));
  throw new PostilError(
    'COLUMN_NOT_FOUND',
    `${start} Field ${asked ?? null} does not exist in the datasets schema.${hint}`,
  );
}

/**
 * The `editableSchemaMetadata` body in which the record of one column is what `change` makes of it. Records under other
 * spellings of the column become one with it, under the schema's own path (contract section 11.4). The column's record
 * goes when it says nothing any more. The same object when nothing changed.
 */
export function withColumnRecord(
  editable: JsonObject | undefined,
  schema: JsonObject,
  path: string,
  change: (record: ColumnRecord) => ColumnRecord,
): JsonObject | undefined {
  const records = objectsIn(editable, 'editableSchemaFieldInfo');
  const isSameColumn = sameColumnTest(schema, path);
  const spellings = records.filter((record) => isSameColumn(record['fieldPath']));
  const before = oneRecord(path, spellings);
  const after = change(before);
  if (jsonEqual(before, after)) return editable;
  const isSaying = Object.keys(after).some((member) => member !== 'fieldPath' && after[member] !== undefined);
  const changed: ColumnRecord[] = [];
  let isPlaced = !isSaying;
  for (const record of records) {
    if (!spellings.includes(record)) changed.push(record);
    else if (!isPlaced) {
      changed.push(after);
      isPlaced = true;
    }
  }
  if (!isPlaced) changed.push(after);
  return { ...editable, editableSchemaFieldInfo: changed };
}

function sameColumnTest(schema: JsonObject, path: string): (spelling: JsonValue | undefined) => boolean {
  const simple = simpleFieldPath(path);
  let paths: string[] | undefined;
  return (spelling) => {
    if (spelling === path) return true;
    if (typeof spelling !== 'string' || simple === '' || simpleFieldPath(spelling) !== simple) return false;
    paths ??= columnPaths(schema);
    const meant = resolveFieldPath(paths, spelling);
    return meant.kind === 'found' && meant.path === path;
  };
}

/** The exact spelling comes first: what it says stands, the others add what it does not say. */
export function oneRecord(path: string, spellings: readonly ColumnRecord[]): ColumnRecord {
  const [first, ...others] = spellings.toSorted(
    (left, right) => Number(right['fieldPath'] === path) - Number(left['fieldPath'] === path),
  );
  let record: ColumnRecord = { ...first, fieldPath: path };
  for (const other of others) {
    record = {
      ...other,
      ...record,
      ...union(record, other, 'glossaryTerms', 'terms', 'urn'),
      ...union(record, other, 'globalTags', 'tags', 'tag'),
    };
  }
  return record;
}

function union(
  left: ColumnRecord,
  right: ColumnRecord,
  aspect: string,
  list: string,
  reference: string,
): JsonObject | undefined {
  const [ours, theirs] = [left[aspect], right[aspect]];
  if (!isJsonObject(ours) || !isJsonObject(theirs)) return undefined;
  const kept = objectsIn(ours, list);
  const known = new Set(kept.map((element) => element[reference]));
  const added = objectsIn(theirs, list).filter((element) => !known.has(element[reference]));
  return added.length === 0 ? undefined : { [aspect]: { ...ours, [list]: [...kept, ...added] } };
}
