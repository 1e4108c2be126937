import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { isEmptyValue } from '../emptiness.ts';

/** Where the values of a list column come from: one field of one aspect, or the whole aspect. */
export type ListSource = {
  readonly column: Exclude<ListColumn, 'columnProfiles'>;
  readonly aspect: string;
  /** Texts of what the aspect holds, each once; none where nothing is in it that a test could find. */
  readonly textsOf: (body: JsonObject) => readonly string[];
  /** The aspect with nothing in it but what one text says. */
  readonly bodyOf: (kept: JsonValue) => JsonObject;
  /** The field whose elements the texts are; the whole aspect without. */
  readonly field?: string;
  /** Members that the texts keep, of the element or of the aspect; without, an element is kept as it is. */
  readonly members?: readonly string[];
  /** Of several columns with the same elements, one that is asked about one member only is preferred. */
  readonly isSingle: boolean;
};

/**
 * Marks a record that says something, but nothing that the text keeps, so that it is as empty as what it was made from
 * (S4), and a list that is none.
 */
const otherMember = '+';

/** How each list column but `columnProfiles` is derived. */
export const listSources: readonly ListSource[] = [
  wholeAspect('platformInstance', 'dataPlatformInstance', ['platform', 'instance']),
  wholeAspect('deprecation', 'deprecation', ['deprecated']),
  elements('container', 'container', 'container', undefined, true),
  elements('domains', 'domains', 'domains'),
  elements('subTypes', 'subTypes', 'typeNames'),
  elements('tags', 'globalTags', 'tags', ['tag']),
  elements('terms', 'glossaryTerms', 'terms', ['urn']),
  elements('owners', 'ownership', 'owners', ['owner']),
  elements('ownerships', 'ownership', 'owners', ['owner', 'type', 'typeUrn']),
  propertyValues(),
];

function wholeAspect(column: ListSource['column'], aspect: string, members: readonly string[]): ListSource {
  return {
    column,
    aspect,
    members,
    isSingle: true,
    textsOf: (body) => {
      const text = keptRecord(body, members);
      return text === '{}' ? none : [text];
    },
    bodyOf: (kept) => (isJsonObject(kept) ? kept : {}),
  };
}

/** `isSingle`: the field holds one value, which is no list. */
function elements(
  column: ListSource['column'],
  aspect: string,
  field: string,
  members?: readonly string[],
  isSingle = false,
): ListSource {
  return {
    column,
    aspect,
    field,
    isSingle,
    ...(members === undefined ? {} : { members }),
    textsOf: (body) => {
      const texts = new Set<string>();
      const add = (element: JsonValue): void => {
        if (element === null || isEmptyValue(element)) return;
        texts.add(
          members === undefined || !isJsonObject(element)
            ? JSON.stringify(element)
            : keptRecord(element, members),
        );
      };
      const value = body[field];
      if (value === undefined) return none;
      if (!isSingle && Array.isArray(value)) for (const element of value) add(element);
      else add(value);
      return texts.size === 0 ? none : [...texts];
    },
    bodyOf: (kept) => ({ [field]: isSingle ? kept : [kept] }),
  };
}

/** One text for each value, so that an entity with many properties shares texts with others. */
function propertyValues(): ListSource {
  const property = elements('structuredProperties', 'structuredProperties', 'properties', [
    'propertyUrn',
    'values',
  ]);
  return {
    ...property,
    textsOf: (body) => {
      const properties = body['properties'];
      if (!Array.isArray(properties)) return none;
      return property.textsOf({ properties: (properties as readonly JsonValue[]).flatMap(valueByValue) });
    },
  };
}

function valueByValue(property: JsonValue): readonly JsonValue[] {
  if (!isJsonObject(property)) return [property];
  const { values } = property;
  if (!Array.isArray(values) || values.length < 2) return [property];
  return (values as readonly JsonValue[]).map((value) => ({ ...property, values: [value] }));
}

const none: readonly string[] = [];

/** The record as JSON, with these members alone and in this order. */
function keptRecord(record: JsonObject, members: readonly string[]): string {
  let text = '';
  let isEmpty = true;
  for (const member of members) {
    if (!Object.hasOwn(record, member)) continue;
    const value = record[member];
    if (value === undefined || value === null) continue;
    text += `${text === '' ? '{' : ','}${JSON.stringify(member)}:${JSON.stringify(value)}`;
    isEmpty &&= isEmptyValue(value);
  }
  if (isEmpty && !isEmptyValue(record)) text += `${text === '' ? '{' : ','}"${otherMember}":true`;
  return text === '' ? '{}' : `${text}}`;
}
