import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type JsonObject, jsonEqual, type JsonValue } from '../aspect/json.ts';
import { propertyPaths } from './catalogue-paths.ts';
import { pack, vectors } from './conformance.fixture.ts';
import { definitionSchema } from './definition-schema.ts';
import type { Findings } from './issue.ts';
import { resolvePath } from './property-path.ts';

const schema = JSON.parse(JSON.stringify(definitionSchema())) as JsonObject;

const number = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];
const textsIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : [];

const keywords = new Set(
  (
    '$schema $defs title description type required properties additionalProperties items const enum anyOf allOf not ' +
    '$ref pattern minLength maxLength minItems maxItems minimum maximum dependentRequired'
  ).split(' '),
);

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** What of a value a schema does not allow, as far as our schema uses JSON Schema; the first thing only. */
function problem(value: JsonValue, by: JsonObject, at = ''): string | undefined {
  for (const keyword of Object.keys(by)) assert.ok(keywords.has(keyword), `${keyword} is checked here`);
  const type = typeOf(value);
  const types = typeof by['type'] === 'string' ? [by['type']] : textsIn(by['type']);
  const isInteger = typeof value === 'number' && Number.isInteger(value);
  if (types.length > 0 && !types.includes(type) && !(isInteger && types.includes('integer'))) {
    return `${at}: is of type ${type}`;
  }
  if (by['const'] !== undefined && !jsonEqual(by['const'], value)) return `${at}: is another constant`;
  if (Array.isArray(by['enum']) && !textsIn(by['enum']).includes(String(value)))
    return `${at}: is not listed`;
  if (typeof value === 'string') {
    if (typeof by['pattern'] === 'string' && !new RegExp(by['pattern'], 'u').test(value))
      return `${at}: pattern`;
    if (value.length < number(by['minLength'], 0)) return `${at}: is too short`;
    if (value.length > number(by['maxLength'], Infinity)) return `${at}: is too long`;
  }
  if (typeof value === 'number') {
    if (value < number(by['minimum'], -Infinity)) return `${at}: is too small`;
    if (value > number(by['maximum'], Infinity)) return `${at}: is too great`;
  }
  const name = typeof by['$ref'] === 'string' ? by['$ref'].slice('#/$defs/'.length) : undefined;
  const definitions = schema['$defs'] as JsonObject;
  const referred = name === undefined ? undefined : problem(value, definitions[name] as JsonObject, at);
  const branches = schemasIn(by['anyOf']);
  return (
    referred ??
    (branches.length > 0 && branches.every((branch) => problem(value, branch, at) !== undefined)
      ? `${at}: is none of ${branches.length} forms`
      : undefined) ??
    first(schemasIn(by['allOf']), (part) => problem(value, part, at)) ??
    (isJsonObject(by['not']) && problem(value, by['not'], at) === undefined
      ? `${at}: is what it must not be`
      : undefined) ??
    problemInside(value, by, at)
  );
}

function problemInside(value: JsonValue, by: JsonObject, at: string): string | undefined {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (items.length < number(by['minItems'], 0)) return `${at}: has too few elements`;
    if (items.length > number(by['maxItems'], Infinity)) return `${at}: has too many elements`;
    const schemaOfItems = by['items'];
    if (!isJsonObject(schemaOfItems)) return undefined;
    return first([...items.entries()], ([index, item]) => problem(item, schemaOfItems, `${at}/${index}`));
  }
  if (!isJsonObject(value)) return undefined;
  const missing = textsIn(by['required']).find((key) => value[key] === undefined);
  if (missing !== undefined) return `${at}: has no ${missing}`;
  const properties = isJsonObject(by['properties']) ? by['properties'] : {};
  const dependent = isJsonObject(by['dependentRequired']) ? by['dependentRequired'] : {};
  return first(Object.entries(value), ([key, member]) => {
    if (member === undefined) return undefined;
    const absent = textsIn(dependent[key]).find((other) => value[other] === undefined);
    if (absent !== undefined) return `${at}: has no ${absent}`;
    const own = properties[key] ?? by['additionalProperties'];
    if (own === false) return `${at}/${key}: is not known`;
    return isJsonObject(own) ? problem(member, own, `${at}/${key}`) : undefined;
  });
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const on = { types: ['dataset'] };

describe('the JSON Schema of definitions', () => {
  for (const { id, definition } of pack.filter((test) => test.id !== 'GO020')) {
    it(`accepts ${id}`, () => {
      assert.equal(problem(definition, schema), undefined);
    });
  }

  it('accepts every conformance vector in the current form that is valid, and none that is not', () => {
    const dialects = new Set(['V39', 'V40']);
    for (const vector of vectors.filter(({ id }) => !dialects.has(id))) {
      const definition = vector.test ?? { on, rules: vector.rules ?? [] };
      const isAccepted = problem(definition, schema) === undefined;
      assert.equal(isAccepted, !vector.expect.startsWith('MT'), vector.id);
    }
  });

  const refused: Record<string, JsonValue> = {
    'a misspelt aspect': { on, rules: [{ property: 'ownershp.owners', operator: 'exists' }] },
    'a misspelt aspect in a condition': {
      on: { ...on, conditions: { not: [{ property: 'globalTag.tags', operator: 'exists' }] } },
      rules: [],
    },
    'an unknown entity type': { on: { types: ['datset'] }, rules: [] },
    'values where there are none': { on, rules: [{ property: 'urn', operator: 'exists', values: ['x'] }] },
    'one value of two': {
      on,
      rules: [{ property: 'schemaFields.length', operator: 'between', values: ['1'] }],
    },
    'a forEach without satisfies': { on, rules: [{ forEach: 'columns' }] },
    'a ratio beyond 1': {
      on,
      rules: [
        {
          forEach: 'columns',
          satisfies: { property: 'name', operator: 'exists' },
          quantifier: 'atLeast',
          ratio: 2,
        },
      ],
    },
    'an unknown action': { on, rules: [], actions: { passing: [{ type: 'add_tag' }] } },
    'a misspelt list of actions': { on, rules: [], actions: { pass: [] } },
    'an unknown severity': { on, rules: [{ property: 'urn', operator: 'exists', severity: 'fatal' }] },
  };
  for (const [what, definition] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      assert.notEqual(problem(definition, schema), undefined);
    });
  }

  it('offers only properties that resolve, as they are written', () => {
    const paths = propertyPaths();
    assert.ok(paths.length > 900, `${paths.length}`);
    for (const path of paths) {
      const findings: Findings = { issues: [], notes: [], extensions: new Set() };
      assert.equal(resolvePath(path, findings, '')?.text, path);
      assert.deepEqual(findings.issues, [], path);
    }
  });
});
