import type { JsonObject } from '../src/aspect/json.ts';
import { parseUrn, type Urn } from '../src/urn/urn.ts';

/** Terms that datasets bear from the start; the ones above are there to be added by the benchmark of writes. */
export const attachedTerms = 5_000;
export const addableTerms = 200;

const owners = 1_000;
const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:etl' };
const subjects =
  'order customer payment shipment invoice refund product basket visit session campaign supplier warehouse return'.split(
    ' ',
  );
const words = (
  'daily gross net regional currency converted adjusted before after tax from the ledger of each closed period counted ' +
  'once per account as agreed with finance and kept for audit until replaced by a later correction or removed on request'
).split(' ');

/** Numbers from 0 to 1 that are the same for a seed on every machine (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** All URNs of datasets are of one length, so that requests and answers of different datasets are of one size. */
export function datasetUrn(number: number): Urn {
  const digits = String(number).padStart(7, '0');
  return parseUrn(
    `urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.s${digits.slice(0, 4)}.t${digits},PROD)`,
  );
}

export function termUrn(number: number): Urn {
  return parseUrn(`urn:li:glossaryTerm:Finance.T${String(number).padStart(4, '0')}`);
}

export function termInfo(number: number): JsonObject {
  const random = randomNumbers(number + 1_000_000_007);
  return {
    name: `${pick(subjects, random)} ${pick(words, random)} ${number}`,
    definition: sentence(random, 14),
    termSource: 'INTERNAL',
  };
}

/** The four aspects of a dataset, made from its number alone; 50 columns make a schema of about 12 kB. */
export function datasetAspects(number: number, columns: number): Readonly<Record<string, JsonObject>> {
  const random = randomNumbers(number);
  const urns = new Set<string>();
  while (urns.size < 3) urns.add(termUrn(Math.floor(random() * attachedTerms)));
  const owner = (): string => `urn:li:corpuser:user${Math.floor(random() * owners)}`;
  return {
    datasetProperties: {
      name: `t${number}`,
      description: sentence(random, 24),
      customProperties: { team: pick(subjects, random), retention: `${Math.floor(random() * 365)} days` },
    },
    schemaMetadata: schema(number, columns, random),
    glossaryTerms: { terms: [...urns].map((urn) => ({ urn })), auditStamp: stamp },
    ownership: {
      owners: [
        { owner: owner(), type: 'TECHNICAL_OWNER' },
        { owner: `${owner()}.b`, type: 'BUSINESS_OWNER' },
      ],
      lastModified: stamp,
    },
  };
}

function schema(number: number, columns: number, random: () => number): JsonObject {
  const fields = Array.from({ length: columns }, (_, index) => ({
    fieldPath: `${pick(subjects, random)}_${pick(words, random)}_${index}`,
    nullable: random() < 0.5,
    description: sentence(random, 13),
    type: { type: { 'com.linkedin.schema.StringType': {} } },
    nativeDataType: 'VARCHAR(255)',
    recursive: false,
    isPartOfKey: index === 0,
  }));
  return {
    schemaName: `analytics.t${number}`,
    platform: 'urn:li:dataPlatform:snowflake',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields,
  };
}

export function sentence(random: () => number, length: number): string {
  let text: string = pick(subjects, random);
  for (let index = 1; index < length; index += 1) text += ` ${pick(words, random)}`;
  return text;
}

function pick(list: readonly string[], random: () => number): string {
  return list[Math.floor(random() * list.length)] ?? '';
}
