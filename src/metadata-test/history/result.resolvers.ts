import type { Aspect } from '../../aspect/aspect.ts';
import { isJsonObject, type JsonValue } from '../../aspect/json.ts';
import { type EntityValue, referredEntity, requestedUrn } from '../../entity/graphql-types.ts';
import { pageCountMax } from '../../entity/page.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { ResolverRecord, Resolvers } from '../../graphql/resolver.ts';
import type { Urn } from '../../urn/urn.ts';
import { freshVerdicts } from '../keeping/fresh-verdicts.ts';
import type { TestRun } from '../keeping/test-state.ts';
import { overlaidResults } from '../results-overlay.ts';
import { parseTestUrn } from '../test-entity.ts';
import { type LibraryTest, testLibraryOf } from '../test-library.ts';
import type { TestServices } from '../test-services.ts';
import { listedVerdicts, resultEntities } from './result-entities.ts';
import { passRateOf, type PassFailCounts, testCounts } from './test-counts.ts';
import { entityHistory, runsBetween, testHistory } from './test-history.ts';

const pageSizeDefault = 20;
const runsDefault = 100;

type OverlayBatch = {
  readonly stored: Map<Urn, Aspect | undefined>;
  readonly done: Promise<ReadonlyMap<Urn, Aspect>>;
};

/** What is asked for in one turn of the event loop is read together: a page of entities costs hardly more than one. */
const batches = new WeakMap<RequestContext, OverlayBatch>();

async function shownResults(
  tests: TestServices,
  urn: Urn,
  stored: Aspect | undefined,
  context: RequestContext,
): Promise<Aspect | undefined> {
  let batch = batches.get(context);
  if (batch === undefined) {
    const asked = new Map<Urn, Aspect | undefined>();
    const done = new Promise((resolve) => setImmediate(resolve)).then(() => {
      batches.delete(context);
      return overlaidResults(tests, asked, context.now());
    });
    batch = { stored: asked, done };
    batches.set(context, batch);
  }
  batch.stored.set(urn, stored);
  return (await batch.done).get(urn);
}

async function resultsOf({ urn }: EntityValue, context: RequestContext): Promise<object | null> {
  const stored = await context.load(urn, 'testResults');
  const { tests } = context.services;
  const aspect = tests === undefined ? stored : await shownResults(tests, urn, stored, context);
  if (aspect === undefined) return null;
  const entriesOf = async (value: JsonValue | undefined): Promise<readonly object[]> => {
    const entries = (Array.isArray(value) ? (value as readonly JsonValue[]) : []).filter(isJsonObject);
    return Promise.all(
      entries.map(async ({ test, type }) => {
        const entity = referredEntity(test);
        return {
          test: entity !== undefined && (await context.exists(entity.urn)) ? entity : null,
          type: type === 'SUCCESS' ? 'SUCCESS' : 'FAILURE',
        };
      }),
    );
  };
  const { passing, failing } = aspect.body;
  return { passing: await entriesOf(passing), failing: await entriesOf(failing) };
}

/** Verdicts follow changes of entities that no answer names as read, so answers with them are never kept. */
const testResults: ResolverRecord = {
  isVolatile: true,
  resolve: (source: EntityValue, _args: unknown, context) => resultsOf(source, context),
};

async function countOf(urn: Urn, kind: string, context: RequestContext): Promise<number> {
  const page = await context.reader.relationships({
    urn,
    direction: 'INCOMING',
    kinds: [kind],
    start: 0,
    count: 0,
    distinct: true,
  });
  return page.total;
}

async function summaryOf({ urn }: EntityValue, context: RequestContext): Promise<object> {
  const { tests } = context.services;
  await freshVerdicts(tests?.keeper);
  const test = (await testLibraryOf(context.reader).all()).get(urn);
  const counts =
    tests === undefined || test === undefined ? undefined : await testCounts(tests.verdicts, test);
  if (counts === undefined) {
    return {
      passingCount: await countOf(urn, 'IsPassing', context),
      failingCount: await countOf(urn, 'IsFailing', context),
      exemptCount: 0,
      undecidedCount: 0,
      evaluatedPercent: 100,
    };
  }
  const { undecided, previous, ...rest } = counts;
  return {
    ...rest,
    ...named(counts),
    undecidedCount: undecided,
    previous: previous === null ? null : named(previous),
  };
}

function named({ passing, failing, exempt }: PassFailCounts): object {
  return { passingCount: passing, failingCount: failing, exemptCount: exempt };
}

type Times = { readonly startTimeMillis?: number | null; readonly endTimeMillis?: number | null };

async function batchRunEvents(
  { urn }: EntityValue,
  { startTimeMillis, endTimeMillis, limit }: Times & { readonly limit?: number | null },
  context: RequestContext,
): Promise<object> {
  const count = limit ?? runsDefault;
  if (count < 0 || count > pageCountMax) {
    throw new PostilError('LIMIT_EXCEEDED', `limit is ${count}; it has to be 0 to ${pageCountMax}.`);
  }
  const to = endTimeMillis ?? context.now();
  const { tests } = context.services;
  const runs =
    tests === undefined || count === 0
      ? []
      : await runsBetween(tests.verdicts, urn, startTimeMillis ?? 0, to, count);
  return {
    batchRunEvents: runs.flatMap(({ status, completedAt, passing, failing }) =>
      status === 'COMPLETE' && completedAt !== null
        ? [{ timestampMillis: completedAt, status, result: { passingCount: passing, failingCount: failing } }]
        : [],
    ),
  };
}

type HistoryInput = Times & {
  readonly testUrn: string;
  readonly entityUrn?: string | null;
  readonly buckets?: number | null;
};

async function history(input: HistoryInput, context: RequestContext): Promise<object> {
  const { services, test } = await knownTest(input.testUrn, context);
  const query = {
    from: input.startTimeMillis ?? undefined,
    to: input.endTimeMillis ?? undefined,
    buckets: input.buckets ?? undefined,
  };
  const nothing = { test: referredEntity(test.urn), passRates: [], runs: [], changes: [] };
  if (input.entityUrn !== undefined && input.entityUrn !== null) {
    const entity = requestedUrn(input.entityUrn);
    const found = await entityHistory(services.verdicts, test.urn, entity, query, context.now());
    const changes = found.changes.map(({ time, ...change }) => ({ ...change, timeMillis: time }));
    return { ...nothing, ...found, changes };
  }
  const { counts, runs } = await testHistory(services.verdicts, test.urn, query, context.now());
  return {
    ...nothing,
    passRates: counts.map((at) => ({ timeMillis: at.time, ...named(at), passRate: passRateOf(at) })),
    runs: runs.map(shownRun),
  };
}

function shownRun(run: TestRun): object {
  const { undecided, changed, kind, ...rest } = run;
  return {
    ...rest,
    ...named(run),
    kind: kind.toUpperCase().replace('-', '_'),
    undecidedCount: undecided,
    changedCount: changed,
  };
}

type EntitiesInput = {
  readonly testUrn: string;
  readonly verdict?: string | null;
  readonly cursor?: string | null;
  readonly count?: number | null;
};

async function entitiesPage(input: EntitiesInput, context: RequestContext): Promise<object> {
  const verdict = listedVerdicts.find((name) => name === (input.verdict ?? 'FAIL'));
  if (verdict === undefined) {
    throw new PostilError(
      'BAD_REQUEST',
      `Entities with the verdict ${input.verdict} are not listed; ${listedVerdicts.join(', ')} are.`,
    );
  }
  const { services, test } = await knownTest(input.testUrn, context);
  const query = { verdict, cursor: input.cursor ?? undefined, count: input.count ?? pageSizeDefault };
  const page = await resultEntities(services.verdicts, test, query, context.now());
  return {
    total: page.total,
    cursor: page.cursor,
    entities: page.entities.map((entity) => ({ ...entity, entity: referredEntity(entity.urn) ?? null })),
  };
}

/** Throws ENTITY_NOT_FOUND for a test that is not stored, or whose definition cannot be read. */
async function knownTest(
  text: string,
  { services, reader }: RequestContext,
): Promise<{ readonly services: TestServices; readonly test: LibraryTest }> {
  const urn = parseTestUrn(text);
  const test = (await testLibraryOf(reader).all()).get(urn);
  if (test === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${urn} that can be evaluated.`);
  }
  if (services.tests === undefined) throw new TypeError('Verdicts are read without a server.');
  await freshVerdicts(services.tests.keeper);
  return { services: services.tests, test };
}

export const resultResolvers: Resolvers = {
  Query: {
    testHistory: {
      isVolatile: true,
      resolve: (_source: unknown, { input }: { readonly input: HistoryInput }, context) =>
        history(input, context),
    },
    testResultEntities: {
      isVolatile: true,
      resolve: (_source: unknown, { input }: { readonly input: EntitiesInput }, context) =>
        entitiesPage(input, context),
    },
  },
  Test: {
    isActive: async ({ urn }: EntityValue, _args: unknown, context) => {
      const status = (await context.load(urn, 'testInfo'))?.body['status'];
      return !isJsonObject(status) || status['mode'] !== 'INACTIVE';
    },
    results: {
      isVolatile: true,
      resolve: (source: EntityValue, _args: unknown, context) => summaryOf(source, context),
    },
    batchRunEvents: {
      isVolatile: true,
      resolve: (source: EntityValue, args: Times & { readonly limit?: number | null }, context) =>
        batchRunEvents(source, args, context),
    },
  },
  Container: { testResults },
  CorpGroup: { testResults },
  CorpUser: { testResults },
  Dataset: { testResults },
  Domain: { testResults },
  GlossaryNode: { testResults },
  GlossaryTerm: { testResults },
  SchemaFieldEntity: { testResults },
  Tag: { testResults },
};
