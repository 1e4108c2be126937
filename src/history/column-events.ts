import type { JsonObject } from '../aspect/json.ts';
import { jsonEqual } from '../aspect/json.ts';
import { filledTextIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { formatUrn, type Urn } from '../urn/urn.ts';
import type { ChangeEvent, ChangeOperation, SemanticChange } from './change-event.ts';
import { type Body, descriptionEvents, listEvents, tagItems, termItems } from './attachment-events.ts';

/** What a new schema did to the columns: added, removed, of another type, described, tagged and termed otherwise. */
export function schemaEvents(dataset: Urn, before: Body, after: Body): readonly ChangeEvent[] {
  const had = columnsOf(before, 'fields');
  const has = columnsOf(after, 'fields');
  const events: ChangeEvent[] = [];
  for (const path of had.keys()) {
    if (!has.has(path)) events.push(columnEvent(dataset, path, 'REMOVE', 'MAJOR', 'was removed'));
  }
  for (const [path, column] of has) {
    const earlier = had.get(path);
    if (earlier === undefined) events.push(columnEvent(dataset, path, 'ADD', 'MINOR', 'was added'));
    else if (isOtherType(earlier, column)) {
      events.push(columnEvent(dataset, path, 'MODIFY', 'MAJOR', 'has another type'));
    }
    events.push(...attachmentEvents(dataset, path, earlier, column));
  }
  return events;
}

/** What people changed on columns: descriptions, terms, tags. */
export function editedColumnEvents(dataset: Urn, before: Body, after: Body): readonly ChangeEvent[] {
  const had = columnsOf(before, 'editableSchemaFieldInfo');
  const has = columnsOf(after, 'editableSchemaFieldInfo');
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((path) =>
    attachmentEvents(dataset, path, had.get(path), has.get(path)),
  );
}

function columnsOf(body: Body, list: string): ReadonlyMap<string, JsonObject> {
  const columns = new Map<string, JsonObject>();
  for (const column of objectsIn(body, list)) {
    const path = textIn(column, 'fieldPath');
    if (path !== null) columns.set(path, column);
  }
  return columns;
}

function isOtherType(before: JsonObject, after: JsonObject): boolean {
  return (
    textIn(before, 'nativeDataType') !== textIn(after, 'nativeDataType') ||
    !jsonEqual(before['type'] ?? null, after['type'] ?? null)
  );
}

function attachmentEvents(dataset: Urn, path: string, before: Body, after: Body): readonly ChangeEvent[] {
  if (before === undefined && after === undefined) return [];
  const column = formatUrn('schemaField', [dataset, path]);
  const descriptions = [filledTextIn(before, 'description'), filledTextIn(after, 'description')] as const;
  const events = [
    ...descriptionEvents(column, ...descriptions),
    ...listEvents(
      column,
      { category: 'GLOSSARY_TERM', noun: 'Glossary term', semantic: 'MINOR', items: termItems },
      objectIn(before, 'glossaryTerms'),
      objectIn(after, 'glossaryTerms'),
    ),
    ...listEvents(
      column,
      { category: 'TAG', noun: 'Tag', semantic: 'MINOR', items: tagItems },
      objectIn(before, 'globalTags'),
      objectIn(after, 'globalTags'),
    ),
  ];
  return events.map((event) => ({ ...event, parameters: { ...event.parameters, fieldPath: path } }));
}

function columnEvent(
  dataset: Urn,
  path: string,
  operation: ChangeOperation,
  semantic: SemanticChange,
  what: string,
): ChangeEvent {
  const urn = formatUrn('schemaField', [dataset, path]);
  return {
    urn,
    category: 'TECHNICAL_SCHEMA',
    operation,
    modifier: urn,
    semantic,
    description: `The column ${path} of ${dataset} ${what}`,
    parameters: { fieldPath: path },
  };
}
