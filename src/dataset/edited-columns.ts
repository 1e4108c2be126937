import type { JsonObject } from '../aspect/json.ts';
import { columnPaths, oneRecord } from '../entity/column.ts';
import type { ColumnRecord } from '../entity/column.ts';
import { filledTextIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { isKeyFieldPath, simpleFieldPath } from '../urn/field-path.ts';

/**
 * What people set on the columns of a schema, by the schema's own field path: the record with exactly that path, and those
 * that mean the column by another spelling, made one. A record means the column that a write by the same path would change
 * (decision 11), so whatever was written is read back at the same column; a path that several columns could mean is none's.
 */
export function editedColumns(
  schema: JsonObject,
  editable: JsonObject | undefined,
): ReadonlyMap<string, ColumnRecord> {
  const records = objectsIn(editable, 'editableSchemaFieldInfo');
  const edited = new Map<string, ColumnRecord>();
  if (records.length === 0) return edited;
  const paths = new Set(columnPaths(schema));
  let bySimplePath: ReadonlyMap<string, readonly string[]> | undefined;
  const spellings = new Map<string, ColumnRecord[]>();
  for (const record of records) {
    const asked = textIn(record, 'fieldPath');
    if (asked === null) continue;
    let path: string | undefined = asked;
    if (!paths.has(asked)) {
      bySimplePath ??= Map.groupBy(paths, simpleFieldPath);
      path = columnMeant(bySimplePath, asked);
    }
    if (path === undefined) continue;
    const known = spellings.get(path);
    if (known === undefined) spellings.set(path, [record]);
    else known.push(record);
  }
  for (const [path, [first, ...others]] of spellings) {
    if (first === undefined) continue;
    edited.set(path, others.length === 0 ? first : oneRecord(path, [first, ...others]));
  }
  return edited;
}

/** The same choice as `resolveFieldPath` makes, from an index, because here many paths are looked up in one schema. */
function columnMeant(
  bySimplePath: ReadonlyMap<string, readonly string[]>,
  asked: string,
): string | undefined {
  const simple = simpleFieldPath(asked);
  const candidates = simple === '' ? [] : (bySimplePath.get(simple) ?? []);
  if (candidates.length <= 1) return candidates[0];
  const wantsKey = isKeyFieldPath(asked);
  const preferred = candidates.filter((path) => isKeyFieldPath(path) === wantsKey);
  return preferred.length === 1 ? preferred[0] : undefined;
}

/** The description that a reader should see: the edited one when there is one, else the ingested one (decision 12). */
export function effectiveDescription(
  ingested: JsonObject | undefined,
  edited: JsonObject | undefined,
): string | null {
  return filledTextIn(edited, 'description') ?? textIn(ingested, 'description');
}
