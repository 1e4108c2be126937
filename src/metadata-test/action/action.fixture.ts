import type { TestDefinition } from '../predicate.ts';
import { definitionOf } from '../definition.fixture.ts';
import type { ActingTest } from './test-actions.ts';

export const tagPath = 'globalTags.tags.tag';
export const gold = 'urn:li:tag:Gold';
export const silver = 'urn:li:tag:Silver';
export const tier1 = 'urn:li:tag:Tier1';

export type Parts = {
  readonly types?: readonly string[];
  readonly conditions?: readonly object[];
  readonly rules?: readonly object[];
  readonly passing?: readonly object[];
  readonly failing?: readonly object[];
  readonly policy?: object;
};

/** A definition with actions, as it is written. */
export function written({
  types = ['dataset'],
  conditions = [],
  rules = [],
  passing = [],
  failing = [],
  policy,
}: Parts): string {
  const keys = policy === undefined ? {} : { actionPolicy: policy };
  return JSON.stringify({ on: { types, conditions }, rules, actions: { passing, failing }, ...keys });
}

export function defined(parts: Parts): TestDefinition {
  return definitionOf(JSON.parse(written(parts)));
}

export function acting(name: string, parts: Parts): ActingTest {
  return { name: `urn:li:test:${name}`, definition: defined(parts) };
}

export const tagged = (...values: readonly string[]): object => ({
  property: tagPath,
  operator: 'contains_any',
  values,
});
export const untagged = (...values: readonly string[]): object => ({ not: [tagged(...values)] });
export const addTags = (...values: readonly string[]): object => ({ type: 'add_tags', values });
export const removeTags = (...values: readonly string[]): object => ({ type: 'remove_tags', values });
