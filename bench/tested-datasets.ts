import type { JsonObject } from '../src/aspect/json.ts';
import { parseUrn, type Urn } from '../src/urn/urn.ts';
import { datasetUrn, randomNumbers, sentence } from './sample-datasets.ts';

/** What the generated tests ask about: so many of each there are. */
export const tags = 10_000;
export const domains = 40;
export const terms = 2_000;
export const termGroups = 50;
export const users = 5_000;

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:etl' };

export function tagUrn(number: number): Urn {
  return parseUrn(`urn:li:tag:T${number}`);
}

export function domainUrn(number: number): Urn {
  return parseUrn(`urn:li:domain:d${number}`);
}

export function testedTermUrn(number: number): Urn {
  return parseUrn(`urn:li:glossaryTerm:Business.B${number}`);
}

export function termGroupUrn(number: number): Urn {
  return parseUrn(`urn:li:glossaryNode:Group${number}`);
}

/**
 * Everything the datasets refer to: domains in a tree of two levels below `d0`, terms in groups, groups below `Group0`.
 * Tags and users need no aspects of their own.
 */
export function* surroundings(): Generator<readonly [urn: Urn, aspect: string, body: JsonObject]> {
  for (let number = 0; number < domains; number += 1) {
    const parent = number === 0 ? {} : { parentDomain: domainUrn(number < 8 ? 0 : number % 8) };
    yield [domainUrn(number), 'domainProperties', { name: `Domain ${number}`, ...parent }];
  }
  for (let number = 0; number < termGroups; number += 1) {
    const parent = number === 0 ? {} : { parentNode: termGroupUrn(0) };
    yield [termGroupUrn(number), 'glossaryNodeInfo', { name: `Group ${number}`, definition: '', ...parent }];
  }
  for (let number = 0; number < terms; number += 1) {
    const body = {
      name: `B${number}`,
      definition: sentence(randomNumbers(number), 12),
      termSource: 'INTERNAL',
      parentNode: termGroupUrn(number % termGroups),
    };
    yield [testedTermUrn(number), 'glossaryTermInfo', body];
  }
}

/**
 * The aspects of a dataset as a catalogue that is half tidy has them, made from its number alone: four of five are owned,
 * three of five in a domain, 85 of 100 columns described, and so on. Aspects that would be empty are left out.
 */
export function testedAspects(number: number, columns: number): Readonly<Record<string, JsonObject>> {
  const random = randomNumbers(number + 77_000_000);
  const below = (limit: number): number => Math.floor(random() * limit);
  const aspects: Record<string, JsonObject> = {
    datasetProperties: {
      name: `t${number}`,
      ...(random() < 0.7 ? { description: sentence(random, 2 + below(12)) } : {}),
    },
    dataPlatformInstance: {
      platform: `urn:li:dataPlatform:${random() < 0.6 ? 'snowflake' : 'postgres'}`,
    },
    schemaMetadata: schema(number, columns, random),
  };
  if (random() < 0.8) {
    const owners = Array.from({ length: 1 + below(3) }, (_, index) => ({
      owner: `urn:li:corpuser:u${below(users)}`,
      type: index === 0 ? 'TECHNICAL_OWNER' : 'BUSINESS_OWNER',
    }));
    aspects['ownership'] = { owners, lastModified: stamp };
  }
  if (random() < 0.6) aspects['domains'] = { domains: [domainUrn(below(domains))] };
  if (random() < 0.5) {
    // Half of the uses are of the first hundred tags, as people go by what they see.
    const some = new Set(Array.from({ length: 1 + below(3) }, () => below(random() < 0.5 ? 100 : tags)));
    aspects['globalTags'] = { tags: [...some].map((tag) => ({ tag: tagUrn(tag) })) };
  }
  if (random() < 0.5) {
    const some = new Set(Array.from({ length: 1 + below(2) }, () => below(terms)));
    aspects['glossaryTerms'] = {
      terms: [...some].map((term) => ({ urn: testedTermUrn(term) })),
      auditStamp: stamp,
    };
  }
  if (random() < 0.05) {
    aspects['deprecation'] = { deprecated: true, note: 'replaced', actor: 'urn:li:corpuser:etl' };
  }
  if (random() < 0.4 && number > 0) {
    aspects['upstreamLineage'] = {
      upstreams: [{ dataset: datasetUrn(below(number)), type: 'TRANSFORMED', auditStamp: stamp }],
    };
  }
  return aspects;
}

function schema(number: number, columns: number, random: () => number): JsonObject {
  const isTidy = random() < 0.6;
  const fields = Array.from({ length: columns }, (_, index) => {
    const isPersonal = random() < 0.04;
    return {
      fieldPath: `c${index}_${Math.floor(random() * 1_000)}`,
      nullable: true,
      ...(isTidy || random() < 0.7 ? { description: sentence(random, 3) } : {}),
      ...(isPersonal ? { globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] } } : {}),
      ...(isPersonal && random() < 0.7
        ? { glossaryTerms: { terms: [{ urn: testedTermUrn(index % 20) }], auditStamp: stamp } }
        : {}),
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: index % 3 === 0 ? 'NUMBER' : 'VARCHAR',
    };
  });
  return {
    schemaName: `t${number}`,
    platform: 'urn:li:dataPlatform:snowflake',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields,
  };
}

/** Definition number `number`: ten shapes, taken from the rule pack and what teams ask for most, each with other operands. */
export function testDefinition(number: number): JsonObject {
  const variant = Math.floor(number / shapes.length);
  const { conditions, rules } = shapes[number % shapes.length]?.(variant) ?? { conditions: [], rules: [] };
  return { on: { types: ['dataset'], conditions }, rules };
}

/** A test for the few datasets with one tag, as governance teams keep hundreds of. */
export function narrowDefinition(number: number): JsonObject {
  return {
    on: {
      types: ['dataset'],
      conditions: [leaf('globalTags.tags.tag', 'contains_any', tagUrn(number % tags))],
    },
    rules: [leaf('ownership.owners.owner', 'exists'), leaf('domains.domains', 'exists')],
  };
}

type Parts = { readonly conditions: readonly JsonObject[]; readonly rules: readonly JsonObject[] };

function leaf(property: string, operator: string, ...values: readonly string[]): JsonObject {
  return values.length === 0 ? { property, operator } : { property, operator, values };
}

const described = (length: number): JsonObject => ({
  or: [
    leaf('editableDatasetProperties.description', 'regex_match', `^(?s).{${length},}$`),
    leaf('datasetProperties.description', 'regex_match', `^(?s).{${length},}$`),
  ],
});

const shapes: readonly ((variant: number) => Parts)[] = [
  (variant) => ({
    conditions: [leaf('globalTags.tags.tag', 'contains_any', tagUrn(variant))],
    rules: [
      leaf('ownership.owners.owner', 'exists'),
      leaf('domains.domains', 'exists'),
      described(20),
      leaf('schemaFields', 'schema_fields_have_descriptions'),
    ],
  }),
  (variant) => ({
    conditions: [leaf('dataPlatformInstance.platform', 'equals', 'urn:li:dataPlatform:snowflake')],
    rules: [leaf('ownership.owners.owner', 'count_at_least', String(1 + (variant % 3)))],
  }),
  (variant) => ({
    conditions: [leaf('domains.domains', 'within', domainUrn(variant % 8))],
    rules: [leaf('glossaryTerms.terms.urn', 'exists')],
  }),
  (variant) => ({
    conditions: [leaf('schemaMetadata.fields.globalTags.tags.tag', 'contains_any', 'urn:li:tag:PII')],
    rules: [
      {
        forEach: 'columns',
        where: leaf('tags', 'contains_any', 'urn:li:tag:PII'),
        satisfies: leaf('terms', 'within', termGroupUrn(variant % 10)),
      },
    ],
  }),
  (variant) => ({
    conditions: [],
    rules: [leaf('effective.description', 'min_length', String(10 + variant * 5))],
  }),
  (variant) => ({
    conditions: [{ not: [leaf('deprecation.deprecated', 'is_true')] }],
    rules: [
      leaf(
        `ownership.ownerTypes.urn:li:ownershipType:__system__${variant % 2 === 0 ? 'technical' : 'business'}_owner`,
        'exists',
      ),
    ],
  }),
  (variant) => ({
    conditions: [
      leaf('glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'equals', termGroupUrn(variant)),
    ],
    rules: [leaf('domains.domains', 'exists'), leaf('ownership.owners.owner', 'exists')],
  }),
  (variant) => ({
    conditions: [
      leaf(
        'globalTags.tags.tag',
        'contains_any',
        tagUrn(variant),
        tagUrn(variant + 20),
        tagUrn(variant + 40),
      ),
    ],
    rules: [leaf('schemaFields.length', 'less_than', String(50 + variant)), described(10)],
  }),
  (variant) => ({
    conditions: [leaf('schemaFields.length', 'greater_than', '0')],
    rules: [
      {
        forEach: 'columns',
        satisfies: leaf('description', 'exists'),
        quantifier: 'atLeast',
        ratio: 0.5 + (variant % 5) / 10,
      },
    ],
  }),
  (variant) => ({
    conditions: [leaf('upstreamLineage.upstreams', 'exists')],
    rules: [
      variant % 2 === 0 ? leaf('ownership.owners.owner', 'exists') : leaf('domains.domains', 'exists'),
      leaf('dataPlatformInstance.platform', 'exists'),
    ],
  }),
];
