import fc from 'fast-check';
import type { JsonObject } from '../../aspect/json.ts';
import { pick } from './random-entities.fixture.ts';
import { leafAbout, leafOf, numbers, type Property, strings } from './random-leaves.fixture.ts';
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

/** What is said about columns: where they are ingested, and where they are edited. */
const saidOfColumns: readonly Property[] = [
  ['fieldPath', 'string', ['id', 'email']],
  ['description', 'string', strings],
  ['globalTags', 'record', []],
  ['globalTags.tags', 'record', []],
  ['globalTags.tags.tag', 'urn', tags],
  ['globalTags.tags.context', 'string', strings],
  ['globalTags.tags.tag.deprecation.deprecated', 'boolean', []],
  ['glossaryTerms', 'record', []],
  ['glossaryTerms.terms', 'record', []],
  ['glossaryTerms.terms.urn', 'urn', [...terms, ...nodes]],
  ['glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'urn', nodes],
];

const ingestedColumns = 'schemaMetadata.fields';
const editedColumns = 'editableSchemaMetadata.editableSchemaFieldInfo';

const ofColumns: readonly Property[] = [
  ['schemaFields', 'columns', []],
  ['schemaFields.length', 'number', numbers],
  [`${ingestedColumns}.nativeDataType`, 'string', ['VARCHAR', 'INT']],
  ...[ingestedColumns, editedColumns].flatMap((path): Property[] => [
    [path, 'record', []],
    ...saidOfColumns.map(([member, kind, values]): Property => [`${path}.${member}`, kind, values]),
  ]),
];

const ofDatasets: readonly Property[] = [
  ['datasetProperties.description', 'string', strings],
  ['datasetProperties', 'record', []],
  ['editableDatasetProperties.description', 'string', strings],
  ['schemaMetadata', 'record', []],
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

const everyProperty: readonly Property[] = [...attached, ...ofDatasets, ...ofColumns, ...ofOthers];

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
  [ingestedColumns, [['nativeDataType', 'string', ['VARCHAR']], ...saidOfColumns]],
  [editedColumns, saidOfColumns],
  [
    `${ingestedColumns}.globalTags.tags`,
    [
      ['tag', 'urn', tags],
      ['context', 'string', strings],
    ],
  ],
  [`${editedColumns}.glossaryTerms.terms.urn`, [['glossaryTermInfo.parentNode', 'urn', nodes]]],
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

type Collection = (typeof collections)[number];

function forEachOf(of: fc.Arbitrary<Collection | undefined>): fc.Arbitrary<JsonObject> {
  return of.chain((collection = ['columns', []]) => {
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
}

const forEach = forEachOf(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(collections[0]) },
    { weight: 3, arbitrary: fc.constantFrom(...collections) },
  ),
);

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

const columnCollections = collections.filter(
  ([path]) => path === 'columns' || path.startsWith(ingestedColumns) || path.startsWith(editedColumns),
);

/** One rule for datasets as a definition in JSON, about nothing but columns. */
export const randomColumnDefinition: fc.Arbitrary<JsonObject> = boolean(
  fc.oneof(
    { weight: 3, arbitrary: leafOf(ofColumns) },
    { weight: 2, arbitrary: forEachOf(fc.constantFrom(...columnCollections)) },
  ),
  1,
).map((rule): JsonObject => ({ on: { types: ['dataset'] }, rules: [rule] }));

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
