import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import type { PatchOperation } from './issue.ts';
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

/** The document after a patch, as far as fixes use patches. */
export function patched(document: JsonObject, fix: readonly PatchOperation[]): JsonObject {
  const copy = structuredClone(document) as JsonObject;
  const holderOf = (pointer: string): [Record<string, JsonValue>, string] => {
    const tokens = pointer.split('/').slice(1);
    const last = tokens.pop() ?? '';
    let holder: unknown = copy;
    for (const token of tokens) holder = (holder as Record<string, unknown>)[token];
    return [holder as Record<string, JsonValue>, last];
  };
  for (const operation of fix) {
    const [holder, key] = holderOf(operation.path);
    if (operation.op === 'replace') holder[key] = operation.value;
    else {
      const [from, old] = holderOf(operation.op === 'move' ? operation.from : operation.path);
      if (operation.op === 'move') holder[key] = from[old] ?? null;
      delete from[old];
    }
  }
  return copy;
}
