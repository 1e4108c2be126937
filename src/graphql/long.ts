import { GraphQLScalarType, Kind } from 'graphql';

const integerText = /^[+-]?\d+$/;

/**
 * `scalar Long` (contract section 4): an integer within the safe integers of JSON (plus or minus 2^53 - 1). A number out;
 * an integer literal, a number or a numeric string in.
 */
export const longScalar = new GraphQLScalarType<number, number>({
  name: 'Long',
  description: 'A whole number of up to 53 bits, such as milliseconds since the Unix epoch.',
  serialize: toLong,
  parseValue: toLong,
  parseLiteral(node) {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return toLong(node.value);
    throw new TypeError(`Long cannot represent a literal of kind ${node.kind}`);
  },
});

function toLong(value: unknown): number {
  const number = typeof value === 'string' && integerText.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
  throw new TypeError(`Long cannot represent the value ${shown}`);
}
