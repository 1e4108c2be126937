import { between } from './operators/between.ts';
import { containsAll } from './operators/contains-all.ts';
import { containsAny } from './operators/contains-any.ts';
import { containsNone } from './operators/contains-none.ts';
import { containsStr } from './operators/contains-str.ts';
import { countAtLeast } from './operators/count-at-least.ts';
import { countAtMost } from './operators/count-at-most.ts';
import { countEquals } from './operators/count-equals.ts';
import { endsWith } from './operators/ends-with.ts';
import { equals } from './operators/equals.ts';
import { exists } from './operators/exists.ts';
import { greaterOrEqual } from './operators/greater-or-equal.ts';
import { greaterThan } from './operators/greater-than.ts';
import { isEmpty } from './operators/is-empty.ts';
import { isFalse } from './operators/is-false.ts';
import { isTrue } from './operators/is-true.ts';
import { lessOrEqual } from './operators/less-or-equal.ts';
import { lessThan } from './operators/less-than.ts';
import { maxLength } from './operators/max-length.ts';
import { minLength } from './operators/min-length.ts';
import { newerThan } from './operators/newer-than.ts';
import { notEquals } from './operators/not-equals.ts';
import { olderThan } from './operators/older-than.ts';
import type { Operator } from './operators/operator.ts';
import { regexMatch } from './operators/regex-match.ts';
import { schemaFieldsHaveDescriptions } from './operators/schema-fields-have-descriptions.ts';
import { startsWith } from './operators/starts-with.ts';
import { subsetOf } from './operators/subset-of.ts';
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
  notEquals,
  containsNone,
  containsAll,
  subsetOf,
  endsWith,
  greaterOrEqual,
  lessOrEqual,
  between,
  minLength,
  maxLength,
  countAtLeast,
  countAtMost,
  countEquals,
  newerThan,
  olderThan,
  isEmpty,
];

const operatorsById: ReadonlyMap<string, Operator> = new Map(
  operators.map((operator) => [operator.id, operator]),
);

export function operatorOf(id: string): Operator | undefined {
  return operatorsById.get(id);
}
