import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isJsonObject, jsonEqual } from '../src/aspect/json.ts';
import type { JsonObject, JsonValue } from '../src/aspect/json.ts';
import { aspectOfClassName, keyBodyOf, requireEntityType } from '../src/entity/entity-registry.ts';
import { normaliseAspect } from '../src/entity/normalise-aspect.ts';
import { readGlossaryRecords } from '../src/ingest/business-glossary.ts';
import { ingestRecords } from '../src/ingest/ingest-run.ts';
import type { RecordProblem, SourceRecord } from '../src/ingest/ingest-run.ts';
import { openRecordFile } from '../src/ingest/record-file.ts';
import { readSourceRecords } from '../src/ingest/record-source.ts';
import { createStoreSink } from '../src/ingest/store-sink.ts';
import { parseUrn, urnType } from '../src/urn/urn.ts';
import type { Urn } from '../src/urn/urn.ts';
import { openTestCatalogue } from './catalogue.ts';
import type { TestCatalogue } from './catalogue.ts';

const folder = join(import.meta.dirname, 'data');

/** File, records, aspects. */
const files: readonly (readonly [string, number, number])[] = [
  ['bootstrap_mce.json', 103, 213],
  ['dbt_column_terms.json', 63, 123],
  ['demo_data.json', 215, 241],
  ['glossary_events.json', 29, 45],
  ['kafka_field_paths_v2.json', 52, 52],
  ['links.json', 3, 7],
  ['tags_and_terms.json', 4, 8],
];

async function ingest(
  catalogue: TestCatalogue,
  source: AsyncIterable<SourceRecord>,
): Promise<{
  readonly records: number;
  readonly aspects: number;
  readonly problems: readonly RecordProblem[];
}> {
  const problems: RecordProblem[] = [];
  const sink = createStoreSink(catalogue.engine.execute, catalogue.admin);
  const { records, aspects } = await ingestRecords(source, sink, {
    onProblem: (problem) => problems.push(problem),
  });
  return { records, aspects, problems };
}

type Sent = { readonly urn: Urn; readonly aspect: string; readonly value: JsonValue };

/** What a file says, read with nothing but JSON.parse: the last value of each aspect, patches left out. */
function lastValues(file: string): readonly Sent[] {
  const records = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly JsonObject[];
  const last = new Map<string, Sent>();
  for (const { urn, aspect, value } of records.flatMap(aspectsOf))
    last.set(`${urn} ${aspect}`, { urn, aspect, value });
  return [...last.values()];
}

function aspectsOf(record: JsonObject): readonly Sent[] {
  const snapshot = Object.values(
    isJsonObject(record['proposedSnapshot']) ? record['proposedSnapshot'] : {},
  )[0];
  if (isJsonObject(snapshot)) {
    const urn = parseUrn(String(snapshot['urn']));
    return (snapshot['aspects'] as readonly JsonObject[]).flatMap((each) =>
      Object.entries(each).map(([name, value = null]) => ({
        urn,
        aspect: aspectOfClassName(name) ?? name,
        value,
      })),
    );
  }
  if (record['changeType'] === 'PATCH') return [];
  const urn = parseUrn(String(record['entityUrn']));
  const generic = record['aspect'] as { readonly json?: JsonValue; readonly value?: string };
  const value = generic.json ?? (JSON.parse(generic.value ?? 'null') as JsonValue);
  return [{ urn, aspect: String(record['aspectName']), value }];
}

for (const [file, records, aspects] of files) {
  test(`${file} is ingested without an error, and every aspect reads back equal`, async () => {
    await using catalogue = await openTestCatalogue();
    const summary = await ingest(catalogue, readSourceRecords(await openRecordFile(join(folder, file))));
    assert.deepEqual(summary, { records, aspects, problems: [] });
    let compared = 0;
    for (const { urn, aspect, value } of lastValues(file)) {
      const stored = await catalogue.body(urn, aspect);
      const isKey = aspect === requireEntityType(urnType(urn)).keyAspect;
      const expected = isKey ? keyBodyOf(urn) : normaliseAspect(aspect, value);
      assert.ok(jsonEqual(stored, expected), `${aspect} of ${urn}: ${JSON.stringify(stored)}`);
      compared += 1;
    }
    assert.ok(compared > 0);

    const before = await catalogue.lastSequence();
    await ingest(catalogue, readSourceRecords(await openRecordFile(join(folder, file))));
    // Events are no values: the two profiles of one dataset follow each other again.
    if (file !== 'bootstrap_mce.json')
      assert.equal(await catalogue.lastSequence(), before, 'a repeat changes nothing');
  });
}

test('numbers read back as they were written', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, readSourceRecords(await openRecordFile(join(folder, 'bootstrap_mce.json'))));
  const texts: string[] = [];
  for await (const { value } of catalogue.store.scrub()) if (value !== undefined) texts.push(value.text);
  const numbersOf = (text: string): string[] => text.match(/(?<=[[:,]\s*)-?\d+\.\d*0(?=\s*[,\]}])/g) ?? [];
  const written = numbersOf(readFileSync(join(folder, 'bootstrap_mce.json'), 'utf8'));
  assert.ok(written.length > 0);
  assert.deepEqual(texts.flatMap(numbersOf).sort(), written.sort());
});

test('lineage patches add to what the snapshots say', async () => {
  await using catalogue = await openTestCatalogue();
  await ingest(catalogue, readSourceRecords(await openRecordFile(join(folder, 'dbt_column_terms.json'))));
  const name = 'pagila.public.an-aliased-view-for-monthly-billing';
  const dbt = `urn:li:dataset:(urn:li:dataPlatform:dbt,${name},PROD)`;
  const postgres = `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;
  const lineage = await catalogue.body(postgres, 'upstreamLineage');
  assert.deepEqual(lineage?.['upstreams'], [
    { auditStamp: { time: 1643871600000, actor: 'urn:li:corpuser:unknown' }, dataset: dbt, type: 'COPY' },
  ]);
  const columns = lineage?.['fineGrainedLineages'];
  assert.ok(Array.isArray(columns));
  assert.deepEqual(columns[0], {
    upstreamType: 'FIELD_SET',
    upstreams: [`urn:li:schemaField:(${dbt},amount)`],
    downstreamType: 'FIELD',
    downstreams: [`urn:li:schemaField:(${postgres},amount)`],
    transformOperation: 'NONE',
    confidenceScore: 1,
  });
});

test('the business glossary is ingested without an error, and its terms hang together', async () => {
  await using catalogue = await openTestCatalogue();
  const summary = await ingest(
    catalogue,
    readGlossaryRecords(await openRecordFile(join(folder, 'business_glossary.yml'))),
  );
  assert.deepEqual(summary.problems, []);
  assert.equal(summary.records, 21);
  assert.deepEqual(await catalogue.body('urn:li:glossaryTerm:Classification.Sensitive', 'glossaryTermInfo'), {
    customProperties: { is_confidential: 'false' },
    name: 'Sensitive',
    definition: 'Sensitive Data',
    parentNode: 'urn:li:glossaryNode:Classification',
    termSource: 'INTERNAL',
    sourceRef: 'DataHub',
    sourceUrl: 'https://github.com/datahub-project/datahub/',
  });
  assert.deepEqual(await catalogue.body('urn:li:glossaryTerm:Housing.WindowColor', 'glossaryRelatedTerms'), {
    values: ['urn:li:glossaryTerm:Housing.Colors.Red', 'urn:li:glossaryTerm:Housing.Colors.Pink'],
  });
  const before = await catalogue.lastSequence();
  await ingest(catalogue, readGlossaryRecords(await openRecordFile(join(folder, 'business_glossary.yml'))));
  assert.equal(await catalogue.lastSequence(), before, 'a repeat changes nothing');
});
