import { containsAny } from './operators/contains-any.ts';
import { containsStr } from './operators/contains-str.ts';
import { equals } from './operators/equals.ts';
import { exists } from './operators/exists.ts';
import { greaterThan } from './operators/greater-than.ts';
import { isFalse } from './operators/is-false.ts';
import { isTrue } from './operators/is-true.ts';
import { lessThan } from './operators/less-than.ts';
import type { Operator } from './operators/operator.ts';
import { regexMatch } from './operators/regex-match.ts';
import { schemaFieldsHaveDescriptions } from './operators/schema-fields-have-descriptions.ts';
import { startsWith } from './operators/starts-with.ts';
import { within } from './operators/within.ts';

/** Every operator, in the order of the reference documentation. */
export const operators: readonly Operator[] = [
  equals,
  exists,
  containsStr,
  containsAny,
  startsWith,
  regexMatch,
  greaterThan,
  lessThan,
  isTrue,
  isFalse,
  schemaFieldsHaveDescriptions,
  within,
];

const operatorsById: ReadonlyMap<string, Operator> = new Map(
  operators.map((operator) => [operator.id, operator]),
);

export function operatorOf(id: string): Operator | undefined {
  return operatorsById.get(id);
}
