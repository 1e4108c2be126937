import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { listIn, objectIn, objectsIn } from '../../entity/stored-member.ts';
import { simpleFieldPath } from '../../urn/field-path.ts';
import { isEmptyValue } from '../emptiness.ts';

/** The columns of an entity, as its row tells of them. */
export type ColumnProfiles = {
  /**
   * Each once, as canonical JSON. Of a column: `nativeDataType`, what is ingested about it, and `edits`, what people said
   * about it, each edit once. Of an edit for a path that is no column: the edit with `stray`. Said is what is not empty:
   * `described`, `tags` and `terms`, sorted, each once. A blank path is kept as `path`, because it says nothing; others
   * are not kept, so that many columns, and many datasets, share one text.
   */
  readonly texts: readonly string[];
  /** How many columns there are. */
  readonly columns: number;
  /** Those with a description, edited or ingested, that is not empty (S14). */
  readonly described: number;
};

/** What is said about a column in one place. `text`: members of a JSON record. */
type Said = { readonly isDescribed: boolean; readonly text: string };

type Edit = Said & { isStray: boolean };

/** Profiles from the bodies of `schemaMetadata` and `editableSchemaMetadata`. */
export function columnProfilesOf(
  schema: JsonObject | undefined,
  editable: JsonObject | undefined,
): ColumnProfiles {
  const edits: Edit[] = [];
  const byPath = new Map<string, Edit[]>();
  for (const record of objectsIn(editable, 'editableSchemaFieldInfo')) {
    const edit = { ...saidIn(record), isStray: true };
    edits.push(edit);
    addEdit(byPath, record['fieldPath'], edit);
  }
  const fields = objectsIn(schema, 'fields');
  const texts = new Set<string>();
  let described = 0;
  for (const field of fields) {
    const said = saidIn(field);
    const placed = edits.length === 0 ? noEdits : editsAt(field['fieldPath'], byPath);
    for (const edit of placed) edit.isStray = false;
    if (said.isDescribed || placed.some(({ isDescribed }) => isDescribed)) described += 1;
    texts.add(profileText(field['nativeDataType'], said, placed));
  }
  for (const { isStray, text } of edits) if (isStray) texts.add(`{"stray":true,"edits":[{${text}}]}`);
  return { texts: [...texts], columns: fields.length, described };
}

const noEdits: readonly Edit[] = [];

/** An edit is found by its path as it is written, and by its simple form. */
function addEdit(byPath: Map<string, Edit[]>, path: JsonValue | undefined, edit: Edit): void {
  if (typeof path !== 'string') return;
  const simple = simpleFieldPath(path);
  for (const each of simple === path || simple === '' ? [path] : [path, simple]) {
    const known = byPath.get(each);
    if (known === undefined) byPath.set(each, [edit]);
    else known.push(edit);
  }
}

/** The edits that `columnsOf` joins to a column with this path. */
function editsAt(path: JsonValue | undefined, byPath: ReadonlyMap<string, Edit[]>): readonly Edit[] {
  const exactPath = typeof path === 'string' ? path : '';
  const simple = simpleFieldPath(exactPath);
  const exact = byPath.get(exactPath) ?? noEdits;
  const other = simple === exactPath || simple === '' ? undefined : byPath.get(simple);
  return other === undefined ? exact : [...exact, ...other];
}

function profileText(type: JsonValue | undefined, { text }: Said, edits: readonly Edit[]): string {
  const members = type === undefined || type === null ? [] : [`"nativeDataType":${JSON.stringify(type)}`];
  if (text !== '') members.push(text);
  if (edits.length > 0) members.push(`"edits":[${eachOnce(edits.map((edit) => `{${edit.text}}`))}]`);
  return `{${members.join(',')}}`;
}

function saidIn(record: JsonObject): Said {
  const { description } = record;
  const isDescribed = description !== undefined && !isEmptyValue(description);
  let text = blankPath(record);
  if (isDescribed) text += `${text === '' ? '' : ','}"described":true`;
  for (const { member, aspect, list, reference } of attachments) {
    const attached = objectIn(record, aspect);
    if (attached === undefined) continue;
    const kept = attachedText(attached, list, reference);
    if (kept !== '') text += `${text === '' ? '' : ','}"${member}":${kept}`;
  }
  return { isDescribed, text };
}

/** A record with a blank path says something only if anything else in it does. */
function blankPath(record: JsonObject): string {
  const path = record['fieldPath'];
  if (path === undefined || !isEmptyValue(path)) return '';
  return `"path":"${blank}"${isEmptyValue(record) ? '' : ',"+":true'}`;
}

const blank = ' ';
/** Has the same simple form as `blank`, so that a column and its edits are joined whichever they have. */
const notBlank = `[version=2.0].${blank}`;

const attachments = [
  { member: 'tags', aspect: 'globalTags', list: 'tags', reference: 'tag' },
  { member: 'terms', aspect: 'glossaryTerms', list: 'terms', reference: 'urn' },
] as const;

/** Stands where something is said, but nothing that a profile keeps, so that it is not empty either (S4). */
const other: JsonObject = { '+': true };
const otherText = JSON.stringify(other);

/** The URNs of the list, and `other` for elements without; '' when all of the record is empty. */
function attachedText(attached: JsonObject, list: string, reference: string): string {
  const kept: string[] = [];
  for (const element of objectsIn(attached, list)) {
    const urn = element[reference];
    if (typeof urn === 'string' && !isEmptyValue(urn)) kept.push(JSON.stringify(urn));
    else if (!isEmptyValue(element)) kept.push(otherText);
  }
  if (kept.length > 0) return `[${eachOnce(kept)}]`;
  return isEmptyValue(attached) ? '' : otherText;
}

function eachOnce(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : [...new Set(texts)].toSorted().join(',');
}

/** The two aspects of an entity that has nothing but one column, or one stray edit, with this profile. */
export function columnAspectsOf(
  profile: JsonValue,
): readonly { readonly name: string; readonly body: JsonObject }[] {
  if (!isJsonObject(profile)) return [];
  const edits = objectsIn(profile, 'edits').map(recordSaying);
  const editable = { name: 'editableSchemaMetadata', body: { editableSchemaFieldInfo: edits } };
  if (profile['stray'] === true) return [editable];
  const type = profile['nativeDataType'];
  const field = { ...recordSaying(profile), ...(type === undefined ? {} : { nativeDataType: type }) };
  const schema = { name: 'schemaMetadata', body: { fields: [field] } };
  return edits.length === 0 ? [schema] : [schema, editable];
}

function recordSaying(said: JsonObject): JsonObject {
  const record: Record<string, JsonValue> = { fieldPath: said['path'] ?? notBlank };
  if (said['+'] === true) Object.assign(record, other);
  if (said['described'] === true) record['description'] = 'described';
  for (const { member, aspect, list, reference } of attachments) {
    const kept = said[member];
    if (kept === undefined) continue;
    record[aspect] = isJsonObject(kept)
      ? kept
      : { [list]: listIn(said, member).map((urn) => (isJsonObject(urn) ? urn : { [reference]: urn })) };
  }
  return record;
}
