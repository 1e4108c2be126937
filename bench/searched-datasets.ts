import { join } from 'node:path';
import type { JsonObject } from '../src/aspect/json.ts';
import { type Catalogue, openCatalogue } from '../src/catalogue.ts';
import type { Proposal } from '../src/ingest/proposal.ts';
import { parseUrn, type Urn } from '../src/urn/urn.ts';
import { codeDigest, datasetsPerCommand, keptStore, loadAll, proposal } from './generator.ts';
import { randomNumbers } from './sample-datasets.ts';

/** Entities to be searched: texts of a vocabulary whose words are as unevenly frequent as those of a language. */
const vocabulary = 20_000;
const platforms = ['snowflake', 'hive', 'kafka', 'bigquery', 'postgres', 'looker', 'dbt', 'redshift'];
const [terms, tags, owners, domains] = [5_000, 50, 1_000, 30] as const;
const columns = 5;
const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:etl' };
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu'.split(' ');

/** Word number `rank` of the vocabulary, the most frequent one first. */
function word(rank: number): string {
  let text = '';
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length] ?? '';
  return text;
}

/** A word of running text: rank r is drawn about 1/r as often as the first. */
function frequentWord(random: () => number): string {
  return word(Math.floor(vocabulary ** random()) - 1);
}

/** A word of a name, which is chosen to tell things apart: all are drawn about as often. */
function distinctWord(random: () => number): string {
  return word(Math.floor(random() * vocabulary));
}

function text(random: () => number, length: number): string {
  return Array.from({ length }, () => frequentWord(random)).join(' ');
}

function nameOf(random: () => number): readonly string[] {
  return [frequentWord(random), distinctWord(random), ...(random() < 0.5 ? [distinctWord(random)] : [])];
}

function datasetName(number: number): readonly string[] {
  return nameOf(randomNumbers(number + 77_000_000));
}

export function searchedUrn(number: number): Urn {
  const platform = platforms[number % platforms.length] ?? '';
  return parseUrn(
    `urn:li:dataset:(urn:li:dataPlatform:${platform},shop.${datasetName(number).join('_')}_${number},PROD)`,
  );
}

/** The aspects of a dataset, made from its number alone. */
export function searchedAspects(number: number): Readonly<Record<string, JsonObject>> {
  const random = randomNumbers(number + 5_000_000);
  const below = (count: number): number => Math.floor(random() * count);
  const fields = Array.from({ length: columns }, (_, index) => ({
    fieldPath: `${frequentWord(random)}_${distinctWord(random)}_${index}`,
    nullable: true,
    description: text(random, 5),
    type: { type: { 'com.linkedin.schema.StringType': {} } },
    nativeDataType: 'VARCHAR(255)',
    recursive: false,
  }));
  return {
    datasetProperties: {
      name: `${datasetName(number).join('_')}_${number}`,
      description: text(random, 12),
      customProperties: { env: 'PROD' },
    },
    subTypes: { typeNames: [number % 3 === 0 ? 'View' : 'Table'] },
    globalTags: { tags: [{ tag: `urn:li:tag:t${below(tags)}` }] },
    domains: { domains: [`urn:li:domain:d${below(domains)}`] },
    glossaryTerms: {
      terms: [below(terms), below(terms)].map((term) => ({ urn: `urn:li:glossaryTerm:Shop.T${term}` })),
      auditStamp: stamp,
    },
    ownership: {
      owners: [{ owner: `urn:li:corpuser:u${below(owners)}`, type: 'TECHNICAL_OWNER' }],
      lastModified: stamp,
    },
    schemaMetadata: {
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields,
    },
  };
}

/** One to three words, as somebody types who looks for a dataset or remembers what is in it. */
export function searchedText(number: number, datasets: number): string {
  const random = randomNumbers(number + 9_000_000);
  const name = datasetName(Math.floor(random() * datasets));
  const kind = random();
  if (kind < 0.5) return name.slice(1).join(' ');
  if (kind < 0.8) return name.join(' ');
  return text(random, 1 + Math.floor(random() * 3));
}

/** Every beginning of a name, as it is typed. */
export function typedTexts(number: number, datasets: number): readonly string[] {
  const random = randomNumbers(number + 13_000_000);
  const name = datasetName(Math.floor(random() * datasets)).join('_');
  return Array.from({ length: Math.min(name.length, 12) }, (_, index) => name.slice(0, index + 1));
}

function* proposalsOf(datasets: number): Iterable<readonly Proposal[]> {
  const surroundings: Proposal[] = [];
  for (let number = 0; number < terms; number += 1) {
    const random = randomNumbers(number + 3_000_000);
    const info = { name: nameOf(random).join(' '), definition: text(random, 10), termSource: 'INTERNAL' };
    surroundings.push(proposal(parseUrn(`urn:li:glossaryTerm:Shop.T${number}`), 'glossaryTermInfo', info));
  }
  for (let number = 0; number < tags; number += 1)
    surroundings.push(proposal(parseUrn(`urn:li:tag:t${number}`), 'tagProperties', { name: `t${number}` }));
  for (let number = 0; number < domains; number += 1) {
    const urn = parseUrn(`urn:li:domain:d${number}`);
    surroundings.push(proposal(urn, 'domainProperties', { name: `Domain ${number}` }));
  }
  yield surroundings;
  for (let first = 0; first < datasets; first += datasetsPerCommand) {
    const proposals: Proposal[] = [];
    for (let number = first; number < Math.min(first + datasetsPerCommand, datasets); number += 1) {
      for (const [aspect, body] of Object.entries(searchedAspects(number)))
        proposals.push(proposal(searchedUrn(number), aspect, body));
    }
    yield proposals;
  }
}

/** Loads the datasets and what they refer to into an open catalogue. */
export function fillSearched(
  catalogue: Catalogue,
  datasets: number,
  say: (text: string) => void,
): Promise<void> {
  return loadAll(catalogue, proposalsOf(datasets), datasets, say);
}

/** A store of datasets to be searched; kept between runs like every generated store. */
export function searchedStore(data: string, datasets: number, say: (text: string) => void): Promise<string> {
  return keptStore({
    folder: join(data, `store-${datasets}-searched-datasets`),
    made: { datasets, code: codeDigest(searchedAspects(0)) },
    async fill(folder) {
      const catalogue = await openCatalogue(folder);
      try {
        await fillSearched(catalogue, datasets, say);
      } finally {
        await catalogue.engine.idle();
        await catalogue.store.close();
      }
    },
  });
}
