import { PostilError } from '../errors/postil-error.ts';
import { type Issue, issueLine } from './issue.ts';
import type { TestDefinition } from './predicate.ts';
import { readTestDefinition } from './test-definition.ts';

/**
 * The typed tree of a definition that is about to be saved. Throws INVALID_TEST_DEFINITION with one line per error in
 * the message and all issues, warnings included, in `details`.
 */
export function requireValidDefinition(text: string): TestDefinition {
  const read = readTestDefinition(text);
  if (read.valid) return read.definition;
  throw invalid(read.issues);
}

/** Throws INVALID_TEST_DEFINITION like `requireValidDefinition` when there is an error among the issues. */
export function refuseInvalid(issues: readonly Issue[]): void {
  if (issues.some(({ severity }) => severity === 'error')) throw invalid(issues);
}

function invalid(issues: readonly Issue[]): PostilError {
  const lines = issues.filter((issue) => issue.severity === 'error').map(issueLine);
  return new PostilError('INVALID_TEST_DEFINITION', `The test definition is not valid. ${lines.join(' ')}`, {
    details: issues,
  });
}
