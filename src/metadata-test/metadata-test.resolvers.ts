import { authorize } from '../auth/caller.ts';
import { canSee } from '../auth/can-see.ts';
import { type EntityValue, referredEntity, requestedEntityOf } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { isUrn, parseUrn } from '../urn/urn.ts';
import { definitionMd5 } from './canonical-text.ts';
import { createTest, type CreateTestInput } from './create-test.ts';
import { deleteTest } from './delete-test.ts';
import { shownExemption } from './exemption/exemption.resolvers.ts';
import { explainChange } from './explain-change.ts';
import { explainResult } from './explain-result.ts';
import { issueLine } from './issue.ts';
import { runDefinition, storeTestResults } from './run-tests.ts';
import { parseTestUrn, readTests, storedTestOf, type StoredTest } from './test-entity.ts';
import { testLibraryOf } from './test-library.ts';
import { updateTest, type UpdateTestInput } from './update-test.ts';
import { type Validation, validateDefinition } from './validate.ts';

const pageSizeDefault = 20;

type ListTestsInput = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly query?: string | null;
};

async function stored({ urn }: EntityValue, context: RequestContext): Promise<StoredTest | undefined> {
  const info = await context.load(urn, 'testInfo');
  return info === undefined ? undefined : storedTestOf(urn, info);
}

async function list(input: ListTestsInput, context: RequestContext): Promise<object> {
  authorize(context.caller, [{ anyOf: ['VIEW_TESTS', 'MANAGE_TESTS'] }]);
  const start = input.start ?? 0;
  const count = input.count ?? pageSizeDefault;
  checkPage({ start, count });
  const query = (input.query ?? '').trim().toLowerCase();
  const tests = (await readTests(context.reader)).filter(
    (test) =>
      query === '' ||
      query === '*' ||
      [test.name, test.category, test.description ?? ''].some((text) => text.toLowerCase().includes(query)),
  );
  const page = tests.slice(start, start + count);
  return {
    start,
    count: page.length,
    total: tests.length,
    tests: page.map(({ urn }) => referredEntity(urn)),
  };
}

type DefinitionInput = { readonly json?: string | null };

type RunDefinitionArguments = {
  readonly urn: string;
  readonly test: DefinitionInput;
  readonly mode?: 'EVALUATE_ONLY' | 'DEFAULT' | null;
};

type ValidateArguments = { readonly input: DefinitionInput; readonly testUrn?: string | null };

function validate({ input, testUrn }: ValidateArguments, context: RequestContext): Promise<Validation> {
  const { verdicts } = context.services.tests ?? {};
  return validateDefinition(input.json ?? '', context.reader, {
    ...(typeof testUrn === 'string' ? { urn: parseTestUrn(testUrn) } : {}),
    ...(verdicts === undefined
      ? {}
      : { sampling: { verdicts, now: context.now(), canSee: viewerOf(context) } }),
  });
}

async function validation(args: ValidateArguments, context: RequestContext): Promise<object> {
  const { valid, portable, extensions, issues, notes } = await validate(args, context);
  return {
    isValid: valid,
    isPortable: portable,
    extensions,
    notes,
    issues: issues.map(({ severity, fix, ...issue }) => ({
      ...issue,
      severity: severity.toUpperCase(),
      fix: fix === undefined ? null : JSON.stringify(fix),
    })),
  };
}

/** Results are kept by test, so only a definition that is stored as a test has a place for one. */
async function runDefinitionFor(args: RunDefinitionArguments, context: RequestContext): Promise<object> {
  const urn = parseUrn(args.urn);
  const text = args.test.json ?? '';
  const evaluation = await runDefinition(context.reader, text, urn, context.now());
  if (evaluation.verdict === 'ERROR') {
    throw new PostilError('LIMIT_EXCEEDED', evaluation.reason ?? 'The test cannot be decided.');
  }
  if (args.mode !== 'EVALUATE_ONLY') {
    const tests = await testLibraryOf(context.reader).all();
    const md5 = definitionMd5(text);
    const testUrns = [...tests.values()].filter((test) => test.definitionMd5 === md5).map((test) => test.urn);
    if (testUrns.length > 0) await context.execute(storeTestResults(tests), { urns: [urn], testUrns });
  }
  return { status: evaluation.verdict };
}

async function explanation(
  args: { readonly urn: string; readonly testUrn: string },
  context: RequestContext,
): Promise<object> {
  const input = { urn: parseUrn(args.urn), test: parseTestUrn(args.testUrn) };
  const tests = await testLibraryOf(context.reader).all();
  const now = context.now();
  const { verdicts } = context.services.tests ?? {};
  const explained = await explainResult(context.reader, tests, input, now, verdicts, viewerOf(context));
  const { exemption, test } = explained;
  return {
    ...explained,
    test: referredEntity(test),
    exemption: exemption === undefined ? null : shownExemption(test, exemption, now),
    json: JSON.stringify(explained),
  };
}

/** What may be shown to the caller. */
function viewerOf({ caller }: RequestContext): (urn: string) => boolean {
  return (urn) => !isUrn(urn) || canSee(caller, urn);
}

type ExplainChangeArguments = {
  readonly urn: string;
  readonly testUrn: string;
  readonly fromTimeMillis: number;
  readonly toTimeMillis?: number | null;
};

async function changeExplanation(args: ExplainChangeArguments, context: RequestContext): Promise<object> {
  const now = context.now();
  const input = {
    urn: parseUrn(args.urn),
    test: parseTestUrn(args.testUrn),
    from: args.fromTimeMillis,
    to: Math.min(args.toTimeMillis ?? now, now),
  };
  const change = await explainChange(context.reader, input, viewerOf(context));
  return { ...change, test: referredEntity(change.test) };
}

async function runAllTests(text: string, context: RequestContext): Promise<boolean> {
  const urn = parseUrn(text);
  const tests = await testLibraryOf(context.reader).all();
  const outcomes = await context.execute(storeTestResults(tests), { urns: [urn], testUrns: undefined });
  return outcomes.get(urn)?.failing.length === 0;
}

export const metadataTestResolvers: Resolvers = {
  Query: {
    explainTestChange: {
      isVolatile: true,
      resolve: (_source: unknown, args: ExplainChangeArguments, context) => changeExplanation(args, context),
    },
    explainTestResult: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly urn: string; readonly testUrn: string }, context) =>
        explanation(args, context),
    },
    validateTest: {
      isVolatile: true,
      resolve: async (_source: unknown, args: ValidateArguments, context) => {
        const { valid, issues } = await validate(args, context);
        const errors = issues.filter((issue) => issue.severity === 'error');
        return { isValid: valid, messages: errors.map(issueLine) };
      },
    },
    validateTestDetailed: {
      isVolatile: true,
      resolve: (_source: unknown, args: ValidateArguments, context) => validation(args, context),
    },
    test: (_source: unknown, args: { readonly urn: string }) => requestedEntityOf(args.urn, 'test'),
    listTests: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly input: ListTestsInput }, context) =>
        list(args.input, context),
    },
  },
  Mutation: {
    runTestDefinition: (_source: unknown, args: RunDefinitionArguments, context) =>
      runDefinitionFor(args, context),
    runTests: (_source: unknown, args: { readonly urn: string }, context) => runAllTests(args.urn, context),
    createTest: (_source: unknown, args: { readonly input: CreateTestInput }, context) =>
      context.execute(createTest, args.input),
    updateTest: (_source: unknown, args: UpdateTestInput, context) => context.execute(updateTest, args),
    deleteTest: (_source: unknown, args: { readonly urn: string }, context) =>
      context.execute(deleteTest, args),
  },
  Test: {
    name: async (source: EntityValue, _args: unknown, context) => (await stored(source, context))?.name ?? '',
    category: async (source: EntityValue, _args: unknown, context) =>
      (await stored(source, context))?.category ?? '',
    description: async (source: EntityValue, _args: unknown, context) =>
      (await stored(source, context))?.description ?? null,
    definition: async (source: EntityValue, _args: unknown, context) => ({
      json: (await stored(source, context))?.json ?? null,
    }),
    exists: (source: EntityValue, _args: unknown, context) => context.exists(source.urn),
  },
};
