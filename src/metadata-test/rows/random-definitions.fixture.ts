import fc from 'fast-check';
import type { JsonObject } from '../../aspect/json.ts';
import { pick } from './random-entities.fixture.ts';
import {
  tags,
  terms,
  nodes,
  domains,
  containers,
  owners,
  ownershipTypes,
  legacyTypes,
  platforms,
  instances,
  properties,
  upstreams,
} from './referred-world.fixture.ts';

type Kind = 'urn' | 'string' | 'number' | 'boolean' | 'record' | 'columns' | 'any';
type Property = readonly [path: string, kind: Kind, values: readonly string[]];

const strings = ['a', 'abc', 'VARCHAR', 'Table', 'CC-1204', '30', 'x'.repeat(20)];
const numbers = ['0', '1', '2', '3', '30', '30.5'];

const attached: readonly Property[] = [
  ['globalTags.tags.tag', 'urn', tags],
  ['globalTags.tags', 'record', []],
  ['globalTags', 'record', []],
  ['globalTags.tags.context', 'string', strings],
  ['globalTags.tags.tag.tagProperties.name', 'string', ['PII', 'a b']],
  ['globalTags.tags.tag.deprecation.deprecated', 'boolean', []],
  ['globalTags.tags.tag.ownership.owners.owner', 'urn', owners],
  ['glossaryTerms.terms.urn', 'urn', [...terms, ...nodes]],
  ['glossaryTerms.terms', 'record', []],
  ['glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'urn', nodes],
  ['glossaryTerms.terms.urn.glossaryTermInfo.name', 'string', ['Email', 'Lonely']],
  ['glossaryTerms.terms.urn.domains.domains', 'urn', domains],
  ['glossaryTerms.terms.urn.glossaryTermInfo.parentNode.glossaryNodeInfo.parentNode', 'urn', nodes],
  ['ownership.owners.owner', 'urn', owners],
  ['ownership.owners', 'record', []],
  ['ownership', 'record', []],
  ['ownership.owners.type', 'string', legacyTypes],
  ['ownership.owners.typeUrn', 'urn', ownershipTypes],
  ['ownership.owners.source.type', 'string', ['MANUAL']],
  ['ownership.owners.owner.corpUserInfo.active', 'boolean', []],
  ...ownershipTypes.map((type): Property => [`ownership.ownerTypes.${type}`, 'urn', owners]),
  ['domains.domains', 'urn', domains],
  ['domains.domains.domainProperties.parentDomain', 'urn', domains],
  ['domains.domains.ownership.owners.owner', 'urn', owners],
  ['subTypes.typeNames', 'string', ['Table', 'View', 'table', ' ']],
  ['subTypes', 'record', []],
  ['container.container', 'urn', containers],
  ['container', 'record', []],
  ['container.container.glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'urn', nodes],
  ['container.container.globalTags.tags.tag', 'urn', tags],
  ['container.container.container.container', 'urn', containers],
  ['dataPlatformInstance.platform', 'urn', platforms],
  ['dataPlatformInstance.instance', 'urn', instances],
  ['dataPlatformInstance', 'record', []],
  ['deprecation.deprecated', 'boolean', []],
  ['deprecation.note', 'string', strings],
  ['deprecation', 'record', []],
  ['deprecation.decommissionTime', 'number', numbers],
  ['status.removed', 'boolean', []],
  ...properties.map((urn): Property => [
    `structuredProperties.${urn}`,
    'any',
    [...strings, ...numbers, ...tags],
  ]),
  ['structuredProperties.properties.propertyUrn', 'urn', properties],
  ['structuredProperties.properties', 'record', []],
  ['entityType', 'any', ['dataset', 'container']],
  ['urn', 'string', ['random0', 'urn:li:']],
  ['effective.description', 'string', strings],
];

const ofDatasets: readonly Property[] = [
  ['datasetProperties.description', 'string', strings],
  ['datasetProperties', 'record', []],
  ['editableDatasetProperties.description', 'string', strings],
  ['schemaFields', 'columns', []],
  ['schemaFields.length', 'number', numbers],
  ['schemaMetadata.fields', 'record', []],
  ['schemaMetadata', 'record', []],
  ['schemaMetadata.fields.fieldPath', 'string', ['id', 'email']],
  ['schemaMetadata.fields.description', 'string', strings],
  ['schemaMetadata.fields.nativeDataType', 'string', ['VARCHAR', 'INT']],
  ['schemaMetadata.fields.globalTags.tags.tag', 'urn', tags],
  ['schemaMetadata.fields.globalTags', 'record', []],
  ['schemaMetadata.fields.glossaryTerms.terms.urn', 'urn', [...terms, ...nodes]],
  ['editableSchemaMetadata.editableSchemaFieldInfo.globalTags.tags.tag', 'urn', tags],
  ['editableSchemaMetadata.editableSchemaFieldInfo.description', 'string', strings],
  ['upstreamLineage.upstreams', 'record', []],
  ['upstreamLineage', 'record', []],
  ['upstreamLineage.upstreams.dataset', 'urn', upstreams],
  ['upstreamLineage.upstreams.dataset.deprecation.deprecated', 'boolean', []],
];

const ofOthers: readonly Property[] = [
  ['editableDashboardProperties.description', 'any', strings],
  ['editableMlModelProperties.description', 'any', strings],
  ['mlModelProperties.description', 'any', strings],
  ['editableContainerProperties.description', 'string', strings],
];

const everyProperty: readonly Property[] = [...attached, ...ofDatasets, ...ofOthers];

const patterns = [
  '^(?s).{20,}$',
  '(?s).{3,19}',
  '^(?s).{3}$',
  '(?s)^.*',
  '.{3,}',
  '.*a.*',
  'urn:li:.*',
  '^.*PII$',
  '^CC-[0-9]{4}$',
];

const several = (values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(pick(values.length === 0 ? ['x'] : values), { minLength: 1, maxLength: 3 });

type Operation = readonly [operator: string, values: fc.Arbitrary<string[]> | undefined];

function operationsOf(kind: Kind, values: readonly string[]): readonly Operation[] {
  const count = pick(['0', '1', '2', '3']).map((number) => [number]);
  const presence: Operation[] = [
    ['exists', undefined],
    ['is_empty', undefined],
  ];
  const counting: Operation[] = ['count_at_least', 'count_at_most', 'count_equals'].map((id) => [id, count]);
  const equality = (from: readonly string[]): Operation[] =>
    ['equals', 'not_equals', 'contains_any', 'contains_none', 'contains_all', 'subset_of'].map((id) => [
      id,
      several(from),
    ]);
  const numeric: Operation[] = [
    ...['greater_than', 'less_than', 'greater_or_equal', 'less_or_equal'].map((id): Operation => [
      id,
      pick(numbers).map((number) => [number]),
    ]),
    [
      'between',
      fc
        .tuple(pick(numbers), pick(numbers))
        .map(([low, high]) => [low, high].toSorted((a, b) => Number(a) - Number(b))),
    ],
  ];
  const textual: Operation[] = [
    ...['contains_str', 'starts_with', 'ends_with'].map((id): Operation => [
      id,
      several([...values, 'urn:li:', 'a', 'b']),
    ]),
    ['regex_match', several(patterns)],
    ...['min_length', 'max_length'].map((id): Operation => [
      id,
      pick(['0', '1', '3', '20']).map((number) => [number]),
    ]),
  ];
  const within: Operation[] = [['within', several(values)]];
  switch (kind) {
    case 'record':
      return [...presence, ...counting];
    case 'columns':
      return [...presence, ['schema_fields_have_descriptions', undefined]];
    case 'boolean':
      return [
        ...presence,
        ['is_true', undefined],
        ['is_false', undefined],
        ...equality(['true', 'false']),
        ...counting,
      ];
    case 'number':
      return [...presence, ...counting, ...equality(numbers), ...numeric];
    case 'urn':
      return [...presence, ...counting, ...equality(values), ...textual, ...within, ...within];
    case 'string':
      return [...presence, ...counting, ...equality(values), ...textual];
    case 'any':
      return [...presence, ...counting, ...equality(values), ...textual, ...numeric];
  }
}

function leafAbout([property, kind, values]: Property): fc.Arbitrary<JsonObject> {
  return fc
    .constantFrom(...operationsOf(kind, values))
    .chain(([operator, operands]): fc.Arbitrary<JsonObject> =>
      operands === undefined
        ? fc.constant({ property, operator })
        : operands.map((chosen) => ({ property, operator, values: chosen })),
    );
}

function leafOf(from: readonly Property[]): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...from).chain(leafAbout);
}

const clockLeaf: fc.Arbitrary<JsonObject> = fc.constantFrom(
  { property: '__lastSynchronized', operator: 'newer_than', values: ['P1D'] },
  { property: 'container.container.__lastSynchronized', operator: 'older_than', values: ['P1D'] },
);

/** Collections with what can be asked inside them. */
const collections: readonly (readonly [string, readonly Property[]])[] = [
  [
    'columns',
    [
      ['description', 'string', strings],
      ['nativeDataType', 'string', ['VARCHAR', 'INT', '']],
      ['tags', 'urn', tags],
      ['terms', 'urn', [...terms, ...nodes]],
      ['terms.glossaryTermInfo.parentNode', 'urn', nodes],
      ['tags.deprecation.deprecated', 'boolean', []],
      ['name', 'string', ['id', 'email']],
    ],
  ],
  [
    'ownership.owners',
    [
      ['owner', 'urn', owners],
      ['type', 'string', legacyTypes],
      ['typeUrn', 'urn', ownershipTypes],
      ['owner.corpUserInfo.active', 'boolean', []],
      ['source', 'record', []],
    ],
  ],
  [
    'ownership.owners.owner',
    [
      ['corpUserInfo.active', 'boolean', []],
      ['$value', 'urn', owners],
      ['entityType', 'any', ['corpuser']],
    ],
  ],
  [
    'globalTags.tags',
    [
      ['tag', 'urn', tags],
      ['context', 'string', strings],
      ['tag.tagProperties.name', 'string', ['PII']],
    ],
  ],
  [
    'globalTags.tags.tag',
    [
      ['deprecation.deprecated', 'boolean', []],
      ['ownership.owners.owner', 'urn', owners],
      ['$value', 'urn', tags],
    ],
  ],
  [
    'glossaryTerms.terms.urn',
    [
      ['glossaryTermInfo.parentNode', 'urn', nodes],
      ['domains.domains', 'urn', domains],
      ['$value', 'urn', [...terms, ...nodes]],
    ],
  ],
  [
    'domains.domains',
    [
      ['domainProperties.parentDomain', 'urn', domains],
      ['ownership.owners.owner', 'urn', owners],
    ],
  ],
  ['subTypes.typeNames', [['$value', 'string', ['Table', 'table', 'View']]]],
  [
    'container.container',
    [
      ['glossaryTerms.terms.urn', 'urn', terms],
      ['containerProperties.name', 'string', ['db']],
      ['deprecation.deprecated', 'boolean', []],
    ],
  ],
  [
    'container.container.globalTags.tags',
    [
      ['tag', 'urn', tags],
      ['context', 'string', strings],
    ],
  ],
  [`structuredProperties.${properties[0] ?? ''}`, [['$value', 'any', [...strings, ...numbers]]]],
  [
    'upstreamLineage.upstreams.dataset',
    [
      ['deprecation.deprecated', 'boolean', []],
      ['globalTags.tags.tag', 'urn', tags],
    ],
  ],
  ['upstreamLineage.upstreams', [['dataset', 'urn', upstreams]]],
  ['lineage.upstream', [['deprecation.deprecated', 'boolean', []]]],
  [
    'schemaMetadata.fields',
    [
      ['nativeDataType', 'string', ['VARCHAR']],
      ['description', 'string', strings],
    ],
  ],
];

const quantifier: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject[]>(
  {},
  { quantifier: 'any' },
  { quantifier: 'none' },
  { quantifier: 'atLeast', ratio: 0.5 },
  { quantifier: 'atLeast', ratio: 1 },
  { quantifier: 'atLeast', ratio: 0 },
  { quantifier: 'atLeast', ratio: 0.34 },
  { quantifier: 'atLeast', count: 0 },
  { quantifier: 'atLeast', count: 1 },
  { quantifier: 'atLeast', count: 2 },
);

const forEach: fc.Arbitrary<JsonObject> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant(collections[0]) },
    { weight: 3, arbitrary: fc.constantFrom(...collections) },
  )
  .chain((collection = ['columns', []]) => {
    const [path, properties] = collection;
    const escape: Property = ['$root.globalTags.tags.tag', 'urn', tags];
    const inside = boolean(
      fc.oneof({ weight: 12, arbitrary: leafOf(properties) }, { weight: 1, arbitrary: leafAbout(escape) }),
      1,
    );
    return fc
      .record(
        { satisfies: inside, where: inside, onEmpty: pick(['fail', 'pass']), quantifier },
        { requiredKeys: ['satisfies', 'quantifier'] },
      )
      .map(({ quantifier: how, ...rest }): JsonObject => ({ forEach: path, ...rest, ...how }));
  });

function boolean(leaf: fc.Arbitrary<JsonObject>, depth: number): fc.Arbitrary<JsonObject> {
  if (depth === 0) return leaf;
  const inner = boolean(leaf, depth - 1);
  const operands = fc.array(inner, { maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc.oneof(
        operands.map((and): JsonObject => ({ and })),
        operands.map((or): JsonObject => ({ or })),
        operands.map((not): JsonObject => ({ not })),
      ),
    },
  );
}

const node = fc.oneof(
  { weight: 9, arbitrary: leafOf(everyProperty) },
  { weight: 4, arbitrary: forEach },
  { weight: 1, arbitrary: clockLeaf },
);
const predicate = boolean(node, 2);

/** A definition as JSON; most are valid. `type` is mostly in scope. */
export function randomDefinition(type: string): fc.Arbitrary<JsonObject> {
  const rule = fc
    .tuple(predicate, fc.constantFrom<JsonObject[]>({}, {}, {}, { severity: 'warn' }))
    .map(([body, severity]): JsonObject => ({ ...body, ...severity }));
  return fc.record({
    on: fc.record({
      types: fc.oneof(
        { weight: 8, arbitrary: fc.constant([type]) },
        { weight: 1, arbitrary: fc.constant([type, 'chart']) },
        { weight: 1, arbitrary: fc.constant(['chart']) },
      ),
      conditions: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(predicate, { minLength: 1, maxLength: 2 }) },
      ),
    }),
    rules: fc.array(rule, { maxLength: 3 }),
  });
}
