import { PostilError } from '../errors/postil-error.ts';
import type { AspectReader } from '../aspect/aspect-store.ts';
import { type Issue, issueLine, type NormalisationNote } from './issue.ts';
import { located } from './located.ts';
import type { TestDefinition } from './predicate.ts';
import { readTestDefinition } from './test-definition.ts';
import { unknownReferences } from './unknown-references.ts';

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

/** All that validation says about a definition. */
export type Validation = {
  /** No error; warnings do not count. */
  readonly valid: boolean;
  /** Whether DataHub reads the definition as we do. */
  readonly portable: boolean;
  /** Pointers to what makes it not portable. */
  readonly extensions: readonly string[];
  readonly issues: readonly Issue[];
  readonly notes: readonly NormalisationNote[];
};

/** Validates a definition; `reader` says which of the entities that it names are there. */
export async function validateDefinition(
  text: string,
  reader: Pick<AspectReader, 'existing' | 'readMany'>,
): Promise<Validation> {
  const read = readTestDefinition(text);
  const { extensions, notes } = read;
  const unknown = read.valid ? located(text, await unknownReferences(read.definition, reader)) : [];
  const issues = [...read.issues, ...unknown];
  return { valid: read.valid, portable: extensions.length === 0, extensions, issues, notes };
}
