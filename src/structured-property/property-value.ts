import type { StoredValue } from './property-definition.ts';

/** The GraphQL union `PropertyValue`. */
export type PropertyValue =
  | { readonly __typename: 'StringValue'; readonly stringValue: string }
  | { readonly __typename: 'NumberValue'; readonly numberValue: number };

export function propertyValue(value: StoredValue): PropertyValue {
  return 'double' in value
    ? { __typename: 'NumberValue', numberValue: value.double }
    : { __typename: 'StringValue', stringValue: value.string };
}
