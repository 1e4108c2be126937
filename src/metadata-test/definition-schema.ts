import { entityTypes } from '../entity/entity-registry.ts';
import { actionKinds } from './actions.ts';
import { propertyPaths, testableAspects } from './catalogue-paths.ts';
import { columnShape } from './columns.ts';
import { maxExemptionDays } from './exemption/exemption-policy.ts';
import { operators } from './operators.ts';
import { virtualProperties } from './predicate.ts';
import { isTestable } from './property-catalogue.ts';
import { operatorAliases } from './read-leaf.ts';
import { maxGraceDays } from './read-keys.ts';
import { severities } from './read-rules.ts';
import { maxWeight, testLevels } from './score/score-keys.ts';
import { maxLeaves, maxOperands, maxPathLength } from './reading-state.ts';
import { maxLineageHops } from './property-path.ts';

type Schema = { readonly [keyword: string]: unknown };

const text: Schema = { type: 'string' };
const reference = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const oneOrMore = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'array', items: schema }] });

/**
 * A definition as JSON Schema (2020-12), made from the operators, the registry and the aspect shapes, so that editors
 * complete and check while people type. It describes the current form; older dialects are read as well, and everything
 * that a schema cannot say is said by validation.
 */
export function definitionSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Metadata test',
    description: 'Which entities a test is for, and what must hold of them.',
    type: 'object',
    required: ['on', 'rules'],
    properties: {
      on: {
        type: 'object',
        required: ['types'],
        properties: {
          types: { type: 'array', items: { enum: typeNames() }, description: 'The entity types in scope.' },
          conditions: {
            ...reference('predicate'),
            description: 'Which entities of these types are in scope.',
          },
        },
      },
      rules: {
        ...oneOrMore(reference('rule')),
        description: 'What must hold; [] passes everything in scope.',
      },
      actions: {
        type: 'object',
        properties: { passing: reference('actions'), failing: reference('actions') },
        additionalProperties: false,
      },
      params: {
        type: 'object',
        description: 'Values by name: values say "${name}".',
        additionalProperties: { anyOf: [reference('constant'), reference('boundParameter')] },
      },
      version: { const: 1, description: 'Of the extended language.' },
      severity: reference('severity'),
      owners: { type: 'array', items: { type: 'string', pattern: '^urn:li:corp(?:user|Group):' } },
      fixtures: { type: 'array', items: { type: 'object' } },
      exemptionPolicy: {
        type: 'object',
        properties: {
          allowed: { type: 'boolean', description: 'false: there are no exemptions.' },
          maxDays: { type: 'integer', minimum: 1, maximum: maxExemptionDays },
        },
      },
      actionPolicy: {
        type: 'object',
        properties: { removeOnlyOwn: { type: 'boolean' }, maxEntities: { type: 'integer', minimum: 1 } },
      },
      siblings: {
        enum: ['separate', 'merge'],
        description: 'merge: an entity is judged together with its siblings.',
      },
      graceDays: {
        type: 'integer',
        minimum: 0,
        maximum: maxGraceDays,
        description: 'For how many days an entity that begins to fail is pending.',
      },
      schedule: {
        anyOf: [
          { type: 'string', pattern: '^\\s*\\S+(?:\\s+\\S+){4}\\s*$' },
          {
            type: 'object',
            required: ['interval'],
            properties: { interval: { enum: ['DAILY', 'NONE'] } },
          },
        ],
        description: 'Cron, five fields, UTC: when everything in scope is evaluated.',
      },
      weight: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: maxWeight,
        description: 'In scores; 1 when absent.',
      },
      level: { enum: testLevels, description: 'An entity has a level when all tests of it and below pass.' },
      target: {
        type: 'object',
        required: ['passRate', 'by'],
        properties: {
          passRate: { type: 'number', minimum: 0, maximum: 1 },
          by: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
          owner: { type: 'string', pattern: '^urn:li:corp(?:user|Group):' },
        },
        description: 'The share that shall pass, and by which day.',
      },
    },
    $defs: {
      scalar: { type: ['string', 'number', 'boolean'] },
      constant: oneOrMore(reference('scalar')),
      boundParameter: {
        type: 'object',
        required: ['default', 'bindings'],
        properties: {
          default: reference('constant'),
          bindings: {
            type: 'array',
            items: {
              type: 'object',
              required: ['when', 'value'],
              properties: { when: reference('predicate'), value: reference('constant') },
            },
            description: 'The first whose predicate holds gives the value, else the default.',
          },
        },
        additionalProperties: false,
      },
      severity: { enum: severities, description: 'Only rules of severity error decide the verdict.' },
      rule: {
        ...reference('predicate'),
        type: 'object',
        properties: {
          id: { ...text, minLength: 1, description: 'A name that stays when rules move.' },
          message: {
            ...text,
            description:
              'What to say when it does not hold; {{name}}, {{count}} and {{sample}} are filled in.',
          },
          docs: { ...text, pattern: '^https?://', description: 'A URL where people can read more.' },
          severity: reference('severity'),
        },
      },
      ...predicateSchemas('predicate', 'property'),
      ...predicateSchemas('elementPredicate', 'elementProperty'),
      property: propertySchema(),
      elementProperty: elementPropertySchema(),
      operator: operatorSchema(),
      actions: oneOrMore(reference('action')),
      action: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { enum: spellingsOf(Object.keys(actionKinds)) },
          values: oneOrMore({ type: ['string', 'number'] }),
        },
      },
    },
  };
}

function typeNames(): readonly string[] {
  const names = entityTypes().map((type) => type.name);
  const graphqlName = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  return names
    .filter(isTestable)
    .flatMap((name) => [name, graphqlName(name)])
    .toSorted();
}

function spellingsOf(ids: readonly string[]): readonly string[] {
  return [...ids, ...ids.map((id) => id.toUpperCase())];
}

/** The predicates about entities, or about elements of a `forEach`, which differ in their properties. */
function predicateSchemas(name: string, property: string): Schema {
  const predicate = reference(name);
  const operands = oneOrMore(predicate);
  return {
    [name]: {
      type: ['object', 'array'],
      items: predicate,
      maxItems: maxLeaves,
      properties: {
        property: reference(property),
        operator: reference('operator'),
        values: { ...oneOrMore(reference('scalar')), maxItems: maxOperands },
        and: { ...operands, description: 'All hold.' },
        or: { ...operands, description: 'One holds.' },
        not: { ...operands, description: 'None holds.' },
        negate: { type: 'boolean' },
        forEach: {
          anyOf: [{ enum: ['columns', 'lineage.upstream', 'lineage.downstream'] }, reference(property)],
          description: 'A collection, whose elements are asked one by one.',
        },
        where: { ...reference('elementPredicate'), description: 'Which elements count.' },
        satisfies: { ...reference('elementPredicate'), description: 'What is asked of them.' },
        quantifier: { enum: ['all', 'any', 'none', 'atLeast'] },
        ratio: { type: 'number', minimum: 0, maximum: 1 },
        count: { type: 'integer', minimum: 0 },
        hops: { type: 'integer', minimum: 1, maximum: maxLineageHops },
        onEmpty: { enum: ['fail', 'pass'] },
      },
      allOf: [implies({ type: 'object', required: ['operator', 'property'] }, { allOf: valueCounts() })],
      dependentRequired: { forEach: ['satisfies'], property: ['operator'] },
    },
  };
}

const counts = { none: [0, 0], one: [1, 1], two: [2, 2], several: [1, maxOperands] } as const;

/** How many values each operator takes. */
function valueCounts(): readonly Schema[] {
  return Object.entries(counts).map(([takes, [least, most]]) => {
    const ids = operators.filter((operator) => operator.takes === takes).map((operator) => operator.id);
    const values = { minItems: least, maxItems: most };
    const isTaken = { properties: { operator: { enum: spellingsOf(ids) } } };
    return implies(isTaken, { properties: { values }, ...(least === 0 ? {} : { required: ['values'] }) });
  });
}

function implies(condition: Schema, consequence: Schema): Schema {
  return { anyOf: [{ not: condition }, consequence] };
}

function operatorSchema(): Schema {
  const ids = operators.map((operator) => operator.id);
  const others = [...ids.map((id) => id.toUpperCase()), ...operatorAliases];
  return {
    anyOf: [
      ...operators.map(({ id, description }) => ({ const: id, description })),
      { enum: others, description: 'Other spellings.' },
    ],
  };
}

/** Names for completion; a pattern for what goes on behind URNs and into maps. */
function propertySchema(): Schema {
  const starts = [...testableAspects(), 'schemaFieldStructuredProperties', ...virtualProperties];
  const pattern = `^(?:${starts.map((start) => start.replaceAll('.', '\\.')).join('|')})(?:\\..+)?$`;
  return {
    ...text,
    maxLength: maxPathLength,
    description: 'The name of an aspect, then fields; behind a URN, an aspect of the entity it names.',
    anyOf: [{ enum: propertyPaths() }, { pattern }],
  };
}

/** Where paths start from elements, any field may stand; those of columns are offered. */
function elementPropertySchema(): Schema {
  return {
    ...text,
    maxLength: maxPathLength,
    description:
      'Starts from the element; $root. leads to the entity under test, $value is the element itself.',
    anyOf: [
      { enum: [...columnShape.members.keys(), '$value'] },
      reference('property'),
      { pattern: '^\\$root\\..+$' },
      { minLength: 1 },
    ],
  };
}
