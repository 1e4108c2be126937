import { jsonEqual } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, urnType, type Urn } from '../urn/urn.ts';
import type { PropertyDefinition, StoredValue } from './property-definition.ts';
import type { ValueType } from './value-type.ts';

/** A value as clients send it: exactly one of the two. */
export type PropertyValueInput = {
  readonly stringValue?: string | null;
  readonly numberValue?: number | null;
};

const namedAtMost = 20;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The values to store for one property of an asset, each once. Throws BAD_REQUEST, naming the value and what is allowed,
 * unless they are as many as the cardinality allows, fit the value type, and are among the allowed values.
 */
export function checkedValues(
  definition: PropertyDefinition,
  inputs: readonly (PropertyValueInput | null)[],
): readonly StoredValue[] {
  const { urn } = definition;
  const values: StoredValue[] = [];
  for (const input of inputs) {
    const value = storedValue(`The property ${urn}`, input);
    requireType(definition, value);
    requireAllowed(definition, value);
    if (!values.some((each) => jsonEqual(each, value))) values.push(value);
  }
  if (values.length === 0) {
    throw refused(
      `No value was given for the property ${urn}. To take it away, use removeStructuredProperties.`,
    );
  }
  if (definition.isSingle && values.length > 1) {
    throw refused(
      `The property ${urn} takes one value, but ${values.length} were given: ${listed(values)}. ` +
        'Give one of them, or make its cardinality MULTIPLE.',
    );
  }
  return values;
}

/** Throws BAD_REQUEST, behind `what`, unless exactly one of the members is given. */
export function storedValue(what: string, input: PropertyValueInput | null): StoredValue {
  const text = input?.stringValue ?? undefined;
  const number = input?.numberValue ?? undefined;
  if (text !== undefined && number === undefined) return { string: text };
  if (number !== undefined && text === undefined) return { double: number };
  throw refused(`${what}: each value has either a stringValue or a numberValue.`);
}

/** Whether the value is one of the type; says what is expected when it is not. */
export function misfit(type: ValueType | undefined, value: StoredValue): string | undefined {
  if (type === undefined) return undefined;
  if (type.id === 'number')
    return 'double' in value ? undefined : 'a number (numberValue, as an aspect double)';
  if ('double' in value) return `a text of type ${type.id} (stringValue, as an aspect string)`;
  if (type.id === 'date') return isDay(value.string) ? undefined : 'a day like 2026-11-22';
  if (type.id === 'urn') return isUrn(value.string) ? undefined : 'a urn like urn:li:corpuser:ana';
  return undefined;
}

/** A value as messages show it. */
export function shown(value: StoredValue): string {
  if ('double' in value) return String(value.double);
  const { string } = value;
  return JSON.stringify(string.length > 100 ? `${string.slice(0, 100)}...` : string);
}

function requireType({ urn, valueType, allowedTypes }: PropertyDefinition, value: StoredValue): void {
  const expected = misfit(valueType, value);
  if (expected !== undefined) {
    throw refused(`The property ${urn} cannot be ${shown(value)}: its values have to be ${expected}.`);
  }
  if (valueType?.id !== 'urn' || allowedTypes.length === 0 || !('string' in value)) return;
  const type = typeIn(value.string);
  if (type !== undefined && allowedTypes.includes(type)) return;
  throw refused(
    `The property ${urn} cannot be ${shown(value)}: its values are urns of type ${allowedTypes.join(', ')}.`,
  );
}

function requireAllowed({ urn, allowedValues }: PropertyDefinition, value: StoredValue): void {
  if (allowedValues.length === 0 || allowedValues.some((allowed) => jsonEqual(allowed, value))) return;
  throw refused(
    `The property ${urn} cannot be ${shown(value)}: the allowed values are ${listed(allowedValues)}.`,
  );
}

function listed(values: readonly StoredValue[]): string {
  const rest = values.length - namedAtMost;
  return values.slice(0, namedAtMost).map(shown).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function isDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function typeIn(text: string): string | undefined {
  const urn: string | Urn = text;
  return isUrn(urn) ? urnType(urn) : undefined;
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
