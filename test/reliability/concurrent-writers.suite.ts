import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { postgresUnavailable, startPostgres } from '../postgres-server.ts';
import { listAt, textAt } from './answer-members.ts';
import { figure } from './seeded-random.ts';
import {
  connect,
  datasetUrn,
  proposalOf,
  RefusedRequest,
  runPostil,
  startServer,
  termUrn,
  type Client,
} from './server-process.ts';

/** Promise R06. */
const writers = 64;
const termsPerWriter = 100;
const total = writers * termsPerWriter;
const proposalsPerRequest = 800;
const repeatsMax = 5;

const dataset = datasetUrn('busy.dataset');
const terms = Array.from({ length: total }, (_, index) => termUrn(`Busy.${index}`));

/** Repeats what the server was too busy for, as clients do; the answer says how often. */
async function addTerm(client: Client, term: string): Promise<number> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      await client.graphql('mutation($input: AddTermsInput!) { addTerms(input: $input) }', {
        input: { termUrns: [term], resourceUrn: dataset },
      });
      return repeats;
    } catch (error) {
      if (!(error instanceof RefusedRequest) || error.status !== 503 || repeats >= repeatsMax) throw error;
    }
  }
}

async function addTermsFromAllSides(
  context: TestContext,
  location: string,
  storeName: string,
): Promise<void> {
  const server = await startServer(location);
  try {
    const reader = connect(server.url);
    for (let first = 0; first < total; first += proposalsPerRequest) {
      const some = terms.slice(first, first + proposalsPerRequest);
      await reader.ingest(
        some.map((urn) =>
          proposalOf(urn, 'glossaryTermInfo', { name: urn, definition: '', termSource: 'INTERNAL' }),
        ),
      );
    }
    await reader.ingest([proposalOf(dataset, 'datasetProperties', { description: 'everybody writes here' })]);
    let repeats = 0;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const client = connect(server.url);
        for (let turn = 0; turn < termsPerWriter; turn += 1) {
          // Each writer's terms lie apart, so that neighbours are always added by different ones.
          const more = await addTerm(client, terms[turn * writers + writer] ?? '');
          repeats += more;
        }
        client.close();
      }),
    );
    const seconds = (performance.now() - start) / 1_000;
    const data = await reader.graphql(
      'query($urn: String!) { dataset(urn: $urn) { glossaryTerms { terms { term { urn } } } } }',
      { urn: dataset },
    );
    reader.close();
    const attached = listAt(data, 'dataset', 'glossaryTerms', 'terms').map((each) =>
      textAt(each, 'term', 'urn'),
    );
    assert.deepEqual(attached.toSorted(), terms.toSorted(), 'every term once');
    assert.equal(await server.stop(), 0);
    const check = await runPostil('check', '--store', location);
    assert.equal(check.code, 0, check.output);
    figure(
      context,
      'R06',
      `${storeName}: ${writers} writers x ${termsPerWriter} addTerms on one dataset: ${attached.length} terms, 0 missing, ` +
        `0 twice, check clean; ${Math.round(total / seconds)} mutations per second, ${repeats} repeated after a 503`,
    );
  } finally {
    await server.kill();
  }
}

test('R06: 64 writers add 100 terms each to one dataset of the embedded store, and none is lost', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-concurrent-writers-'));
  try {
    await addTermsFromAllSides(context, folder, 'SQLite');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test(
  'R06: 64 writers add 100 terms each to one dataset of a PostgreSQL store, and none is lost',
  {
    skip: postgresUnavailable(),
  },
  async (context) => {
    const database = await startPostgres();
    try {
      await addTermsFromAllSides(context, database.url, 'PostgreSQL');
    } finally {
      await database.stop();
    }
  },
);
