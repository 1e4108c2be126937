import { existsSync } from 'node:fs';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import type { JsonObject } from '../../aspect/json.ts';
import type { CatalogueStore } from '../../storage/catalogue-store.ts';
import { openSqliteStore } from '../../storage/sqlite/sqlite-aspect-store.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { chunkOf, hasOffset, offsetOf } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { loadFacts } from '../load-facts.ts';
import { testInfoOf } from '../test-entity.ts';
import { createTestLibrary, type LibraryTest } from '../test-library.ts';
import { createVerdictKeeper, type VerdictKeeperParts } from './create-verdict-keeper.ts';
import type { VerdictKeeper } from './verdict-keeper.ts';

/** A catalogue of its own whose verdicts are kept. */
export type KeptCatalogue = AsyncDisposable & {
  readonly catalogue: TestCatalogue;
  readonly store: VerdictKeepingStore;
  readonly keeper: VerdictKeeper;
  /** What the keeper reported, which is nothing when all is well. */
  readonly reports: readonly string[];
  /** The time of everything; moved by hand. */
  readonly clock: { now: number };
  saveTest(id: string, definition: unknown, more?: JsonObject): Promise<Urn>;
  /** PASS, FAIL, EXEMPT or NONE as they are kept, with '?' for what could not be decided. */
  verdict(test: string, entity: string): Promise<string>;
  /** A new keeper on the same store, as after a restart. */
  restart(): Promise<VerdictKeeper>;
};

/** Thousands of small transactions would wait for the disk most of the time; what survives a crash is tested elsewhere. */
function quickFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

export async function openKeptCatalogue(
  options: Partial<VerdictKeeperParts> & {
    readonly store?: CatalogueStore;
    readonly isStarted?: boolean;
  } = {},
): Promise<KeptCatalogue> {
  const folder =
    options.store === undefined ? await mkdtemp(join(quickFolder(), 'postil-keeping-')) : undefined;
  const store = options.store ?? (await openSqliteStore(folder ?? ''));
  const clock = { now: 1_700_000_000_000 };
  const catalogue = await openTestCatalogue({ store, now: () => clock.now });
  const reports: string[] = [];
  const newKeeper = (): VerdictKeeper =>
    createVerdictKeeper({
      store,
      library: createTestLibrary(store),
      now: () => clock.now,
      report: (_level, message, cause) => void reports.push(`${message} ${stackOf(cause)}`),
      ...options,
    });
  let keeper = newKeeper();
  catalogue.engine.onCommit(() => keeper.poke());
  if (options.isStarted !== false) keeper.start();
  return {
    catalogue,
    store,
    get keeper() {
      return keeper;
    },
    reports,
    clock,
    async saveTest(id, definition, more = {}) {
      const input = { name: id, category: 'c', definition: { json: JSON.stringify(definition) } };
      return catalogue.seed(`urn:li:test:${id}`, { testInfo: { ...testInfoOf(input, 0), ...more } });
    },
    async verdict(test, entity) {
      const number = (await store.verdicts.numbersOf([parseUrn(entity)])).get(parseUrn(entity));
      if (number === undefined) return 'NONE';
      const urn = parseUrn(test);
      return verdictAt((await store.verdicts.verdictsIn(chunkOf(number), [urn])).get(urn), number);
    },
    async restart() {
      await keeper.stop();
      keeper = newKeeper();
      keeper.start();
      return keeper;
    },
    async [Symbol.asyncDispose]() {
      await keeper.stop();
      await catalogue.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asserts that what is kept is what evaluating every test for every entity, one by one, says. */
export async function assertKeptAsEvaluated(
  store: VerdictKeepingStore,
  entities: readonly Urn[],
  now: number,
): Promise<void> {
  const tests = [...(await createTestLibrary(store).all()).values()];
  const existing = await store.existing(entities);
  const numbers = await store.verdicts.numbersOf(entities);
  const kept = new Map<number, ReadonlyMap<Urn, ChunkVerdicts>>();
  for (const chunk of new Set([...numbers.values()].map(chunkOf))) {
    kept.set(chunk, await store.verdicts.verdictsIn(chunk));
  }
  const differences: string[] = [];
  for (const urn of entities) {
    const number = numbers.get(urn);
    for (const test of tests) {
      const expected =
        existing.has(urn) && test.isActive ? await evaluatedAlone(store, urn, test, now) : 'NONE';
      const verdicts = number === undefined ? undefined : kept.get(chunkOf(number))?.get(test.urn);
      const actual = number === undefined ? 'NONE' : verdictAt(verdicts, number);
      if (expected === 'ERROR' ? !actual.endsWith('?') : actual !== expected) {
        differences.push(`${test.urn} ${urn}: kept ${actual}, evaluated ${expected}`);
      }
    }
  }
  assert.deepEqual(differences, []);
  const known = new Set(tests.filter(({ isActive }) => isActive).map(({ urn }) => urn));
  for (const verdicts of kept.values()) {
    for (const urn of verdicts.keys()) assert.ok(known.has(urn), `verdicts of ${urn}, which is not active`);
  }
}

async function evaluatedAlone(
  store: VerdictKeepingStore,
  urn: Urn,
  { compiled }: LibraryTest,
  now: number,
): Promise<string> {
  const facts = await loadFacts(store, urn, compiled.readSet);
  const entity = facts.get(urn);
  return entity === undefined ? 'NONE' : compiled.evaluate(entity, facts, now).verdict;
}

function verdictAt(verdicts: ChunkVerdicts | undefined, number: number): string {
  if (verdicts === undefined) return 'NONE';
  const { passing, failing, exempt, undecided } = verdicts;
  const offset = offsetOf(number);
  const found = [
    ...(hasOffset(passing, offset) ? ['PASS'] : []),
    ...(hasOffset(failing, offset) ? ['FAIL'] : []),
    ...(hasOffset(exempt, offset) ? ['EXEMPT'] : []),
  ];
  return `${found.length === 0 ? 'NONE' : found.join('+')}${hasOffset(undecided, offset) ? '?' : ''}`;
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '');
}
