import { isJsonObject, type JsonObject } from '../aspect/json.ts';
import { canSee } from '../auth/can-see.ts';
import type { Caller } from '../auth/caller.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route, RouteAnswer, RouteRequest } from '../http/route.ts';
import { isUrn, parseUrn, type Urn } from '../urn/urn.ts';
import type { TestOutcome } from './evaluate-tests.ts';
import { explainResult } from './explain-result.ts';
import { runTests, storeTestResults } from './run-tests.ts';
import { parseTestUrn } from './test-entity.ts';
import type { LibraryTest } from './test-library.ts';
import type { TestServices } from './test-services.ts';
import { validateDefinition } from './validate.ts';

const bodyBytesMax = 1024 * 1024;
const entitiesMax = 1_000;
const testsMax = 10_000;

type Parameters = {
  readonly testUrns: readonly Urn[] | undefined;
  readonly push: boolean;
  readonly isStrict: boolean;
  readonly warnings: string[];
};

/** The evaluate endpoint, for one entity and for several (contract section 8). */
export function metadataTestRoutes(
  { library, verdicts, keeper }: TestServices,
  answerError: Route['answerError'],
): readonly Route[] {
  async function evaluate(
    request: RouteRequest,
    urns: readonly Urn[],
    parameters: Parameters,
  ): Promise<ReadonlyMap<Urn, TestOutcome>> {
    const tests = await library.all();
    const unknown = (parameters.testUrns ?? []).filter((urn) => !tests.has(urn));
    if (unknown.length > 0) {
      const message = `Unknown tests: ${unknown.slice(0, 20).join(', ')}`;
      if (parameters.isStrict) throw new PostilError('BAD_REQUEST', message);
      parameters.warnings.push(message);
    }
    const input = { urns, testUrns: parameters.testUrns };
    const { services } = request;
    if (!parameters.push) return runTests(services.reader, tests, input, services.now());
    const outcomes = await services.execute(storeTestResults(tests), input);
    // Whoever reads results after the answer finds what was evaluated, pushed or kept.
    await keeper?.refresh(urns);
    return outcomes;
  }

  return [
    {
      method: 'POST',
      path: '/test',
      action: 'evaluate',
      bodyBytesMax,
      answerError,
      async handle(request) {
        const body = bodyOf(request);
        const urn = parseUrn(requiredText(body, 'urn'));
        const parameters = parametersOf(body);
        const outcomes = await evaluate(request, [urn], parameters);
        return answer(resultOf(outcomes.get(urn), await library.all(), request.caller), parameters);
      },
    },
    {
      method: 'POST',
      path: '/test',
      action: 'batchEvaluate',
      bodyBytesMax,
      answerError,
      async handle(request) {
        const body = bodyOf(request);
        const named = textsOf(body, 'urns');
        if (named === undefined) throw new PostilError('BAD_REQUEST', `Parameter 'urns' is required`);
        const urns = [...new Set(named)].map(parseUrn);
        if (urns.length > entitiesMax) {
          throw new PostilError(
            'LIMIT_EXCEEDED',
            `${urns.length} entities were named; ${entitiesMax} are the limit`,
          );
        }
        const parameters = parametersOf(body);
        const outcomes = await evaluate(request, urns, parameters);
        const tests = await library.all();
        const results = Object.fromEntries(
          [...outcomes].map(([urn, outcome]) => [
            urn,
            { ...resultOf(outcome, tests, request.caller), ...besideResult(outcome) },
          ]),
        );
        return answer({ results }, parameters);
      },
    },
    {
      method: 'POST',
      path: '/tests/validate',
      bodyBytesMax,
      answerError,
      async handle(request) {
        const body = bodyOf(request);
        // Either the definition itself, or wrapped as GraphQL wraps it.
        const text = typeof body['json'] === 'string' ? body['json'] : (request.bodyText ?? '');
        const { testUrn } = body;
        const { caller } = request;
        const validation = await validateDefinition(text, request.services.reader, {
          ...(typeof testUrn === 'string' && typeof body['json'] === 'string'
            ? { urn: parseTestUrn(testUrn) }
            : {}),
          sampling: {
            verdicts,
            now: request.services.now(),
            canSee: (urn) => caller !== undefined && canSee(caller, urn),
          },
        });
        return { status: 200, body: JSON.stringify(validation) };
      },
    },
    {
      method: 'GET',
      path: '/entities/{urn}/tests/{test}/explain',
      bodyBytesMax: 0,
      answerError,
      async handle({ pathParameters, services, caller }) {
        const input = {
          urn: parseUrn(decoded(pathParameters['urn'])),
          test: parseTestUrn(decoded(pathParameters['test'])),
        };
        const tests = await library.all();
        const explained = await explainResult(
          services.reader,
          tests,
          input,
          services.now(),
          verdicts,
          (urn) => !isUrn(urn) || (caller !== undefined && canSee(caller, urn)),
        );
        return { status: 200, body: JSON.stringify(explained) };
      },
    },
  ];
}

function decoded(segment: string | undefined): string {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    throw new PostilError('BAD_REQUEST', 'The path holds a percent sign that encodes nothing');
  }
}

function bodyOf({ body }: RouteRequest): JsonObject {
  if (isJsonObject(body)) return body;
  throw new PostilError('BAD_REQUEST', 'The body must be a JSON object with the parameters of the action');
}

function requiredText(body: JsonObject, name: string): string {
  const value = body[name];
  if (value === undefined || value === null)
    throw new PostilError('BAD_REQUEST', `Parameter '${name}' is required`);
  if (typeof value !== 'string') throw new PostilError('BAD_REQUEST', `Parameter '${name}' must be a string`);
  return value;
}

function textsOf(body: JsonObject, name: string): readonly string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.every((text) => typeof text === 'string')) return texts;
  throw new PostilError('BAD_REQUEST', `Parameter '${name}' must be a list of strings`);
}

function flagOf(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new PostilError('BAD_REQUEST', `Parameter '${name}' must be true or false`);
}

/** Every published spelling; the documented one wins where two disagree, and the answer says so (contract section 8.1). */
function parametersOf(body: JsonObject): Parameters {
  const warnings: string[] = [];
  const testUrns = textsOf(body, 'testUrns');
  const tests = textsOf(body, 'tests');
  if (testUrns !== undefined && tests !== undefined)
    warnings.push(`Both 'testUrns' and 'tests' were sent; 'testUrns' counts`);
  const shouldPush = flagOf(body, 'shouldPush');
  const push = flagOf(body, 'push');
  if (shouldPush !== undefined && push !== undefined)
    warnings.push(`Both 'shouldPush' and 'push' were sent; 'shouldPush' counts`);
  const named = testUrns ?? tests;
  if (named !== undefined && named.length > testsMax) {
    throw new PostilError('LIMIT_EXCEEDED', `${named.length} tests were named; ${testsMax} are the limit`);
  }
  return {
    testUrns: named === undefined ? undefined : [...new Set(named)].map(parseUrn),
    push: shouldPush ?? push ?? false,
    isStrict: flagOf(body, 'strict') ?? false,
    warnings,
  };
}

/** The outcome as an aspect `testResults` would hold it, whether or not it was stored (specification 1.8). */
function resultOf(
  outcome: TestOutcome | undefined,
  tests: ReadonlyMap<Urn, LibraryTest>,
  caller: Caller | undefined,
): JsonObject {
  const entries = (urns: readonly Urn[] | undefined, type: 'SUCCESS' | 'FAILURE'): readonly JsonObject[] =>
    (urns ?? []).map((test) => ({
      test,
      type,
      testDefinitionMd5: tests.get(test)?.definitionMd5,
      lastComputed: { time: outcome?.evaluatedAt, actor: caller?.actor },
    }));
  return {
    failing: entries(outcome?.failing, 'FAILURE'),
    passing: entries(outcome?.passing, 'SUCCESS'),
  };
}

/** Ours, and of several entities only: tests from which an entity is excused, and those that cannot decide; absent without any. */
function besideResult({ exempt, errors }: TestOutcome): JsonObject {
  return {
    ...(exempt.length === 0 ? {} : { exempt }),
    ...(errors.length === 0 ? {} : { undecided: errors.map(({ urn }) => urn) }),
  };
}

function answer(value: JsonObject, { warnings }: Parameters): RouteAnswer {
  return {
    status: 200,
    body: JSON.stringify({ value }),
    headers: warnings.length === 0 ? {} : { 'X-Postil-Warning': warnings.join('; ') },
  };
}
