import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonValue } from '../../src/aspect/json.ts';
import { schemaOf } from '../sample-metadata.ts';
import { listAt, textAt, valueAt } from './answer-members.ts';
import { openRawStore, type RawStore } from './raw-store.ts';
import { figure, seededRandom } from './seeded-random.ts';
import { connect, datasetUrn, proposalOf, startServer, termUrn, type Client } from './server-process.ts';

/** Floor of promise R08. */
const writesMin = 10_000;
const workerCount = 8;
const column = 'user_name';
const passing = JSON.stringify({
  on: { types: ['dataset'] },
  rules: { property: 'datasetProperties.description', operator: 'exists' },
});

/** A write, how everybody reads it, and what a reader must see once it is answered. */
type Step = {
  readonly what: string;
  write(client: Client): Promise<unknown>;
  read(client: Client): Promise<unknown>;
  readonly expected: unknown;
  /** The same, as it is stored. */
  stored(raw: RawStore): unknown;
  readonly storedExpected: unknown;
};

function bodyOf(raw: RawStore, urn: string, aspect: string): JsonValue | undefined {
  const [text] = raw.bodies([urn], aspect);
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

function termsOf(value: JsonValue | undefined): readonly string[] {
  return listAt(value, 'terms').map((each) => textAt(each, 'term', 'urn') || textAt(each, 'urn'));
}

/** One of several that write at once, each to things of its own. */
function createWorker(name: string): { prepare(client: Client): Promise<void>; steps(): Iterable<Step> } {
  const random = seededRandom(`read after write ${name}`);
  const dataset = datasetUrn(`seen.${name}`);
  const terms = Array.from({ length: 5 }, (_, index) => termUrn(`Seen.${name}.${index}`));
  let attached: readonly string[] = [];
  let turn = 0;

  function toggleTerm(): Pick<Step, 'write'> & { readonly term: string } {
    const term = random.pick(terms);
    const isThere = attached.includes(term);
    attached = isThere ? attached.filter((each) => each !== term) : [...attached, term];
    return {
      term,
      write: (client) =>
        isThere
          ? client.graphql('mutation($input: TermAssociationInput!) { removeTerm(input: $input) }', {
              input: { termUrn: term, resourceUrn: dataset },
            })
          : client.graphql('mutation($input: AddTermsInput!) { addTerms(input: $input) }', {
              input: { termUrns: [term], resourceUrn: dataset },
            }),
    };
  }

  const stored = (raw: RawStore): unknown => termsOf(bodyOf(raw, dataset, 'glossaryTerms'));

  function datasetTerms(): Step {
    const { write } = toggleTerm();
    const expected = attached;
    return {
      what: 'the terms of a dataset',
      write,
      async read(client) {
        const query =
          'query($urn: String!) { dataset(urn: $urn) { glossaryTerms { terms { term { urn } } } } }';
        return termsOf(valueAt(await client.graphql(query, { urn: dataset }), 'dataset', 'glossaryTerms'));
      },
      expected,
      stored,
      storedExpected: expected,
    };
  }

  function relationshipsOfTerm(): Step {
    const { write, term } = toggleTerm();
    return {
      what: 'the relationships of a term',
      write,
      async read(client) {
        const data = await client.graphql(
          `query($urn: String!) { glossaryTerm(urn: $urn) {
             relationships(input: { types: ["TermedWith"], direction: INCOMING, count: 10 }) {
               total relationships { entity { urn } }
             } } }`,
          { urn: term },
        );
        const related = listAt(data, 'glossaryTerm', 'relationships', 'relationships');
        return [
          valueAt(data, 'glossaryTerm', 'relationships', 'total'),
          ...related.map((each) => textAt(each, 'entity', 'urn')),
        ];
      },
      expected: attached.includes(term) ? [1, dataset] : [0],
      stored,
      storedExpected: attached,
    };
  }

  function existence(): Step {
    const id = `Seen.${name}.made.${turn}`;
    return {
      what: 'the existence of a term',
      async write(client) {
        // Asked before it is there, so that an answer which is kept would be found out.
        assert.deepEqual(await this.read(client), false);
        await client.graphql(
          'mutation($input: CreateGlossaryEntityInput!) { createGlossaryTerm(input: $input) }',
          {
            input: { id, name: id, description: `turn ${turn}` },
          },
        );
      },
      async read(client) {
        return (
          await client.graphql('query($urn: String!) { entityExists(urn: $urn) }', { urn: termUrn(id) })
        )['entityExists'];
      },
      expected: true,
      stored: (raw) => textAt(bodyOf(raw, termUrn(id), 'glossaryTermInfo'), 'name'),
      storedExpected: id,
    };
  }

  function columnDescription(): Step {
    const description = `turn ${turn}:\n\n1. *first*\n2. "second" \\ ${random.between(0, 1_000_000)}`;
    return {
      what: 'the description of a column',
      write: (client) =>
        client.graphql('mutation($input: DescriptionUpdateInput!) { updateDescription(input: $input) }', {
          input: { description, resourceUrn: dataset, subResource: column, subResourceType: 'DATASET_FIELD' },
        }),
      async read(client) {
        const query =
          'query($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields { fieldPath description } } } }';
        const fields = listAt(
          await client.graphql(query, { urn: dataset }),
          'dataset',
          'schemaMetadata',
          'fields',
        );
        return fields.map((each) => textAt(each, 'description'));
      },
      expected: [description],
      stored: (raw) =>
        listAt(bodyOf(raw, dataset, 'editableSchemaMetadata'), 'editableSchemaFieldInfo').map((each) =>
          textAt(each, 'description'),
        ),
      storedExpected: [description],
    };
  }

  const readTests = async (client: Client): Promise<readonly string[]> =>
    listAt(
      await client.graphql(
        'query($name: String!) { listTests(input: { query: $name, count: 100 }) { tests { urn name } } }',
        {
          name: `category of ${name}.`,
        },
      ),
      'listTests',
      'tests',
    ).map((each) => textAt(each, 'urn'));

  function testMade(): Step {
    const id = `seen-${name}-${turn}`;
    return {
      what: 'the list of tests, with a new one',
      write: (client) =>
        client.graphql('mutation($input: CreateTestInput!) { createTest(input: $input) }', {
          input: { id, name: id, category: `category of ${name}.`, definition: { json: passing } },
        }),
      read: readTests,
      expected: [`urn:li:test:${id}`],
      stored: (raw) => textAt(bodyOf(raw, `urn:li:test:${id}`, 'testInfo'), 'name'),
      storedExpected: id,
    };
  }

  function testDeleted(): Step {
    const urn = `urn:li:test:seen-${name}-${turn}`;
    return {
      what: 'the list of tests, without a deleted one',
      write: (client) => client.graphql('mutation($urn: String!) { deleteTest(urn: $urn) }', { urn }),
      read: readTests,
      expected: [],
      stored: (raw) => raw.bodies([urn], 'testInfo'),
      storedExpected: [undefined],
    };
  }

  return {
    async prepare(client) {
      await client.ingest([
        proposalOf(dataset, 'schemaMetadata', schemaOf([column])),
        ...terms.map((urn) =>
          proposalOf(urn, 'glossaryTermInfo', { name: urn, definition: '', termSource: 'INTERNAL' }),
        ),
      ]);
    },
    *steps() {
      for (turn = 1; ; turn += 1) {
        yield datasetTerms();
        yield relationshipsOfTerm();
        yield existence();
        yield columnDescription();
        yield testMade();
        yield testDeleted();
      }
    },
  };
}

test('R08 and R09: whoever has an answer reads the write back, on every connection, in lists, and as it is stored', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-read-after-write-'));
  const server = await startServer(folder);
  const raw = openRawStore(folder);
  let writes = 0;
  try {
    const work = async (name: string): Promise<void> => {
      const [own, other] = [connect(server.url), connect(server.url)];
      const worker = createWorker(name);
      await worker.prepare(own);
      for (const step of worker.steps()) {
        if (writes >= writesMin) break;
        writes += 1;
        await step.write(own);
        const stored = step.stored(raw);
        const [byOther, byWriter] = await Promise.all([step.read(other), step.read(own)]);
        assert.deepEqual(byOther, step.expected, `${step.what}, on another connection`);
        assert.deepEqual(byWriter, step.expected, `${step.what}, on the same connection`);
        assert.deepEqual(stored, step.storedExpected, `${step.what}, as stored`);
      }
      own.close();
      other.close();
    };
    await Promise.all(Array.from({ length: workerCount }, (_, index) => work(`worker_${index}`)));
    assert.equal(await server.stop(), 0);
  } finally {
    raw.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  figure(
    context,
    'R08',
    `${writes} writes, each read at once on the same and on another connection: 0 misses of ${2 * writes} reads`,
  );
  figure(
    context,
    'R09',
    `${writes} acknowledged writes, each equal in the store through a raw second connection`,
  );
});
