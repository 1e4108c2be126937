import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../src/aspect/json.ts';
import { createVerdictKeeper } from '../../src/metadata-test/keeping/create-verdict-keeper.ts';
import { assertKeptAsEvaluated } from '../../src/metadata-test/keeping/kept-catalogue.fixture.ts';
import { createTestLibrary } from '../../src/metadata-test/test-library.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-aspect-store.ts';
import { parseUrn } from '../../src/urn/urn.ts';
import { figure, seededRandom, type SeededRandom } from './seeded-random.ts';
import { type Client, connect, datasetUrn, proposalOf, startServer, termUrn } from './server-process.ts';

const cycles = 30;
const datasets = Array.from({ length: 300 }, (_, index) => datasetUrn(`kept.d${index}`));
const terms = Array.from({ length: 5 }, (_, index) => termUrn(`Kept.${index}`));
const nodes = ['urn:li:glossaryNode:Kept.a', 'urn:li:glossaryNode:Kept.b'];
const stamp = { time: 0, actor: 'urn:li:corpuser:x' };

const definitions: readonly JsonObject[] = [
  { on: { types: ['dataset'] }, rules: [{ property: 'ownership.owners.owner', operator: 'exists' }] },
  {
    on: { types: ['dataset'] },
    rules: [{ property: 'glossaryTerms.terms.urn', operator: 'within', values: nodes.slice(0, 1) }],
  },
  {
    on: {
      types: ['dataset'],
      conditions: [{ property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:a'] }],
    },
    rules: [{ property: 'datasetProperties.description', operator: 'min_length', values: ['5'] }],
  },
];

/** One write at random; some of them change a test, or what is seen from afar. */
function someWrite(random: SeededRandom): JsonObject {
  const dataset = random.pick(datasets);
  switch (random.between(0, 9)) {
    case 0:
      return proposalOf(`urn:li:test:kept-${random.between(0, 2)}`, 'testInfo', {
        name: 't',
        category: 'c',
        definition: { type: 'JSON', json: JSON.stringify(random.pick(definitions)) },
      });
    case 1:
    case 2:
      return proposalOf(random.pick(terms), 'glossaryTermInfo', {
        definition: '',
        termSource: 'INTERNAL',
        parentNode: random.pick(nodes),
      });
    case 3:
    case 4:
      return proposalOf(dataset, 'glossaryTerms', {
        terms: [{ urn: random.pick(terms) }],
        auditStamp: stamp,
      });
    case 5:
      return proposalOf(dataset, 'globalTags', {
        tags: [{ tag: random.pick(['urn:li:tag:a', 'urn:li:tag:b']) }],
      });
    case 6:
      return proposalOf(dataset, 'datasetProperties', { description: random.pick(['', 'long enough']) });
    case 7:
      return proposalOf(dataset, 'status', { removed: random.pick([true, false]) });
    default:
      return proposalOf(dataset, 'ownership', {
        owners: random.pick([[], [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }]]),
        lastModified: stamp,
      });
  }
}

async function writeUntilGone(client: Client, random: SeededRandom): Promise<void> {
  try {
    for (;;) {
      await client.ingest(Array.from({ length: random.between(1, 20) }, () => someWrite(random)));
    }
  } catch {
    // The server is gone.
  } finally {
    client.close();
  }
}

/** Takes up what the killed server left, and holds it against evaluating everything. */
async function compare(folder: string): Promise<number> {
  const store = await openSqliteStore(folder);
  const keeper = createVerdictKeeper({ store, library: createTestLibrary(store), now: Date.now });
  try {
    keeper.start();
    await keeper.settled();
    await assertKeptAsEvaluated(store, datasets.map(parseUrn), Date.now());
    const { differences } = await keeper.fullPass();
    assert.equal(differences, 0, 'a full pass finds nothing to repair');
    return keeper.status().counters.changes;
  } finally {
    await keeper.stop();
    await store.close();
  }
}

test('verdicts are those of evaluating everything after each of 30 kills under load', async (context) => {
  const random = seededRandom('kept verdicts after kills');
  const folder = mkdtempSync(join(tmpdir(), 'postil-kept-verdicts-'));
  let takenUp = 0;
  let server = await startServer(folder);
  try {
    const first = connect(server.url);
    await first.ingest(nodes.map((urn) => proposalOf(urn, 'glossaryNodeInfo', { definition: '' })));
    for (const [index, definition] of definitions.entries()) {
      await first.ingest([
        proposalOf(`urn:li:test:kept-${index}`, 'testInfo', {
          name: 't',
          category: 'c',
          definition: { type: 'JSON', json: JSON.stringify(definition) },
        }),
      ]);
    }
    first.close();
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const writing = writeUntilGone(connect(server.url), random);
      await Promise.race([delay(random.between(50, 1_500)), writing]);
      await server.kill();
      await writing;
      takenUp += await compare(folder).catch((error: unknown) => {
        throw new Error(`after kill ${cycle} of ${cycles}`, { cause: error });
      });
      server = await startServer(folder);
    }
    figure(
      context,
      'kept verdicts',
      `${cycles} kills; ${takenUp} changes that were not yet considered were taken up, 0 differences`,
    );
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
