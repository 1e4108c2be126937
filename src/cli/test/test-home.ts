import { systemCaller } from '../../auth/system-caller.ts';
import { openCatalogue } from '../../catalogue.ts';
import { readConfig } from '../../config.ts';
import {
  type ChangedEntities,
  changedCountMax,
  changedEntities,
} from '../../metadata-test/changed-entities.ts';
import { createTest } from '../../metadata-test/create-test.ts';
import { deleteTest } from '../../metadata-test/delete-test.ts';
import { explainChange, type TestChange } from '../../metadata-test/explain-change.ts';
import { explainResult, type ExplainedResult } from '../../metadata-test/explain-result.ts';
import type { FactSource } from '../../metadata-test/facts.ts';
import { createVerdictKeeper } from '../../metadata-test/keeping/create-verdict-keeper.ts';
import type { Preview, PreviewInput } from '../../metadata-test/preview/preview.ts';
import { previewDefinition } from '../../metadata-test/preview/preview-definition.ts';
import { runTests } from '../../metadata-test/run-tests.ts';
import { parseTestUrn, readTests, type StoredTest, type TestInput } from '../../metadata-test/test-entity.ts';
import { testLibraryOf } from '../../metadata-test/test-library.ts';
import type { TestServices } from '../../metadata-test/test-services.ts';
import { updateTest } from '../../metadata-test/update-test.ts';
import { parseUrn, type Urn, urnKey } from '../../urn/urn.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { storeFlag, storeOption } from '../backup.ts';
import { type Arguments, type CliCommand, type Option, UsageError } from '../command-line.ts';
import { requireExistingStore } from '../existing-store.ts';
import { requestGraphql } from '../request-graphql.ts';
import { requestRest } from './request-rest.ts';
import { serverFacts } from './server-facts.ts';

/** Where tests are stored: a running server, or a store that no server holds. Both work through the ordinary commands. */
export type TestHome = {
  readonly name: string;
  /** What evaluation reads of single entities. */
  readonly facts: FactSource;
  list(): Promise<readonly StoredTest[]>;
  create(urn: Urn, input: TestInput): Promise<void>;
  update(urn: Urn, input: TestInput): Promise<void>;
  remove(urn: Urn): Promise<void>;
  /** Evaluates stored tests and stores nothing; without a list, every test that applies. */
  evaluate(urns: readonly Urn[], testUrns: readonly Urn[] | undefined): Promise<ReadonlyMap<Urn, Outcome>>;
  /** Entities that tests can be about and that were changed after a sequence or a time; sorted. */
  changedSince(since: string): Promise<readonly Urn[]>;
  /** What a definition makes of the whole catalogue; nothing is stored. */
  preview(input: PreviewInput): Promise<Preview>;
  /** Why a stored test says of an entity what it says now. */
  explain(urn: Urn, test: Urn): Promise<Omit<ExplainedResult, 'since'>>;
  /** What made it say something else than at an earlier time, in milliseconds since the Unix epoch. */
  explainSince(urn: Urn, test: Urn, from: number): Promise<TestChange>;
  close(): Promise<void>;
};

/** URNs of tests; those that are in no list do not apply. */
export type Outcome = {
  readonly passing: readonly string[];
  readonly failing: readonly string[];
  /** Failing, but excused. */
  readonly exempt: readonly string[];
  /** Beyond the limits of an evaluation. */
  readonly undecided: readonly string[];
};

export const homeOptions: readonly Option[] = [
  { name: 'server', value: 'URL', description: 'A running server, such as http://127.0.0.1:8080.' },
  {
    name: 'token',
    value: 'TOKEN',
    description: 'The token to call the server with. Default: $POSTIL_TOKEN.',
  },
  storeOption,
];

/**
 * What `--server`, `--token` and `--store` name. Throws a UsageError for both, and for a server without a token; STORE_UNUSABLE for a
 * folder without a catalogue, unless the command may make one.
 */
export async function openHome(
  given: Arguments,
  command: CliCommand,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<TestHome> {
  const server = given.value('server');
  const store = given.value('store');
  if (server !== undefined && store !== undefined) {
    throw new UsageError(command, 'Choose one of --server and --store.');
  }
  const flagToken = given.value('token');
  const config = readConfig({
    ...storeFlag(store),
    ...(flagToken === undefined ? {} : { token: flagToken }),
  });
  if (server === undefined) {
    if (!mayCreate) requireExistingStore(config.store);
    return storeHome(config.store);
  }
  if (config.token === undefined) {
    throw new UsageError(command, 'A server wants a token: --token or $POSTIL_TOKEN.');
  }
  return serverHome(server, config.token);
}

async function storeHome(location: string): Promise<TestHome> {
  const { store, engine } = await openCatalogue(location);
  return {
    name: store.location,
    facts: store,
    list: () => readTests(store),
    create: async (urn, input) =>
      void (await engine.execute(createTest, { ...input, id: urnKey(urn) }, systemCaller)),
    update: async (urn, input) => void (await engine.execute(updateTest, { urn, input }, systemCaller)),
    remove: async (urn) => void (await engine.execute(deleteTest, { urn }, systemCaller)),
    async evaluate(urns, testUrns) {
      const outcomes = await runTests(
        store,
        await testLibraryOf(store).all(),
        { urns, testUrns },
        Date.now(),
      );
      return new Map(
        [...outcomes].map(([urn, { errors, ...outcome }]) => [
          urn,
          { ...outcome, undecided: errors.map((error) => error.urn) },
        ]),
      );
    },
    changedSince: (since) => allChanged(since, (from) => changedEntities(store, from, changedCountMax)),
    preview: async (input) =>
      withVerdicts(store, (tests) =>
        // Whoever holds the store may see everything in it.
        previewDefinition({ store, tests, limits: storeLimits, canSee: () => true }, input, Date.now()),
      ),
    async explain(urn, test) {
      return explainResult(store, await testLibraryOf(store).all(), { urn, test }, Date.now());
    },
    explainSince: (urn, test, from) => explainChange(store, { urn, test, from, to: Date.now() }, () => true),
    close: () => store.close(),
  };
}

/** Nobody else waits: the first rows of a large catalogue take as long as reading it. */
const storeLimits = { waitMilliseconds: 24 * 60 * 60 * 1_000 };

/** Brings rows and verdicts up to date for as long as the work takes; what is kept of them stays for the server. */
async function withVerdicts<Answer>(
  store: VerdictKeepingStore,
  work: (tests: TestServices) => Promise<Answer>,
): Promise<Answer> {
  const library = testLibraryOf(store);
  const keeper = createVerdictKeeper({ store, library, now: Date.now });
  keeper.start();
  try {
    return await work({ library, verdicts: store.verdicts, keeper });
  } finally {
    await keeper.stop();
  }
}

const pageSize = 1_000;

type ListedTest = Omit<StoredTest, 'urn' | 'json'> & {
  readonly urn: string;
  readonly definition: { readonly json: string | null };
};

function serverHome(server: string, authorization: string): TestHome {
  const request = <Data>(query: string, variables: object): Promise<Data> =>
    requestGraphql<Data>(server, authorization, query, variables);
  return {
    name: server,
    facts: serverFacts(server, authorization),
    async list() {
      const all: StoredTest[] = [];
      for (;;) {
        const { listTests } = await request<{
          listTests: { readonly total: number; readonly tests: readonly ListedTest[] };
        }>(
          `query ($input: ListTestsInput!) { listTests(input: $input) {
            total tests { urn name category description definition { json } } } }`,
          { input: { start: all.length, count: pageSize } },
        );
        for (const { urn, definition, name, category, description } of listTests.tests) {
          all.push({ urn: parseTestUrn(urn), name, category, description, json: definition.json });
        }
        if (listTests.tests.length === 0 || all.length >= listTests.total) return all;
      }
    },
    create: (urn, input) =>
      request('mutation ($input: CreateTestInput!) { createTest(input: $input) }', {
        input: { ...input, id: urnKey(urn) },
      }),
    update: (urn, input) =>
      request('mutation ($urn: String!, $input: UpdateTestInput!) { updateTest(urn: $urn, input: $input) }', {
        urn,
        input,
      }),
    remove: (urn) => request('mutation ($urn: String!) { deleteTest(urn: $urn) }', { urn }),
    async evaluate(urns, testUrns) {
      const body = { urns, shouldPush: false, ...(testUrns === undefined ? {} : { testUrns }) };
      const { value } = await requestRest<{
        readonly value: { readonly results: Readonly<Record<string, WireOutcome>> };
      }>(server, authorization, { method: 'POST', path: '/test?action=batchEvaluate', body });
      return new Map(Object.entries(value.results).map(([urn, wire]) => [parseUrn(urn), outcomeOf(wire)]));
    },
    changedSince: (since) =>
      allChanged(since, (from) => {
        const path = `/tests/changed?${new URLSearchParams(from).toString()}`;
        return requestRest(server, authorization, { method: 'GET', path });
      }),
    preview: ({ json, ...input }) => {
      const body = { ...input, definition: json };
      return requestRest(server, authorization, { method: 'POST', path: '/tests/preview', body });
    },
    explain: (urn, test) => {
      const path = `/entities/${encodeURIComponent(urn)}/tests/${encodeURIComponent(test)}/explain`;
      return requestRest(server, authorization, { method: 'GET', path });
    },
    async explainSince(urn, testUrn, fromTimeMillis) {
      const { explainTestChange } = await request<{ readonly explainTestChange: Omit<TestChange, 'test'> }>(
        changeQuery,
        { urn, testUrn, fromTimeMillis },
      );
      return { ...explainTestChange, test: testUrn };
    },
    close: () => Promise.resolve(),
  };
}

/** Asks for one part after the other. */
async function allChanged(
  since: string,
  ask: (from: { since: string } | { cursor: string }) => Promise<ChangedEntities>,
): Promise<readonly Urn[]> {
  const urns = new Set<Urn>();
  let part = await ask({ since });
  for (;;) {
    for (const urn of part.urns) urns.add(urn);
    if (part.cursor === undefined) return [...urns].toSorted();
    part = await ask({ cursor: part.cursor });
  }
}

const changeQuery = `query ($urn: String!, $testUrn: String!, $fromTimeMillis: Long!) {
  explainTestChange(urn: $urn, testUrn: $testUrn, fromTimeMillis: $fromTimeMillis) {
    entity definitionChanged from { time verdict why } to { time verdict why }
    nodes { pointer before { outcome observed observedCount } after { outcome observed observedCount }
      writes { entity aspect versionBefore versionAfter changedBy changedAt } } } }`;

type WireOutcome = {
  readonly passing: readonly { readonly test: string }[];
  readonly failing: readonly { readonly test: string }[];
  readonly exempt?: readonly string[];
  readonly undecided?: readonly string[];
};

function outcomeOf({ passing, failing, exempt = [], undecided = [] }: WireOutcome): Outcome {
  return {
    passing: passing.map(({ test }) => test),
    failing: failing.map(({ test }) => test),
    exempt,
    undecided,
  };
}
