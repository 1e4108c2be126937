import { isJsonObject, type JsonObject } from '../../aspect/json.ts';
import { canSee } from '../../auth/can-see.ts';
import type { Caller } from '../../auth/caller.ts';
import { requestedUrn } from '../../entity/graphql-types.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Route, RouteAnswer, RouteRequest } from '../../http/route.ts';
import type { Urn } from '../../urn/urn.ts';
import { changedCountMax, changedEntities } from '../changed-entities.ts';
import { parseTestUrn } from '../test-entity.ts';
import type { TestServices } from '../test-services.ts';
import { type AsOfInput, evaluateAsOf } from './evaluate-as-of.ts';
import { evaluateProposed, type ProposedAspect } from './evaluate-proposed.ts';
import type { PreviewInput } from './preview.ts';
import { admitPreview } from './preview-admission.ts';
import { previewDefinition } from './preview-definition.ts';

const previewBytesMax = 1024 * 1024;
/** As much as one aspect may have, and something around it. */
const proposedBytesMax = 16 * 1024 * 1024;

/** Previews of definitions, what proposed aspects would change, and what was changed (metadata-tests specification 3.11). */
export function previewRoutes(tests: TestServices, answerError: Route['answerError']): readonly Route[] {
  const { library } = tests;

  async function preview(request: RouteRequest, input: PreviewInput): Promise<RouteAnswer> {
    const { services } = request;
    const caller = callerOf(request);
    const parts = { store: services.reader, tests, canSee: (urn: Urn) => canSee(caller, urn) };
    return json(
      await admitPreview(tests.verdicts, caller.actor, () => previewDefinition(parts, input, services.now())),
    );
  }

  return [
    {
      method: 'POST',
      path: '/tests/preview',
      bodyBytesMax: previewBytesMax,
      answerError,
      handle: (request) => preview(request, inputOf(bodyOf(request), undefined)),
    },
    {
      method: 'POST',
      path: '/tests/{urn}/preview',
      bodyBytesMax: previewBytesMax,
      answerError,
      handle: (request) => preview(request, inputOf(bodyOf(request), decoded(request.pathParameters['urn']))),
    },
    {
      method: 'POST',
      path: '/tests/as-of',
      bodyBytesMax: previewBytesMax,
      answerError,
      async handle(request) {
        const { reader, now } = request.services;
        return json(await evaluateAsOf(reader, asOfInputOf(bodyOf(request)), now()));
      },
    },
    {
      method: 'POST',
      path: '/entities/{urn}/tests/proposed',
      bodyBytesMax: proposedBytesMax,
      answerError,
      async handle(request) {
        const { services, pathParameters } = request;
        const caller = callerOf(request);
        const proposer = { actor: caller.actor, canSee: (urn: Urn) => canSee(caller, urn) };
        const input = {
          urn: requestedUrn(decoded(pathParameters['urn'])),
          aspects: proposedOf(bodyOf(request)),
        };
        const stored = await library.all();
        return json(await evaluateProposed(services.reader, stored, input, proposer, services.now()));
      },
    },
    {
      method: 'GET',
      path: '/tests/changed',
      bodyBytesMax: 0,
      answerError,
      async handle({ query, services }) {
        const [since, cursor] = [query.get('since'), query.get('cursor')];
        if ((since === null) === (cursor === null)) {
          throw new PostilError('BAD_REQUEST', "Say either 'since' or the 'cursor' of the part before");
        }
        const from = cursor === null ? { since: since ?? '' } : { cursor };
        return json(await changedEntities(services.reader, from, countOf(query.get('count'))));
      },
    },
  ];
}

function json(value: object): RouteAnswer {
  return { status: 200, body: JSON.stringify(value) };
}

function callerOf({ caller }: RouteRequest): Caller {
  if (caller !== undefined) return caller;
  throw new PostilError('UNAUTHENTICATED', 'Unauthorized to perform this action.');
}

function bodyOf({ body }: RouteRequest): JsonObject {
  if (isJsonObject(body)) return body;
  throw new PostilError('BAD_REQUEST', 'The body must be a JSON object');
}

function decoded(segment: string | undefined): string {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    throw new PostilError('BAD_REQUEST', 'The path holds a percent sign that encodes nothing');
  }
}

/** The test is the one of the path, or `testUrn` of the body. */
function inputOf(body: JsonObject, inPath: string | undefined): PreviewInput {
  const { definition, sampleSize, types, testUrn } = body;
  const test = inPath ?? testUrn ?? undefined;
  if (test !== undefined && typeof test !== 'string') {
    throw new PostilError('BAD_REQUEST', "'testUrn' is the URN of a test");
  }
  if (sampleSize !== undefined && sampleSize !== null && typeof sampleSize !== 'number') {
    throw new PostilError('BAD_REQUEST', "'sampleSize' is a number");
  }
  return {
    ...(definition === undefined || definition === null ? {} : { json: textOf(definition, 'definition') }),
    ...(test === undefined ? {} : { testUrn: parseTestUrn(test) }),
    ...(typeof sampleSize === 'number' ? { sampleSize } : {}),
    ...(types === undefined || types === null ? {} : { types: typesOf(types) }),
  };
}

function asOfInputOf(body: JsonObject): AsOfInput {
  const { json: text, testUrn } = inputOf(body, undefined);
  const { urns, time } = body;
  if (!Array.isArray(urns) || !urns.every((urn) => typeof urn === 'string')) {
    throw new PostilError('BAD_REQUEST', "'urns' is a list of URNs");
  }
  if (typeof time !== 'number')
    throw new PostilError('BAD_REQUEST', "'time' is a number: milliseconds since the Unix epoch");
  return {
    ...(text === undefined ? {} : { json: text }),
    ...(testUrn === undefined ? {} : { testUrn }),
    urns: urns.map(requestedUrn),
    time,
  };
}

function typesOf(types: unknown): readonly string[] {
  if (Array.isArray(types) && types.every((type) => typeof type === 'string')) return types;
  throw new PostilError('BAD_REQUEST', "'types' is a list of entity types");
}

function proposedOf({ aspects }: JsonObject): readonly ProposedAspect[] {
  const listed: readonly unknown[] = Array.isArray(aspects) ? aspects : [];
  if (!Array.isArray(aspects))
    throw new PostilError('BAD_REQUEST', "'aspects' is a list of what is proposed");
  return listed.map((each) => {
    const { aspectName, json: body } = isRecord(each) ? each : {};
    if (typeof aspectName === 'string' && body !== undefined && body !== null) {
      return { aspectName, json: textOf(body, 'json') };
    }
    throw new PostilError('BAD_REQUEST', "A proposed aspect has an 'aspectName', and its body in 'json'");
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** JSON as text, or as it is. */
function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (isRecord(value)) return JSON.stringify(value);
  throw new PostilError('BAD_REQUEST', `'${name}' is a JSON object, or the text of one`);
}

function countOf(text: string | null): number {
  const count = text === null ? changedCountMax : Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= changedCountMax) return count;
  throw new PostilError('BAD_REQUEST', `'count' is a whole number from 1 to ${changedCountMax}, not ${text}`);
}
