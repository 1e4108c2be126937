import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { readGlossaryRecords } from './business-glossary.ts';
import type { GlossaryOptions } from './business-glossary.ts';
import { glossaryUrn } from './glossary-urn.ts';
import type { SourceRecord } from './ingest-run.ts';

const head = 'version: "1"\nowners:\n  users: [ana]\n';

async function recordsOf(text: string, options?: GlossaryOptions): Promise<readonly SourceRecord[]> {
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  const file = {
    name: 'glossary.yml',
    chunks,
    totalBytes: text.length,
    changedAt: 5,
    bytesRead: () => text.length,
  };
  return Array.fromAsync(readGlossaryRecords(file, options));
}

async function bodiesOf(text: string): Promise<Readonly<Record<string, JsonObject | undefined>>> {
  const records = await recordsOf(text);
  assert.deepEqual(problemsIn(records), []);
  return Object.fromEntries(
    records.flatMap(({ proposals }) =>
      proposals.map(({ urn, aspect, body }) => [`${urn} ${aspect}`, body] as const),
    ),
  );
}

const problemsIn = (records: readonly SourceRecord[]): string[] =>
  records.flatMap(({ place, error }) => (error === undefined ? [] : [`${place} | ${error.message}`]));

test('terms and nodes get the aspects that the golden output of DataHub has', async () => {
  const bodies = await bodiesOf(`${head}source: DataHub
url: https://example.org/
nodes:
  - name: Personal Information
    description: About people
    owners: {type: DATAOWNER, users: [mjames], groups: [Trust and Safety]}
    knowledge_links:
      - {label: Wiki, url: 'https://example.org/wiki'}
      - {label: without a url}
    terms:
      - name: CSAT %
        description: Satisfaction
        custom_properties: {is_confidential: true, level: 2, note: "yes"}
        inherits: [Personal Information.Email, Privacy.PII]
        contains: [urn:li:glossaryTerm:other]
        domain: Marketing
      - name: Email
        description: An address
        id: email
        term_source: EXTERNAL
        source_ref: FIBO
        owners:
          - type: urn:li:ownershipType:steward
            groups: [finance]
          - users: ['urn:li:corpuser:bo']
`);
  const node = 'urn:li:glossaryNode:Personal-Information';
  const csat = 'urn:li:glossaryTerm:Personal-Information.CSAT';
  const email = 'urn:li:glossaryTerm:email';
  const unknown = { time: 0, actor: 'urn:li:corpuser:unknown' };
  const ownership = {
    owners: [
      { owner: 'urn:li:corpuser:mjames', type: 'DATAOWNER' },
      { owner: 'urn:li:corpGroup:Trust and Safety', type: 'DATAOWNER' },
    ],
    ownerTypes: {},
    lastModified: unknown,
  };
  assert.deepEqual(bodies, {
    [`${node} glossaryNodeInfo`]: {
      customProperties: {},
      definition: 'About people',
      name: 'Personal Information',
    },
    [`${node} ownership`]: ownership,
    [`${node} institutionalMemory`]: {
      elements: [
        {
          url: 'https://example.org/wiki',
          description: 'Wiki',
          createStamp: { time: 5, actor: 'urn:li:corpuser:datahub', message: 'ingestion bot' },
        },
      ],
    },
    [`${node} status`]: { removed: false },
    [`${csat} glossaryTermInfo`]: {
      customProperties: { is_confidential: 'True', level: '2', note: 'yes' },
      name: 'CSAT %',
      definition: 'Satisfaction',
      parentNode: node,
      termSource: 'INTERNAL',
      sourceRef: 'DataHub',
      sourceUrl: 'https://example.org/',
    },
    [`${csat} glossaryRelatedTerms`]: {
      isRelatedTerms: [email, 'urn:li:glossaryTerm:Privacy.PII'],
      hasRelatedTerms: ['urn:li:glossaryTerm:other'],
    },
    [`${csat} ownership`]: ownership,
    [`${csat} domains`]: { domains: ['urn:li:domain:Marketing'] },
    [`${csat} status`]: { removed: false },
    [`${email} glossaryTermInfo`]: {
      customProperties: {},
      name: 'Email',
      definition: 'An address',
      parentNode: node,
      termSource: 'EXTERNAL',
      sourceRef: 'FIBO',
      sourceUrl: 'https://example.org/',
    },
    [`${email} ownership`]: {
      owners: [
        { owner: 'urn:li:corpGroup:finance', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:steward' },
        { owner: 'urn:li:corpuser:bo', type: 'DEVELOPER' },
      ],
      ownerTypes: {},
      lastModified: unknown,
    },
    [`${email} status`]: { removed: false },
  });
});

test('GUIDs are those that DataHub makes', () => {
  const guid = 'urn:li:glossaryTerm:41516e310acbfd9076fffc2c98d2d1a3';
  assert.equal(glossaryUrn('glossaryTerm', ['PersonalInformation', 'Email'], undefined, true), guid);
  assert.equal(glossaryUrn('glossaryTerm', ['x'], guid, false), guid);
  assert.match(
    glossaryUrn('glossaryNode', ['Größe'], undefined, false),
    /^urn:li:glossaryNode:[0-9a-f]{32}$/,
  );
  assert.equal(glossaryUrn('glossaryNode', ['A  B', '(c)'], undefined, false), 'urn:li:glossaryNode:A-B.c');
});

test('what is wrong is told with its line, and the other terms are read', async () => {
  const text = `${head}terms:
  - name: Good
    description: fine
  - name: No description
  - name: Typo
    descripton: fine
  - description: no name
  - name: Bad owner
    description: fine
    owners: {type: KING, users: [ana]}
  - name: Good
    description: again
  - name: Last
    description: fine
`;
  const records = await recordsOf(text);
  assert.deepEqual(problemsIn(records), [
    'line 7 | line 7: the term needs a description',
    'line 9 | line 9: the term has no member "descripton". Did you mean "description"?',
    'line 10 | line 10: the term needs a name',
    'line 13 | line 13: unknown type of owners "KING": one of CUSTOM, TECHNICAL_OWNER, BUSINESS_OWNER, DATA_STEWARD, NONE, DEVELOPER, DATAOWNER, DELEGATE, PRODUCER, CONSUMER, STAKEHOLDER',
    'line 14 | line 14: the term has the URN urn:li:glossaryTerm:Good of the one in line 5; give it an id',
  ]);
  assert.deepEqual(
    records.flatMap(({ proposals }) => proposals.slice(0, 1).map(({ urn }) => urn)),
    ['urn:li:glossaryTerm:Good', 'urn:li:glossaryTerm:Last'],
  );
});

test('a file that is no glossary is one problem', async () => {
  assert.deepEqual(problemsIn(await recordsOf('version: "2"\n')), [
    'line 1 | line 1: the glossary has version 2; only version 1 can be read',
  ]);
  assert.equal(problemsIn(await recordsOf('- a\n- b\n')).length, 1);
  assert.match(problemsIn(await recordsOf(`${head}terms: [\n`))[0] ?? '', /^line \d/);
  assert.match(problemsIn(await recordsOf(''))[0] ?? '', /must be a map/);
});
