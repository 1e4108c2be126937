import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../src/aspect/json.ts';
import { compileTest } from '../src/metadata-test/compile-test.ts';
import { sourceOf } from '../src/metadata-test/conformance.fixture.ts';
import type { FactSource, LoadedEntity } from '../src/metadata-test/facts.ts';
import { loadFacts } from '../src/metadata-test/load-facts.ts';
import type { TestDefinition } from '../src/metadata-test/predicate.ts';
import { emptyReadSet } from '../src/metadata-test/read-set.ts';
import { columnsRead, createRowCompiler } from '../src/metadata-test/rows/compile-row-question.ts';
import { randomDefinition } from '../src/metadata-test/rows/random-definitions.fixture.ts';
import { randomEntities } from '../src/metadata-test/rows/random-entities.fixture.ts';
import { referredWorld } from '../src/metadata-test/rows/referred-world.fixture.ts';
import { rowAspects, testRowOf } from '../src/metadata-test/rows/test-row-of.ts';
import type { Dictionary } from '../src/metadata-test/rows/text-judge.ts';
import { readTestDefinition } from '../src/metadata-test/test-definition.ts';
import { keyDraft, write } from '../src/storage/contract/change-batch.ts';
import { parseUrn, type Urn, urnType } from '../src/urn/urn.ts';
import { chunkOf, hasOffset, offsetOf } from '../src/verdict/chunk-set.ts';
import type { RowQuestion } from '../src/verdict/row-predicate.ts';
import type { ListColumn, TestRow } from '../src/verdict/test-row.ts';
import type { ChunkAnswer, VerdictKeepingStore } from '../src/verdict/verdict-store.ts';

type Bodies = Readonly<Record<string, JsonObject>>;
type Answer = 'PASS' | 'FAIL' | 'NONE' | 'unknown';

export type RowComparisonSize = {
  /** Entities of each type; every definition is asked of all of them. */
  readonly entities: number;
  /** Definitions for each type. */
  readonly definitions: number;
  readonly types: readonly string[];
  readonly seed: number;
};

/** How many definitions share a scan. */
const scanSize = 20;
const now = 1_760_000_000_000;

/**
 * Puts rows of random entities into the stores and compares, for random definitions, what each store answers with the
 * closure's verdict. Fails at the first pair that differs, and tells the seed, the definition and the entity.
 */
export async function compareRowAnswers(
  t: TestContext,
  stores: Readonly<Record<string, VerdictKeepingStore>>,
  { entities, definitions, types, seed }: RowComparisonSize,
): Promise<void> {
  const count = { pairs: 0, PASS: 0, FAIL: 0, NONE: 0, unknown: 0 };
  for (const type of types) {
    const bodies = entitiesOf(type, entities, seed);
    const source = sourceOf({ ...referredWorld, ...bodies });
    const urns = Object.keys(bodies).map(parseUrn);
    const rows: TestRow[] = [];
    for (const urn of urns) rows.push(testRowOf(await loadedForRow(source, urn)));
    for (const store of Object.values(stores)) {
      await write(
        store,
        urns.map((urn) => keyDraft(urn)),
      );
      await store.verdicts.transact((transaction) => transaction.putRows(rows));
    }
    const read = definitionsFor(type, definitions, seed);
    for (let start = 0; start < read.length; start += scanSize) {
      const batch = read.slice(start, start + scanSize);
      const answers = new Map<string, readonly ReadonlyMap<Urn, Answer>[]>();
      for (const [name, store] of Object.entries(stores)) {
        answers.set(name, await answersOf(store, type, batch, source, urns));
      }
      for (const [index, definition] of batch.entries()) {
        const verdicts = await verdictsOf(definition, source, urns);
        for (const urn of urns) {
          const said = [...answers].map(([name, each]) => [name, each[index]?.get(urn)] as const);
          const what = (): string =>
            `seed ${seed}: ${JSON.stringify([...said, ['closure', verdicts.get(urn)]])}\n` +
            `${JSON.stringify(definition)}\n${urn} ${JSON.stringify(bodies[urn])}`;
          const answer = agreed(said, verdicts.get(urn), what);
          count.pairs += 1;
          count[answer] += 1;
        }
      }
    }
  }
  t.diagnostic(`${Object.keys(stores).join(', ')}, seed ${seed}: ${JSON.stringify(count)}`);
}

/** What all stores answer; fails when they differ, or when they tell and the closure tells otherwise. */
function agreed(
  said: readonly (readonly [name: string, answer: Answer | undefined])[],
  verdict: string | undefined,
  what: () => string,
): Answer {
  const answers = new Set(said.map(([, answer]) => answer));
  const [answer] = answers;
  assert.ok(
    answer !== undefined && answers.size === 1 && (answer === 'unknown' || answer === verdict),
    what(),
  );
  return answer;
}

function entitiesOf(type: string, wanted: number, seed: number): Bodies {
  const bodies: Record<string, JsonObject> = {};
  const samples = fc.sample(randomEntities(type, 1), { seed, numRuns: wanted });
  for (const [index, sample] of samples.entries()) {
    for (const [urn, body] of Object.entries(sample)) bodies[urn.replace('random0', `random${index}`)] = body;
  }
  return bodies;
}

function definitionsFor(type: string, wanted: number, seed: number): readonly TestDefinition[] {
  return fc
    .sample(randomDefinition(type), { seed, numRuns: wanted })
    .map((json) => readTestDefinition(JSON.stringify(json)))
    .flatMap((read) => (read.valid ? [read.definition] : []));
}

async function loadedForRow(source: FactSource, urn: Urn): Promise<LoadedEntity> {
  const readSet = emptyReadSet();
  for (const aspect of rowAspects(urnType(urn))) readSet.aspects.add(aspect);
  const entity = (await loadFacts(source, urn, readSet)).get(urn);
  assert.ok(entity !== undefined);
  return entity;
}

async function verdictsOf(
  definition: TestDefinition,
  source: FactSource,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, string>> {
  const { readSet, evaluate } = compileTest(definition);
  const verdicts = new Map<Urn, string>();
  for (const urn of urns) {
    const facts = await loadFacts(source, urn, readSet);
    const entity = facts.get(urn);
    assert.ok(entity !== undefined);
    verdicts.set(urn, evaluate(entity, facts, now).verdict);
  }
  return verdicts;
}

/** What the store answers, definition by definition. */
async function answersOf(
  { verdicts }: VerdictKeepingStore,
  type: string,
  definitions: readonly TestDefinition[],
  source: FactSource,
  urns: readonly Urn[],
): Promise<readonly ReadonlyMap<Urn, Answer>[]> {
  const dictionaries = new Map<ListColumn, Dictionary>();
  for (const column of new Set(definitions.flatMap((definition) => [...columnsRead(definition)]))) {
    dictionaries.set(column, await verdicts.dictionary(column));
  }
  const compiler = createRowCompiler(type, dictionaries, source);
  const questions: RowQuestion[] = [];
  for (const definition of definitions) questions.push(await compiler.question(definition));
  const numbers = await verdicts.numbersOf(urns);
  const scan = await verdicts.prepareScan(type, questions);
  try {
    const chunks = new Map<number, readonly ChunkAnswer[]>();
    for (const chunk of new Set([...numbers.values()].map(chunkOf)))
      chunks.set(chunk, await scan.chunk(chunk));
    return questions.map(
      (_, index) =>
        new Map(
          [...numbers].map(([urn, number]) => [
            urn,
            answerIn(chunks.get(chunkOf(number))?.[index], offsetOf(number)),
          ]),
        ),
    );
  } finally {
    await scan.close();
  }
}

function answerIn(answer: ChunkAnswer | undefined, offset: number): Answer {
  assert.ok(answer !== undefined);
  if (hasOffset(answer.unknown, offset)) return 'unknown';
  if (hasOffset(answer.passing, offset)) return 'PASS';
  return hasOffset(answer.failing, offset) ? 'FAIL' : 'NONE';
}
