import type { JsonObject } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { keyBodyOf, requireEntityType } from '../entity/entity-registry.ts';
import { parseUrn, type Urn, urnType } from '../urn/urn.ts';
import type { SeededRandom } from '../../test/reliability/seeded-random.ts';
import type { SearchCriterion, SearchFilter } from './search-engine.ts';

/** Random writes and questions over few names and words, so that much is found, and by several of them. */

const vocabulary = [
  'order',
  'orders',
  'Customer',
  'OrderDetails',
  'ordre',
  'shop',
  'a',
  'über',
  '2024',
  'x_y',
];
const tags = ['pii', 'gold', 'order'].map((id) => `urn:li:tag:${id}`);
const terms = ['Shop.Order', 'Shop.Customer', 'Finance.Revenue'].map((id) => `urn:li:glossaryTerm:${id}`);
const nodes = ['Shop', 'Finance', 'Deep'].map((id) => `urn:li:glossaryNode:${id}`);
const owners = ['ana', 'ben'].map((id) => `urn:li:corpuser:${id}`);
const domains = ['sales', 'ops', 'eu'].map((id) => `urn:li:domain:${id}`);
const datasets = Array.from({ length: 25 }, (_, index) => {
  const name = `shop.${vocabulary[index % vocabulary.length]}_${index % 7}`;
  return `urn:li:dataset:(urn:li:dataPlatform:${index % 2 === 0 ? 'hive' : 'kafka'},${name},${index % 3 === 0 ? 'DEV' : 'PROD'})`;
});
const all = [...datasets, ...tags, ...terms, ...nodes, ...owners, ...domains];

export const searchedTestTypes = ['dataset', 'tag', 'glossaryTerm', 'glossaryNode', 'corpuser', 'domain'];

type Writes = readonly {
  readonly urn: Urn;
  readonly aspect: string;
  readonly body: JsonObject | undefined;
}[];

/** Stores or removes aspects as they are given, all or nothing. */
export const writeAspects: Command<Writes, true> = {
  name: 'writeAspects',
  demands: () => [],
  decide: async (_view, writes) => ({ writes, result: true }),
};

/** A write that changes one entity, or takes it away. */
export function randomWrites(random: SeededRandom): Writes {
  const urn = parseUrn(random.pick(all));
  const key = { urn, aspect: requireEntityType(urnType(urn)).keyAspect, body: keyBodyOf(urn) };
  if (random.between(0, 9) === 0) return [{ ...key, body: undefined }];
  const [aspect, body] = random.pick(aspectsOf(urnType(urn), random));
  return body === undefined ? [key] : [key, { urn, aspect, body }];
}

function textOf(random: SeededRandom, words: number): string {
  return Array.from({ length: random.between(1, words) }, () => random.pick(vocabulary)).join(
    random.pick([' ', '_', '. ']),
  );
}

function some<T>(random: SeededRandom, from: readonly T[]): readonly T[] {
  return from.filter(() => random.between(0, 2) === 0);
}

type Draft = readonly [aspect: string, body: JsonObject | undefined];

function aspectsOf(type: string, random: SeededRandom): readonly Draft[] {
  const name = textOf(random, 2);
  const description = textOf(random, 8);
  const parent = random.between(0, 1) === 0 ? {} : { parentNode: random.pick(nodes) };
  switch (type) {
    case 'dataset':
      return [...datasetAspects(name, description, random), ...attachments(random)];
    case 'tag':
      return [['tagProperties', { name, description }]];
    case 'glossaryTerm':
      return [
        ['glossaryTermInfo', { name, definition: description, termSource: 'INTERNAL', ...parent }],
        ...attachments(random).filter(([aspect]) => aspect !== 'globalTags' && aspect !== 'glossaryTerms'),
      ];
    case 'glossaryNode':
      return [['glossaryNodeInfo', { name, definition: description, ...parent }]];
    case 'domain':
      return [
        [
          'domainProperties',
          { name, ...(random.between(0, 1) === 0 ? {} : { parentDomain: random.pick(domains) }) },
        ],
      ];
    default:
      return [['corpUserInfo', { active: true, displayName: name, email: 'ana@example.org' }]];
  }
}

function datasetAspects(name: string, description: string, random: SeededRandom): readonly Draft[] {
  return [
    [
      'datasetProperties',
      { name, description, customProperties: { env: random.pick(['PROD', 'DEV']) }, tags: [] },
    ],
    ['editableDatasetProperties', { description: textOf(random, 3) }],
    ['subTypes', { typeNames: some(random, ['View', 'Table']) }],
    ['browsePathsV2', { path: some(random, ['shop', 'Default', 'orders']).map((id) => ({ id })) }],
    [
      'upstreamLineage',
      {
        upstreams: some(random, datasets.slice(0, 4)).map((dataset) => ({
          dataset,
          type: 'TRANSFORMED',
          auditStamp: { time: 0, actor: owners[0] ?? '' },
        })),
      },
    ],
    [
      'editableSchemaMetadata',
      {
        editableSchemaFieldInfo: [
          { fieldPath: 'c', globalTags: { tags: some(random, tags).map((tag) => ({ tag })) } },
        ],
      },
    ],
  ];
}

function attachments(random: SeededRandom): readonly Draft[] {
  const auditStamp = { time: 0, actor: owners[0] ?? '' };
  return [
    ['globalTags', { tags: some(random, tags).map((tag) => ({ tag })) }],
    ['glossaryTerms', { terms: some(random, terms).map((urn) => ({ urn })), auditStamp }],
    ['ownership', { owners: some(random, owners).map((owner) => ({ owner, type: 'DATAOWNER' })) }],
    ['domains', { domains: some(random, domains).slice(0, 1) }],
    ['status', { removed: random.between(0, 1) === 0 }],
    ['deprecation', { deprecated: random.between(0, 1) === 0, note: '', actor: owners[0] ?? '' }],
  ];
}

/** Fields of every kind with values that may be there, and values that never are. */
const asked: readonly (readonly [field: string, values: readonly string[]])[] = [
  ['tags', [...tags, 'urn:li:tag:never']],
  ['tags.keyword', tags],
  ['fieldTags', tags],
  ['glossaryTerms', [...terms, ...nodes]],
  ['owners', owners],
  ['domains', domains],
  ['platform', ['urn:li:dataPlatform:hive', 'urn:li:dataPlatform:kafka']],
  ['origin', ['PROD', 'DEV']],
  ['typeNames', ['View', 'Table']],
  ['removed', ['true', 'false']],
  ['deprecated', ['true', 'false']],
  ['hasTags', ['true', 'false']],
  ['hasDescription', ['true']],
  ['parentNode', nodes],
  ['_entityType', ['DATASET', 'glossaryTerm', 'TAG']],
  ['name', ['order', 'orders', 'shop', 'Customer', 'shop.order_0']],
  ['description', ['order', 'shop']],
  ['customProperties', ['env=PROD', 'env=DEV']],
  ['upstreams', datasets.slice(0, 4)],
  ['urn', all],
  ['browsePathV2', ['\u241fDefault', '\u241fshop', '\u241f']],
];

const testConditions: readonly SearchCriterion['condition'][] = [
  'EQUAL',
  'EQUAL',
  'IN',
  'IEQUAL',
  'CONTAIN',
  'EXISTS',
  'START_WITH',
  'END_WITH',
  'GREATER_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'DESCENDANTS_INCL',
  'ANCESTORS_INCL',
];

export function randomFilter(random: SeededRandom): SearchFilter {
  return Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () =>
    Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => {
      const [field, values] = random.pick(asked);
      return {
        field,
        condition: random.pick(testConditions),
        values: Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 2]) }, () => random.pick(values)),
        negated: random.between(0, 3) === 0,
      };
    }),
  );
}

export function randomText(random: SeededRandom): string {
  const words = Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => {
    const word = random.pick([...vocabulary, 'hive', 'pii', 'gold', 'never', 'ana']);
    return random.between(0, 1) === 0 ? word : word.slice(0, random.between(1, word.length)).toUpperCase();
  });
  return words.join(' ') + random.pick(['', '', ' ', '"']);
}
