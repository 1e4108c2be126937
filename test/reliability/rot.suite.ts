import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AspectStore } from '../../src/aspect/aspect-store.ts';
import type { CatalogueStore } from '../../src/storage/catalogue-store.ts';
import type { Aspect } from '../../src/aspect/aspect.ts';
import type { JsonObject } from '../../src/aspect/json.ts';
import { systemCaller } from '../../src/auth/system-caller.ts';
import { openCatalogue } from '../../src/catalogue.ts';
import { PostilError } from '../../src/errors/postil-error.ts';
import { ingestProposals } from '../../src/ingest/ingest-proposals.ts';
import { verifyStore } from '../../src/integrity/verify-store.ts';
import { projections } from '../../src/projections.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { parseUrn, type Urn } from '../../src/urn/urn.ts';
import { schemaOf, termInfo } from '../sample-metadata.ts';
import { figure, seededRandom, type SeededRandom } from './seeded-random.ts';
import { datasetUrn, termUrn } from './server-process.ts';

/** Promise R18. */
const rounds = 1_000;
const pageBytes = 4_096;
const databaseFile = 'catalogue.db';

const urns = (count: number, make: (name: string) => string): readonly Urn[] =>
  Array.from({ length: count }, (_, index) => parseUrn(make(`Rot.${index}`)));
const datasets = urns(40, datasetUrn);
const terms = urns(12, termUrn);
const nodes = urns(4, (name) => `urn:li:glossaryNode:${name}`);
const everything = [...datasets, ...terms, ...nodes];
const versions = [1, 2, 3];
const aspects = [
  'datasetProperties',
  'schemaMetadata',
  'glossaryTerms',
  'glossaryTermInfo',
  'glossaryNodeInfo',
  'datasetKey',
];

async function fillStore(folder: string): Promise<void> {
  const { store, engine } = await openCatalogue(folder);
  const write = async (urn: Urn, aspects: Readonly<Record<string, JsonObject>>): Promise<void> => {
    const proposals = Object.entries(aspects).map(([aspect, body]) => ({
      urn,
      aspect,
      body,
      changeType: 'UPSERT' as const,
    }));
    await engine.execute(ingestProposals, proposals, systemCaller);
  };
  for (const [index, urn] of nodes.entries()) {
    await write(urn, { glossaryNodeInfo: { name: `node ${index}`, definition: 'a group' } });
  }
  for (const [index, urn] of terms.entries()) {
    await write(urn, { glossaryTermInfo: termInfo(`term ${index}`, nodes[index % nodes.length] ?? '') });
  }
  for (const version of versions) {
    for (const [index, urn] of datasets.entries()) {
      if (version > 1 && index % version !== 0) continue;
      const attached = terms.filter((_, at) => (at + index + version) % 4 === 0);
      const columns = Array.from({ length: index % 9 }, (_, at) => ({
        fieldPath: `c${at}`,
        description: `${version}`,
      }));
      await write(urn, {
        datasetProperties: { description: `${version} of ${index}: ${'text '.repeat(index * 7)}` },
        schemaMetadata: schemaOf(columns),
        glossaryTerms: {
          terms: attached.map((term) => ({ urn: term })),
          auditStamp: { time: 1, actor: 'urn:li:corpuser:rot' },
        },
      });
    }
  }
  await store.close();
}

/** Answers by question; a refusal in the code table's words is an answer. */
type Answers = ReadonlyMap<string, string>;

const refusals: ReadonlySet<string> = new Set(['CORRUPT_ASPECT', 'STORE_UNUSABLE']);
const nothing = 'nothing';

async function ask(question: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await question()) ?? nothing;
  } catch (error) {
    assert.ok(error instanceof PostilError, String(error));
    assert.ok(refusals.has(error.code), error.message);
    return error.code;
  }
}

const contentOf = (aspect: Aspect | undefined): unknown =>
  aspect === undefined
    ? undefined
    : [aspect.name, aspect.version, aspect.text, aspect.stamp, aspect.systemText];

/** Every version of every document, by `URN aspect version`. */
async function documentsOf(store: AspectStore): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const urn of everything) {
    for (const aspect of aspects) {
      for (const version of versions) {
        const read = async (): Promise<unknown> => contentOf(await store.readVersion(urn, aspect, version));
        answers.set(`${urn} ${aspect} ${version}`, await ask(read));
      }
    }
  }
  return answers;
}

/** The latest documents in every other way of reading them, by the way and the URN and aspect. */
async function readingsOf(store: AspectStore): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const urn of everything) {
    for (const [way, names] of [
      ['whole', undefined],
      ['by name', aspects],
    ] as const) {
      const read = async (): Promise<unknown> => {
        for (const [aspect, value] of await store.read(urn, names)) {
          answers.set(`${way} ${urn} ${aspect}`, JSON.stringify(contentOf(value)));
        }
        return undefined;
      };
      answers.set(`${way} ${urn}`, await ask(read));
    }
  }
  answers.set(
    'together',
    await ask(async () =>
      [...(await store.readMany(everything, aspects))].map(([, each]) => [...each.values()].map(contentOf)),
    ),
  );
  return answers;
}

/** What is found by looking up and listing: indexes, projections and the change log. */
async function listsOf(store: AspectStore): Promise<Answers> {
  const answers = new Map<string, string>();
  const note = async (name: string, question: () => Promise<unknown>): Promise<unknown> =>
    answers.set(name, await ask(question));
  for (const urn of everything) {
    await note(`existing ${urn}`, async () => [...(await store.existing([urn]))]);
    for (const direction of ['INCOMING', 'OUTGOING'] as const) {
      await note(`${direction} ${urn}`, () =>
        store.relationships({ urn, direction, start: 0, count: 100, distinct: false }),
      );
    }
    await note(`columns of ${urn}`, () => store.readFragment(urn, 'columns'));
  }
  for (const type of ['glossaryTerm', 'glossaryNode', 'dataset']) {
    await note(`all ${type}`, () => store.entities({ type, start: 0, count: 100 }));
    for (const parent of [undefined, ...nodes]) {
      await note(`${type} below ${parent}`, () => store.children({ type, parent, start: 0, count: 100 }));
    }
  }
  await note('change log', () => store.changes({ after: 0, count: 10_000 }));
  return answers;
}

type Damage = { readonly what: string; apply(file: string): void };

function chooseDamage(random: SeededRandom, size: number): Damage {
  const kind = random.between(1, 20);
  if (kind === 1) {
    const length = random.between(0, size - 1);
    return { what: `cut to ${length} of ${size} bytes`, apply: (file) => truncateSync(file, length) };
  }
  const change = (what: string, edit: (bytes: Buffer) => void): Damage => ({
    what,
    apply(file) {
      const bytes = readFileSync(file);
      edit(bytes);
      writeFileSync(file, bytes);
    },
  });
  if (kind === 2) {
    const page = random.between(0, Math.ceil(size / pageBytes) - 1);
    return change(`page ${page + 1} zeroed`, (bytes) =>
      bytes.fill(0, page * pageBytes, (page + 1) * pageBytes),
    );
  }
  const [at, bit] = [random.between(0, size - 1), random.between(0, 7)];
  return change(`bit ${bit} of byte ${at} (page ${Math.floor(at / pageBytes) + 1}) flipped`, (bytes) => {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  });
}

/** The questions that are answered otherwise than by the sound store, and not refused. */
function wrongAnswers(expected: Answers, answers: Answers): readonly string[] {
  return [...answers].flatMap(([question, answer]) =>
    answer === expected.get(question) || refusals.has(answer) ? [] : [question],
  );
}

test('R18: what rots is refused or found, and never served as if it were sound', async (context) => {
  const random = seededRandom('rot');
  const folder = mkdtempSync(join(tmpdir(), 'postil-rot-'));
  const counts = { unopened: 0, harmless: 0, changedDocuments: 0, missing: 0, lists: 0 };
  try {
    const sound = join(folder, 'sound');
    await fillStore(sound);
    const file = join(sound, databaseFile);
    const original = await openStore(sound);
    assert.deepEqual((await verifyStore(original, projections, () => {})).problems, []);
    const documents = await documentsOf(original);
    const readings = await readingsOf(original);
    const lists = await listsOf(original);
    await original.close();
    for (let round = 1; round <= rounds; round += 1) {
      const damage = chooseDamage(random, statSync(file).size);
      const copy = join(folder, `copy-${round}`);
      mkdirSync(copy);
      copyFileSync(file, join(copy, databaseFile));
      damage.apply(join(copy, databaseFile));
      try {
        const store = await openStore(copy).catch((error: unknown) => {
          assert.ok(error instanceof PostilError && refusals.has(error.code), String(error));
          return undefined;
        });
        if (store === undefined) counts.unopened += 1;
        else {
          await examine(store);
          await store.close();
        }
      } catch (error) {
        throw new Error(`round ${round}, ${damage.what}`, { cause: error });
      }
      rmSync(copy, { recursive: true });
    }

    async function examine(store: CatalogueStore): Promise<void> {
      const { problems } = await verifyStore(store, projections, () => {});
      const found = await documentsOf(store);
      const wrong = [...wrongAnswers(documents, found)];
      const gone = wrong.filter((document) => found.get(document) === nothing);
      const differing = wrong.filter((document) => !gone.includes(document));
      const show = (answers: Answers): readonly unknown[] =>
        differing.map((document) => answers.get(document));
      assert.deepEqual(
        show(found),
        show(documents),
        `no document is answered wrong: ${differing.join(', ')}`,
      );
      const wrongReadings = wrongAnswers(readings, await readingsOf(store)).filter(
        (way) => way !== 'together',
      );
      assert.deepEqual(wrongReadings, [], 'no way of reading answers a wrong document');
      const wrongLists = wrongAnswers(lists, await listsOf(store));
      if (problems.length === 0) {
        assert.deepEqual(
          [...gone, ...wrongLists],
          [],
          'what is missing or listed wrong is found by the check',
        );
        counts.harmless += 1;
      }
      const changed = [...documents].filter(
        ([document, text]) => text !== nothing && found.get(document) !== text,
      );
      for (const [document] of changed) {
        const [urn = '', aspect = ''] = document.split(' ');
        assert.ok(
          problems.some(({ what, where }) => where.includes(urn) || (what === 'name' && where === aspect)),
          `the check names ${document}; it found ${JSON.stringify(problems, undefined, 1)}`,
        );
      }
      counts.changedDocuments += changed.length;
      counts.missing += gone.length > 0 ? 1 : 0;
      counts.lists += wrongLists.length > 0 ? 1 : 0;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  figure(
    context,
    'R18',
    `${rounds} damages: ${counts.unopened} stores refused, ${counts.harmless} harmless, 0 documents answered wrong, ` +
      `0 crashes; all ${counts.changedDocuments} changed documents named by the check, so were ${counts.missing} damages ` +
      `that hid a document and ${counts.lists} that changed a list or the log`,
  );
});
