import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { type CompiledTest, compileTest, type Evaluation } from './compile-test.ts';
import { evaluateTests, type TestOutcome } from './evaluate-tests.ts';
import type { LoadedEntity, LoadedFacts } from './facts.ts';
import { loadFacts } from './load-facts.ts';
import type { LibraryTest } from './test-library.ts';
import { requireValidDefinition } from './require-valid.ts';

export type RunTestsInput = {
  readonly urns: readonly Urn[];
  /** Only these, inactive ones as well; `undefined`: every active test that applies. */
  readonly testUrns: readonly Urn[] | undefined;
};

type Reader = Pick<AspectReader, 'readMany' | 'existing' | 'relationships'>;

/**
 * Evaluates tests for existing entities; nothing is stored. Throws ENTITY_NOT_FOUND (decision 21), BAD_REQUEST for entity
 * types that no test results can be attached to (contract section 8.3).
 */
export async function runTests(
  reader: Reader,
  tests: ReadonlyMap<Urn, LibraryTest>,
  input: RunTestsInput,
  now: number,
): Promise<ReadonlyMap<Urn, TestOutcome>> {
  await requireTestable(reader, input.urns);
  const chosen =
    input.testUrns === undefined
      ? [...tests.values()].filter(({ isActive }) => isActive)
      : input.testUrns.flatMap((urn) => tests.get(urn) ?? []);
  const outcomes = new Map<Urn, TestOutcome>();
  for (const urn of input.urns) outcomes.set(urn, await evaluateTests(reader, urn, chosen, now));
  return outcomes;
}

/** Throws ENTITY_NOT_FOUND, or BAD_REQUEST for types that no test results can be attached to. */
async function requireTestable(reader: Reader, urns: readonly Urn[]): Promise<void> {
  for (const urn of urns) {
    const type = requireEntityType(urnType(urn));
    if (!type.aspects.has('testResults')) {
      throw new PostilError(
        'BAD_REQUEST',
        `Attempted to evaluate tests for an unsupported entity type ${type.name}: ${urn}`,
      );
    }
  }
  const existing = await reader.existing(urns);
  for (const urn of urns) {
    if (!existing.has(urn))
      throw new PostilError('ENTITY_NOT_FOUND', `There is no entity ${urn}; nothing was evaluated.`);
  }
}

/**
 * Evaluates one definition, stored or not, for one entity; nothing is stored. Throws INVALID_TEST_DEFINITION, ENTITY_NOT_FOUND,
 * BAD_REQUEST.
 */
export async function runDefinition(
  reader: Reader,
  text: string,
  urn: Urn,
  now: number,
): Promise<Evaluation> {
  const compiled = compileTest(requireValidDefinition(text));
  const { entity, facts } = await factsFor(reader, compiled, urn);
  return compiled.evaluate(entity, facts, now);
}

/** What a test reads about an entity. Throws ENTITY_NOT_FOUND, and BAD_REQUEST for types that are not tested. */
export async function factsFor(
  reader: Reader,
  compiled: CompiledTest,
  urn: Urn,
): Promise<{ readonly entity: LoadedEntity; readonly facts: LoadedFacts }> {
  await requireTestable(reader, [urn]);
  const facts = await loadFacts(reader, urn, compiled.readSet);
  const entity = facts.get(urn);
  if (entity === undefined) throw new PostilError('ENTITY_NOT_FOUND', `There is no entity ${urn}.`);
  return { entity, facts };
}

/**
 * Evaluates like `runTests`, and the outcome is stored as `testResults`, in the transaction in which it was evaluated. Without a list of
 * tests the results are replaced; with one, only the results of those tests (contract section 8.3). A result that is as it
 * was keeps its time, so that confirming it stores nothing; a test that could not decide keeps its earlier result.
 */
export function storeTestResults(
  tests: ReadonlyMap<Urn, LibraryTest>,
): Command<RunTestsInput, ReadonlyMap<Urn, TestOutcome>> {
  return {
    name: 'storeTestResults',
    demands: ({ urns }) => urns.map((on) => ({ anyOf: ['MANAGE_TESTS', 'EDIT_ENTITY'], on })),
    async decide(view, input, { caller, now }) {
      const outcomes = await runTests(view, tests, input, now);
      const stored = await view.readMany(input.urns, ['testResults']);
      const writes = input.urns.map((urn) => {
        const before = resultEntriesOf(stored.get(urn)?.get('testResults')?.body);
        const outcome = outcomes.get(urn) ?? {
          passing: [],
          failing: [],
          exempt: [],
          errors: [],
          evaluatedAt: now,
        };
        const stamp = { time: now, actor: caller.actor };
        return {
          urn,
          aspect: 'testResults',
          body: resultsBody(before, outcome, input.testUrns, tests, stamp),
        };
      });
      return { writes, result: outcomes };
    },
  };
}

type Entry = JsonObject & { readonly test: string };

/** Stored results by test; both lists in one. */
export function resultEntriesOf(body: JsonObject | undefined): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const list of [body?.['passing'], body?.['failing']]) {
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly JsonValue[]) {
      if (isJsonObject(entry) && typeof entry['test'] === 'string')
        entries.set(entry['test'], entry as Entry);
    }
  }
  return entries;
}

function resultsBody(
  before: ReadonlyMap<string, Entry>,
  outcome: TestOutcome,
  testUrns: readonly Urn[] | undefined,
  tests: ReadonlyMap<Urn, LibraryTest>,
  stamp: { readonly time: number; readonly actor: string },
): JsonObject {
  const evaluated = (urn: Urn, type: 'SUCCESS' | 'FAILURE'): Entry => {
    const testDefinitionMd5 = tests.get(urn)?.definitionMd5;
    const earlier = before.get(urn);
    const isAsBefore = earlier?.['type'] === type && earlier['testDefinitionMd5'] === testDefinitionMd5;
    return isAsBefore ? earlier : { test: urn, type, testDefinitionMd5, lastComputed: stamp };
  };
  const named = testUrns === undefined ? undefined : new Set<string>(testUrns);
  const undecided = new Set<string>(outcome.errors.map((error) => error.urn));
  const kept = [...before.values()].filter(
    ({ test }) => undecided.has(test) || (named !== undefined && !named.has(test)),
  );
  const list = (type: 'SUCCESS' | 'FAILURE', urns: readonly Urn[]): readonly Entry[] =>
    [...kept.filter((entry) => entry['type'] === type), ...urns.map((urn) => evaluated(urn, type))].sort(
      (left, right) => (left.test < right.test ? -1 : 1),
    );
  return { failing: list('FAILURE', outcome.failing), passing: list('SUCCESS', outcome.passing) };
}
