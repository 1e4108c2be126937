import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { hasOwner, on, owner, patched, rule, text } from './definition.fixture.ts';
import { readTestDefinition } from './test-definition.ts';

describe('validation', () => {
  const suggestions: readonly (readonly [object, string])[] = [
    [rule({ property: 'urn', operator: 'equal', values: ['x'] }), 'equals'],
    [rule({ property: 'ownership.owner.owner', operator: 'exists' }), owner],
    [rule({ property: 'ownershp.owners.owner', operator: 'exists' }), owner],
    [rule({ property: 'owners', operator: 'exists' }), owner],
    [rule({ property: 'description', operator: 'exists' }), 'effective.description'],
    [rule({ property: 'tags.tag', operator: 'exists' }), 'globalTags.tags.tag'],
    [rule({ property: 'fields.nativeDataType', operator: 'exists' }), 'schemaMetadata.fields.nativeDataType'],
    [{ on: { types: ['datasets'] }, rules: [] }, 'dataset'],
    [
      rule({ property: 'structuredProperties.io.x', operator: 'exists' }),
      'structuredProperties.urn:li:structuredProperty:io.x',
    ],
    [{ on, rules: [], actions: { passing: [{ type: 'add_tag' }] } }, 'add_tags'],
  ];
  for (const [definition, suggestion] of suggestions) {
    it(`suggests ${suggestion}`, () => {
      assert.deepEqual(
        readTestDefinition(text(definition)).issues.map((issue) => issue.suggestion),
        [suggestion],
      );
    });
  }

  const fixes: readonly (readonly [string, object, object])[] = [
    [
      'an operator',
      rule({ property: 'urn', operator: 'equal', values: ['x'] }),
      rule({ property: 'urn', operator: 'equals', values: ['x'] }),
    ],
    ['a property', rule({ ...hasOwner, property: 'owners' }), rule(hasOwner)],
    ['a key of a predicate', rule({ nott: [hasOwner] }), rule({ not: [hasOwner] })],
    [
      'a list of actions',
      { on, rules: [], actions: { failings: [] } },
      { on, rules: [], actions: { failing: [] } },
    ],
    [
      'a parameter',
      {
        ...rule({ ...hasOwner, operator: 'equals', values: ['${owners}'] }),
        params: { owner: 'urn:li:corpuser:a' },
      },
      {
        ...rule({ ...hasOwner, operator: 'equals', values: ['${owner}'] }),
        params: { owner: 'urn:li:corpuser:a' },
      },
    ],
    [
      'a description',
      rule({ property: 'datasetProperties.description', operator: 'exists' }),
      rule({ property: 'effective.description', operator: 'exists' }),
    ],
  ];
  for (const [what, before, after] of fixes) {
    it(`has a fix for ${what}, which leaves nothing to be said`, () => {
      const [issue] = readTestDefinition(text(before)).issues;
      const fixed = patched(JSON.parse(text(before)) as JsonObject, issue?.fix ?? []);
      assert.deepEqual(fixed, JSON.parse(text(after)));
      assert.deepEqual(
        readTestDefinition(text(fixed)).issues.filter(({ severity }) => severity === 'error'),
        [],
      );
    });
  }
});
