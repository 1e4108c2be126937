import { formatUrn, isUrn, urnKey, urnType, type Urn } from '../urn/urn.ts';

/** What the values of a structured property can be; DataHub's logical value types (wire 8.1). */
export type ValueType = {
  readonly id: 'string' | 'number' | 'date' | 'rich_text' | 'urn';
  /** Value of the GraphQL enum `StdDataType`. */
  readonly standardType: 'STRING' | 'NUMBER' | 'DATE' | 'RICH_TEXT' | 'URN';
  readonly displayName: string;
  readonly description: string;
};

/** Begins every id: `urn:li:dataType:datahub.string`. */
const namespace = 'datahub.';

export const valueTypes: readonly ValueType[] = [
  { id: 'string', standardType: 'STRING', displayName: 'String', description: 'A string of characters.' },
  {
    id: 'number',
    standardType: 'NUMBER',
    displayName: 'Number',
    description: 'An integer or decimal number.',
  },
  { id: 'urn', standardType: 'URN', displayName: 'Urn', description: 'The URN of an entity.' },
  { id: 'rich_text', standardType: 'RICH_TEXT', displayName: 'Rich Text', description: 'Text with markup.' },
  { id: 'date', standardType: 'DATE', displayName: 'Date', description: 'A day, as in 2026-11-22.' },
];

export function urnOfValueType({ id }: ValueType): Urn {
  return formatUrn('dataType', [namespace + id]);
}

/** The type that a data type's URN means, with or without DataHub's namespace; `undefined` for others. */
export function valueTypeOf(dataType: unknown): ValueType | undefined {
  if (!isUrn(dataType) || urnType(dataType) !== 'dataType') return undefined;
  const id = withoutNamespace(urnKey(dataType));
  return valueTypes.find((each) => each.id === id);
}

export function urnOfEntityType(entityType: string): Urn {
  return formatUrn('entityType', [namespace + entityType]);
}

/** The registry's name for the entity type that a URN like `urn:li:entityType:datahub.dataset` means, if it is one. */
export function entityTypeNamed(reference: unknown): string | undefined {
  if (!isUrn(reference) || urnType(reference) !== 'entityType') return undefined;
  return withoutNamespace(urnKey(reference));
}

function withoutNamespace(id: string): string {
  return id.startsWith(namespace) ? id.slice(namespace.length) : id;
}
