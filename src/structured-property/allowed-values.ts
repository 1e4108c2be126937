import { jsonEqual, type JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { StoredValue } from './property-definition.ts';
import { misfit, shown, storedValue, type PropertyValueInput } from './property-values.ts';
import type { ValueType } from './value-type.ts';

export type AllowedValueInput = PropertyValueInput & { readonly description?: string | null };

/**
 * Values that a property may have, as its definition stores them. Throws BAD_REQUEST for one that does not fit the type, and
 * for one that is there twice or among `before`.
 */
export function allowedValuesOf(
  inputs: readonly AllowedValueInput[],
  type: ValueType | undefined,
  before: readonly StoredValue[],
): readonly JsonObject[] {
  const seen = [...before];
  return inputs.map((input) => {
    const value = storedValue('allowedValues', input);
    const expected = misfit(type, value);
    if (expected !== undefined) {
      throw new PostilError(
        'BAD_REQUEST',
        `${shown(value)} cannot be an allowed value: it has to be ${expected}.`,
      );
    }
    if (seen.some((each) => jsonEqual(each, value))) {
      throw new PostilError('BAD_REQUEST', `The allowed value ${shown(value)} is there already.`);
    }
    seen.push(value);
    const { description } = input;
    return { value, ...(description === null || description === undefined ? {} : { description }) };
  });
}
