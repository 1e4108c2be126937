import type { AspectReader } from '../aspect/aspect-store.ts';
import { type BesideStored, findingsBesideStored } from './action/beside-stored.ts';
import type { FactSource } from './facts.ts';
import type { Issue, NormalisationNote } from './issue.ts';
import { located } from './located.ts';
import { readTestDefinition } from './test-definition.ts';
import { unknownReferences } from './unknown-references.ts';

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

/**
 * Validates a definition; `reader` says which of the entities that it names are there, and which other tests act. A stored
 * test with exactly this text is this test.
 */
export async function validateDefinition(
  text: string,
  reader: FactSource & Pick<AspectReader, 'entities'>,
  beside: BesideStored = {},
): Promise<Validation> {
  const read = readTestDefinition(text);
  const { extensions, notes } = read;
  const found = read.valid
    ? [
        ...(await unknownReferences(read.definition, reader)),
        ...(await findingsBesideStored(read.definition, text, reader, beside)),
      ]
    : [];
  const valid = read.valid && !found.some(({ severity }) => severity === 'error');
  const issues = [...read.issues, ...located(text, found)];
  return { valid, portable: extensions.length === 0, extensions, issues, notes };
}
