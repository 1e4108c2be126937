import { isJsonObject, isNestedDeeper, jsonDepthMax } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route, RouteAnswer } from '../http/route.ts';
import { ingestAll, ingestProposals } from '../ingest/ingest-proposals.ts';
import { parseProposal, systemMetadataOf } from '../ingest/proposal.ts';
import type { Proposal } from '../ingest/proposal.ts';
import { parseSnapshot } from '../ingest/snapshot.ts';
import { verbatimNumbersOf } from '../ingest/verbatim-numbers.ts';
import type { VerbatimNumbers } from '../ingest/verbatim-numbers.ts';
import { restliErrorAnswer } from './restli-error.ts';

/** Clients keep requests below 15 MiB; DataHub takes 16 (wire 2.2). */
const bodyBytesMax = 16 * 1024 * 1024;
/** Clients send at most 200 (wire 2.2); one command holds up all others, so there is an end to it. */
const proposalsMax = 5_000;

type IngestRoute = Pick<Route, 'path' | 'handle'> & { readonly action: string };

const empty: RouteAnswer = { status: 200 };

/** The four actions by which rest.li clients write (wire 3.1 to 3.3). All wait until the write is durable. */
const ingestions: readonly IngestRoute[] = [
  {
    path: '/aspects',
    action: 'ingestProposal',
    async handle({ body, services }) {
      const proposal = parseProposal(required(bodyOf(body), 'proposal'));
      await services.execute(ingestProposals, [proposal]);
      return { status: 200, body: JSON.stringify({ value: proposal.urn }) };
    },
  },
  {
    path: '/aspects',
    action: 'ingestProposalBatch',
    async handle({ body, services }) {
      const proposals = readAll(listOf(bodyOf(body), 'proposals'), 'Proposal', (each) => [
        parseProposal(each),
      ]);
      await ingestAll(proposals, services.execute);
      return { status: 200, body: '{"value":"success"}' };
    },
  },
  {
    path: '/entities',
    action: 'ingest',
    async handle({ body, bodyText, services }) {
      const request = bodyOf(body);
      const numbers = numbersOf(bodyText);
      const numbered = memberOf(numbers?.tree, 'entity');
      const metadata = request['systemMetadata'];
      await services.execute(
        ingestProposals,
        snapshotOf(required(request, 'entity'), metadata, numbers, numbered),
      );
      return empty;
    },
  },
  {
    path: '/entities',
    action: 'batchIngest',
    async handle({ body, bodyText, services }) {
      const request = bodyOf(body);
      const entities = listOf(request, 'entities');
      const metadata = request['systemMetadata'] ?? [];
      if (!isList(metadata) || (metadata.length > 0 && metadata.length !== entities.length)) {
        throw refused("Parameter 'systemMetadata' must be a list with one element for each of 'entities'");
      }
      const numbers = numbersOf(bodyText);
      const numbered = memberOf(numbers?.tree, 'entities');
      const proposals = readAll(entities, 'Entity', (entity, index) =>
        snapshotOf(entity, metadata[index], numbers, isList(numbered) ? numbered[index] : undefined),
      );
      await ingestAll(proposals, services.execute);
      return empty;
    },
  },
];

export const ingestRoutes: readonly Route[] = ingestions.map((route) => ({
  ...route,
  method: 'POST',
  bodyBytesMax,
  answerError: restliErrorAnswer,
}));

function snapshotOf(
  entity: JsonValue,
  metadata: JsonValue | undefined,
  numbers: VerbatimNumbers | undefined,
  numbered: JsonValue | undefined,
): readonly Proposal[] {
  const systemMetadata = systemMetadataOf(metadata, 'the entity');
  return parseSnapshot(memberOf(entity, 'value'), systemMetadata, numbers, memberOf(numbered, 'value'));
}

/** Errors name the element of the list, counted from 1. */
function readAll(
  list: readonly JsonValue[],
  what: string,
  read: (value: JsonValue, index: number) => readonly Proposal[],
): readonly Proposal[] {
  const proposals: Proposal[] = [];
  for (const [index, value] of list.entries()) {
    try {
      for (const proposal of read(value, index)) proposals.push(proposal);
    } catch (error) {
      if (!(error instanceof PostilError)) throw error;
      const message = `${what} ${index + 1} of ${list.length}: ${error.message}`;
      throw new PostilError(error.code, message, { cause: error, details: error.details });
    }
  }
  if (proposals.length > proposalsMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `The request holds ${proposals.length} aspects, ${proposalsMax} are the limit; send several requests`,
    );
  }
  return proposals;
}

function bodyOf(body: unknown): JsonObject {
  if (isJsonObject(body)) {
    if (!isNestedDeeper(body)) return body;
    throw refused(`The body is nested more than ${jsonDepthMax} levels deep`);
  }
  throw refused('The body must be a JSON object with the parameters of the action');
}

function required(body: JsonObject, parameter: string): JsonValue {
  const value = body[parameter];
  if (value === undefined || value === null) throw refused(`Parameter '${parameter}' is required`);
  return value;
}

function listOf(body: JsonObject, parameter: string): readonly JsonValue[] {
  const value = required(body, parameter);
  if (!isList(value)) throw refused(`Parameter '${parameter}' must be a list`);
  return value;
}

function numbersOf(bodyText: string | undefined): VerbatimNumbers | undefined {
  return bodyText === undefined ? undefined : verbatimNumbersOf(bodyText);
}

function memberOf(value: JsonValue | undefined, member: string): JsonValue | undefined {
  return isJsonObject(value) ? value[member] : undefined;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
