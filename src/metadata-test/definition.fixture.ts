import assert from 'node:assert/strict';
import type { TestDefinition } from './predicate.ts';
import { readTestDefinition } from './test-definition.ts';

export const on = { types: ['dataset'] };
export const owner = 'ownership.owners.owner';
export const tag = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Tier1'] };
export const hasOwner = { property: owner, operator: 'exists' };
export const rule = (leaf: object): object => ({ on, rules: [leaf] });
export const columns = { forEach: 'columns', satisfies: { property: 'description', operator: 'exists' } };
export const text = (definition: unknown): string => JSON.stringify(definition);

export function definitionOf(definition: unknown): TestDefinition {
  const read = readTestDefinition(text(definition));
  assert.ok(read.valid, text(read.issues));
  return read.definition;
}

export const findingsOf = (source: string): (readonly [string, string])[] =>
  readTestDefinition(source).issues.map(({ code, pointer }) => [code, pointer] as const);
