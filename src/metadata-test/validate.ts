import { PostilError } from '../errors/postil-error.ts';
import { issueLine } from './issue.ts';
import type { TestDefinition } from './predicate.ts';
import { readTestDefinition } from './test-definition.ts';

/**
 * The typed tree of a definition that is about to be saved. Throws INVALID_TEST_DEFINITION with one line per error in
 * the message and all issues, warnings included, in `details`.
 */
export function requireValidDefinition(text: string): TestDefinition {
  const read = readTestDefinition(text);
  if (read.valid) return read.definition;
  const lines = read.issues.filter((issue) => issue.severity === 'error').map(issueLine);
  throw new PostilError('INVALID_TEST_DEFINITION', `The test definition is not valid. ${lines.join(' ')}`, {
    details: read.issues,
  });
}
