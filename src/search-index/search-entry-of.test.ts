import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { entryWordsMax, type SearchEntry, termsOf } from '../aspect/search-entry.ts';
import { aspectSpecOf, entityTypes, keyBodyOf } from '../entity/entity-registry.ts';
import { ingestRecords } from '../ingest/ingest-run.ts';
import { openRecordFile } from '../ingest/record-file.ts';
import { readSourceRecords } from '../ingest/record-source.ts';
import { createStoreSink } from '../ingest/store-sink.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { wordTextOfEntry } from './entry-words.ts';
import { searchEntryOf } from './search-entry-of.ts';
import { searchFieldNamed } from './search-fields.ts';
import { searchSources } from './search-sources.ts';
import { correctableWordsOf, nameWordTerm, valueTerm, wholeNameTerm, wordsOf } from './search-terms.ts';

const dataset = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');
const term = parseUrn('urn:li:glossaryTerm:Shop.Customer');

function entryOf(aspect: string, body: JsonObject, urn: Urn = dataset): SearchEntry {
  const entry = searchEntryOf(urn, aspect, body);
  assert.ok(entry !== undefined, `${aspect} contributes`);
  return entry;
}

function rankedWordsOf({ fields }: SearchEntry): readonly string[] {
  return wordTextOfEntry(fields)
    .split(' ')
    .filter((word) => word !== '');
}

/** What has to hold of every entry, whatever the aspect was. */
function assertSound(entry: SearchEntry): void {
  for (const [name, values] of Object.entries(entry.fields)) {
    assert.notEqual(searchFieldNamed(name), undefined, name);
    assert.equal(new Set(values).size, values.length, `${name} has each value once`);
    for (const value of values) assertStorable(value);
  }
  assert.ok(rankedWordsOf(entry).length <= entryWordsMax);
  let bytes = 0;
  for (const term of termsOf(entry)) {
    assertStorable(term);
    assert.ok(Buffer.byteLength(term) < 2046, 'no lexeme is too long');
    bytes += Buffer.byteLength(term) + 2;
  }
  assert.ok(bytes < 1_000_000, 'all of them fit into one tsvector');
  for (const word of rankedWordsOf(entry)) assert.match(word, /^[\p{L}\p{N}]+$/u);
}

function assertStorable(text: string): void {
  assert.equal(text.isWellFormed(), true);
  assert.equal(text.includes('\u0000'), false);
  assert.notEqual(text, '');
}

test('the key of an entity says that it exists, what it is called and where it comes from', () => {
  const entry = entryOf('datasetKey', keyBodyOf(dataset));
  assert.deepEqual(entry.fields, {
    id: ['shop.orders'],
    platform: ['urn:li:dataPlatform:hive'],
    origin: ['PROD'],
  });
  assert.deepEqual(rankedWordsOf(entry), ['shop', 'orders', 'hive', 'prod']);
  assert.deepEqual([...correctableWordsOf(termsOf(entry))], ['shop', 'orders']);
  for (const expected of [
    nameWordTerm('orders'),
    wholeNameTerm('shop.orders'),
    valueTerm('id', 'shop.orders'),
  ]) {
    assert.ok(termsOf(entry).has(expected), expected);
  }
});

test('every entity type has an entry for its key', () => {
  for (const { name, keyAspect, keyFields } of entityTypes()) {
    const body = Object.fromEntries(keyFields.map((field) => [field.name, field.isUrn ? dataset : 'x']));
    const entry = searchEntryOf(parseUrn(`urn:li:${name}:x`), keyAspect, body);
    assert.ok(entry !== undefined, name);
    assertSound(entry);
  }
});

test('charts, dashboards and pipelines are of the platform that their tool is', () => {
  for (const [text, aspect, platform] of [
    ['urn:li:chart:(looker,12)', 'chartKey', 'looker'],
    ['urn:li:dashboard:(tableau,12)', 'dashboardKey', 'tableau'],
    ['urn:li:dataFlow:(airflow,daily,prod)', 'dataFlowKey', 'airflow'],
    ['urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)', 'dataJobKey', 'airflow'],
  ] as const) {
    const urn = parseUrn(text);
    assert.deepEqual(entryOf(aspect, keyBodyOf(urn), urn).fields['platform'], [
      `urn:li:dataPlatform:${platform}`,
    ]);
  }
});

test('what is ingested and what people wrote are told apart, and either is a description', () => {
  assert.deepEqual(entryOf('datasetProperties', { name: 'Orders', description: 'All orders' }).fields, {
    name: ['Orders'],
    description: ['All orders'],
    hasDescription: ['true'],
  });
  assert.deepEqual(entryOf('editableDatasetProperties', { description: 'Better' }).fields, {
    editedDescription: ['Better'],
    hasDescription: ['true'],
  });
  assert.equal(searchEntryOf(dataset, 'editableDatasetProperties', { description: ' \n ' }), undefined);
});

test('columns are found by path, label and description, and their tags and terms are told from those of the dataset', () => {
  const attached = {
    globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] },
    glossaryTerms: { terms: [{ urn: term }] },
  };
  const path = '[version=2.0].[type=Order].[type=string].customerName';
  const entry = entryOf('schemaMetadata', {
    fields: [
      { fieldPath: path, label: 'Buyer', description: 'Who buys', ...attached },
      { fieldPath: 'id', ...attached },
    ],
  });
  assert.deepEqual(entry.fields, {
    fieldPaths: [path, 'id'],
    fieldLabels: ['Buyer'],
    fieldDescriptions: ['Who buys'],
    fieldTags: ['urn:li:tag:pii'],
    fieldGlossaryTerms: [term],
  });
  assert.deepEqual(
    termsOf(entry),
    new Set(['customername', 'customer', 'name', 'id', 'buyer', 'who', 'buys', 'pii', 'shop']),
  );
  assert.deepEqual(
    entryOf('editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: path, description: 'Ours', ...attached }],
    }).fields,
    {
      editedFieldDescriptions: ['Ours'],
      editedFieldTags: ['urn:li:tag:pii'],
      editedFieldGlossaryTerms: [term],
    },
  );
});

test('tags, terms, owners and domains are values, and the words of their ids are found', () => {
  const entry = entryOf('glossaryTerms', { terms: [{ urn: term }, { urn: term }, { urn: 'no urn' }] });
  assert.deepEqual(entry.fields, { glossaryTerms: [term], hasGlossaryTerms: ['true'] });
  assert.deepEqual(termsOf(entry), new Set(['shop', 'customer']));
  const owner = { owner: 'urn:li:corpuser:ana', typeUrn: 'urn:li:ownershipType:x' };
  assert.deepEqual(entryOf('ownership', { owners: [owner] }).fields, {
    owners: ['urn:li:corpuser:ana'],
    hasOwners: ['true'],
    ownershipTypes: ['urn:li:ownershipType:x'],
  });
  assert.equal(searchEntryOf(dataset, 'globalTags', { tags: [] }), undefined);
});

test('custom properties are values of the form key=value, structured properties have a field each', () => {
  const custom = entryOf('datasetProperties', { customProperties: { team: 'Sales', empty: '' } });
  assert.deepEqual(custom.fields, { customProperties: ['team=Sales', 'empty='] });
  assert.ok(termsOf(custom).has(valueTerm('customProperties', 'team=Sales')));
  const property = {
    propertyUrn: 'urn:li:structuredProperty:io.shop.days',
    values: [{ double: 90 }, { string: 'x' }],
  };
  const structured = entryOf('structuredProperties', { properties: [property] });
  assert.deepEqual(structured.fields, { 'structuredProperties.io.shop.days': ['90', 'x'] });
  assert.ok(termsOf(structured).has(valueTerm('structuredProperties.io.shop.days', '90')));
});

test('a browse path is one text in which each place begins with the place above it', () => {
  const path = [{ id: 'prod' }, { id: 'x', urn: 'urn:li:container:x' }];
  assert.deepEqual(entryOf('browsePathsV2', { path }).fields, {
    browsePathV2: ['\u241fprod\u241furn:li:container:x'],
  });
});

test('links are found by the words of their address and of what is said about them', () => {
  const elements = [{ url: 'https://wiki.example/orders', description: 'How orders are made' }];
  const entry = entryOf('institutionalMemory', { elements });
  for (const word of ['wiki', 'made']) assert.ok(termsOf(entry).has(word), word);
});

test('secrets contribute nothing, and of entities that hold them only their existence is known', () => {
  const user = parseUrn('urn:li:corpuser:ana');
  assert.equal(searchEntryOf(user, 'corpUserCredentials', { salt: 's', hashedPassword: 'h' }), undefined);
  const token = parseUrn('urn:li:inviteToken:secret');
  assert.deepEqual(searchEntryOf(token, 'inviteTokenKey', { id: 'secret' }), {
    fields: {},
    terms: '',
  });
  assert.equal(searchEntryOf(token, 'inviteToken', { token: 'secret' }), undefined);
});

test('of what happens again and again only the numbers that people filter by count', () => {
  const profile = {
    timestampMillis: 1,
    rowCount: 12,
    fieldProfiles: [{ fieldPath: 'x', sampleValues: ['secret'] }],
  };
  assert.deepEqual(searchEntryOf(dataset, 'datasetProfile', profile), {
    fields: { rowCount: ['12'] },
    terms: '',
  });
  for (const aspect of ['datasetUsageStatistics', 'assertionRunEvent']) {
    assert.equal(searchEntryOf(dataset, aspect, { timestampMillis: 1, runId: 'x' }), undefined);
  }
});

test('terms are complete however many words there are, and words for ranking are as many as count', () => {
  const many = Array.from({ length: 3000 }, (_, at) => `word${at}`);
  const descriptions = many.map((word) => ({ documentation: `${word} ${word}` }));
  const entry = entryOf('documentation', { documentations: descriptions });
  assert.deepEqual(rankedWordsOf(entry), many.flatMap((word) => [word, word]).slice(0, entryWordsMax));
  assert.deepEqual(termsOf(entry), new Set(many));
});

test('huge texts, names and lists stay within what both stores keep', () => {
  const letters = Array.from(
    { length: 60_000 },
    (_, at) => String.fromCodePoint(0x4e00 + (at % 20_000)).repeat(38) + at,
  );
  const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`key${at}`, 'x']));
  for (const body of [
    { description: letters.join(' ').slice(0, 1_000_000) },
    { name: letters.join(' ') },
    { customProperties: properties },
    { customProperties: Object.fromEntries(letters.slice(0, 20_000).map((text, at) => [`k${at}`, text])) },
  ]) {
    const entry = entryOf('datasetProperties', body);
    assertSound(entry);
    assert.ok(JSON.stringify(entry.fields).length < 1_000_000);
  }
});

test('half characters and U+0000 never reach a store', () => {
  const entry = entryOf('datasetProperties', {
    name: 'a\u0000b\ud800',
    customProperties: { '\u0000': '\udc00' },
  });
  assertSound(entry);
  assert.deepEqual(entry.fields['name'], ['ab\ufffd']);
});

test('every path of the table leads to the fields that it names', () => {
  for (const [aspect, sources] of searchSources()) {
    assert.notEqual(aspectSpecOf(aspect), undefined, aspect);
    for (const { path, fields } of sources) {
      for (const name of fields) {
        const field = searchFieldNamed(name);
        assert.ok(field?.name === name, `${aspect} ${path}: ${name} is a field`);
        const value = field.kind === 'urn' ? dataset : field.kind === 'boolean' ? true : 'x';
        assert.deepEqual(
          entryOf(aspect, bodyWith(path, value)).fields[name],
          [String(value)],
          `${aspect} ${path}`,
        );
      }
    }
  }
});

test('no body breaks it, and the same body gives the same entry', () => {
  const aspects = fc.constantFrom(
    ...searchSources().keys(),
    'structuredProperties',
    'browsePathsV2',
    'datasetKey',
    'corpUserKey',
  );
  fc.assert(
    fc.property(aspects, fc.jsonValue(), (aspect, value) => {
      const members = (searchSources().get(aspect) ?? []).map(({ path }) => path.split(/[.[]/)[0] ?? '');
      const body = JSON.parse(
        JSON.stringify(
          Object.fromEntries(
            [...members, 'properties', 'path', 'customProperties', 'flow'].map((name) => [name, value]),
          ),
        ),
      );
      const entry = searchEntryOf(dataset, aspect, body);
      assert.deepEqual(searchEntryOf(dataset, aspect, structuredClone(body)), entry);
      if (entry !== undefined) assertSound(entry);
    }),
    { numRuns: 500 },
  );
});

test('every aspect of real metadata has a sound entry or none, by which its texts are found', async () => {
  await using catalogue = await openTestCatalogue();
  const sink = createStoreSink(catalogue.engine.execute, catalogue.admin);
  for (const file of [
    'bootstrap_mce.json',
    'demo_data.json',
    'dbt_column_terms.json',
    'kafka_field_paths_v2.json',
    'glossary_events.json',
    'tags_and_terms.json',
    'links.json',
  ]) {
    const path = join(import.meta.dirname, '../../test/data', file);
    await ingestRecords(readSourceRecords(await openRecordFile(path)), sink, { onProblem: () => undefined });
  }
  let entries = 0;
  for await (const { urn, aspect, value } of catalogue.store.scrub()) {
    if (value === undefined) continue;
    const entry = searchEntryOf(urn, aspect, value.body);
    assert.deepEqual(searchEntryOf(urn, aspect, value.body), entry);
    if (entry === undefined) continue;
    entries += 1;
    assertSound(entry);
    const found = termsOf(entry);
    for (const word of rankedWordsOf(entry)) assert.ok(found.has(word), `${urn} ${aspect}: ${word}`);
    const { description } = value.body;
    if (entry.fields['description'] === undefined || typeof description !== 'string') continue;
    for (const word of wordsOf(description)) assert.ok(found.has(word), `${urn} ${aspect}: ${word}`);
  }
  assert.ok(entries > 500, `${entries} entries`);
});

/** The smallest body that has the value at this path. */
function bodyWith(path: string, value: JsonValue): JsonObject {
  const steps = path.replaceAll('[]', '.[]').split('.');
  const body = steps.reduceRight<JsonValue>(
    (inner, step) => (step === '[]' ? [inner] : { [step]: inner }),
    value,
  );
  assert.ok(isJsonObject(body));
  return body;
}
