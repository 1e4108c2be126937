import { isEnumType, specifiedScalarTypes } from 'graphql';
import type { GraphQLLeafType } from 'graphql';

const ownScalars = new Set<GraphQLLeafType>(specifiedScalarTypes);

/** How the values of a leaf type are written as JSON; the writer throws for values that do not belong to the type. */
export function leafWriter(type: GraphQLLeafType): (value: unknown) => string {
  const written = (value: unknown): string => writeSerialised(type, value);
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => texts.get(value) ?? written(value);
  }
  if (!ownScalars.has(type)) return written;
  switch (type.name) {
    case 'String':
    case 'ID':
      return (value) => (typeof value === 'string' ? JSON.stringify(value) : written(value));
    case 'Boolean':
      return (value) => (value === true ? 'true' : value === false ? 'false' : written(value));
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? `${value}` : written(value));
    default:
      return written;
  }
}

function writeSerialised(type: GraphQLLeafType, value: unknown): string {
  const serialised: unknown = type.serialize(value);
  const text = serialised === null ? undefined : JSON.stringify(serialised);
  if (text === undefined) throw new Error(`${type.name} has no serialised form for ${typeof value}`);
  return text;
}
