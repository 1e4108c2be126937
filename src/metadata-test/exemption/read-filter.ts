import type { JsonValue } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { issueLine } from '../issue.ts';
import { leavesOf, type Predicate } from '../predicate.ts';
import { readTestDefinition } from '../test-definition.ts';

const pointerOfConditions = '/on/conditions';

/**
 * Reads the filter of an exemption: a predicate of the test language about entities of these types, with at least one
 * condition. Throws INVALID_TEST_DEFINITION with one line for each error, pointers being into the filter.
 */
export function readFilter(filter: JsonValue, types: readonly string[]): Predicate {
  const text = JSON.stringify({ on: { types, conditions: filter }, rules: [] });
  const read = readTestDefinition(text);
  if (read.valid) {
    const { conditions } = read.definition;
    if (!leavesOf(conditions).next().done) return conditions;
    throw new PostilError(
      'INVALID_TEST_DEFINITION',
      'The filter of the exemption asks for nothing, so it would excuse everything; give it a condition.',
    );
  }
  const lines = read.issues
    .filter(({ severity }) => severity === 'error')
    .map((issue) =>
      issueLine({
        ...issue,
        pointer: issue.pointer.startsWith(pointerOfConditions)
          ? `filter${issue.pointer.slice(pointerOfConditions.length)}`
          : issue.pointer,
      }),
    );
  throw new PostilError(
    'INVALID_TEST_DEFINITION',
    `The filter of the exemption is not valid. ${lines.join(' ')}`,
  );
}
