import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { TestDefinition } from '../predicate.ts';
import { readTests } from '../test-entity.ts';
import { readTestDefinition } from '../test-definition.ts';

/** A test whose actions are looked at together with those of others. */
export type ActingTest = {
  /** URN, or how else people call it. */
  readonly name: string;
  readonly definition: TestDefinition;
};

export function hasActions({ actions }: TestDefinition): boolean {
  return actions.passing.length + actions.failing.length > 0;
}

/** Stored tests with actions, except those of this name or this text; definitions that cannot be read act on nothing. */
export async function readActingTests(
  reader: Pick<AspectReader, 'entities' | 'readMany'>,
  except: { readonly urn?: string; readonly text: string },
): Promise<readonly ActingTest[]> {
  const acting: ActingTest[] = [];
  for (const { urn, json } of await readTests(reader)) {
    if (json === null || urn === except.urn || json === except.text || !json.includes('actions')) continue;
    const definition = definitionOf(json);
    if (definition !== undefined && hasActions(definition)) acting.push({ name: urn, definition });
  }
  return acting;
}

/** Texts that were read, because every save looks at all of them again inside its transaction. */
const known = new Map<string, TestDefinition | undefined>();
const knownMax = 2_000;

function definitionOf(text: string): TestDefinition | undefined {
  if (known.has(text)) return known.get(text);
  const read = readTestDefinition(text);
  const definition = read.valid ? read.definition : undefined;
  if (known.size >= knownMax) known.clear();
  known.set(text, definition);
  return definition;
}
