import type { JsonObject } from '../aspect/json.ts';
import type { Caller } from '../auth/caller.ts';
import { canSee } from '../auth/can-see.ts';
import { requestedUrn } from '../entity/graphql-types.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route, RouteRequest } from '../http/route.ts';
import { type ChangeCategory, isChangeCategory } from './change-event.ts';
import { type ChangeFeed, type FeedTopic, feedTopics } from './change-feed.ts';
import { createSeats } from './seats.ts';
import { type ChangeTransaction, timelineOf } from './timeline.ts';

const eventsMax = 1_000;
const eventsDefault = 100;
const pollSecondsMax = 60;
const pollSecondsDefault = 10;
/** A stream says that it is alive, so that what is between keeps it open. Milliseconds. */
const heartbeatMs = 15_000;
/** Whoever waits holds a connection, and one user must not keep all others out. */
const streamSeats = { all: 200, each: 20 };
const pollSeats = { all: 500, each: 50 };
/** Then the listener comes back with where it stopped, and its rights are looked at again. Milliseconds. */
const streamMsMax = 5 * 60_000;

/**
 * The history over HTTP, as DataHub's clients ask for it (wire 4.4): the timeline of an entity, and the change feed, polled or
 * streamed as server-sent events (the stream is ours).
 */
export function historyRoutes(feed: ChangeFeed, answerError: Route['answerError']): readonly Route[] {
  const get = { method: 'GET', bodyBytesMax: 0, answerError } as const;
  const streams = createSeats('event streams', streamSeats);
  const polls = createSeats('waiting polls', pollSeats);
  return [
    {
      ...get,
      path: '/openapi/v2/timeline/v1/{urn}',
      async handle({ pathParameters, query, caller, services }) {
        const urn = requestedUrn(decoded(pathParameters['urn'] ?? ''));
        if (!canSee(requireCaller(caller), urn)) {
          throw new PostilError('ENTITY_NOT_FOUND', `${urn} does not exist.`);
        }
        const transactions = await timelineOf(services.reader, {
          urn,
          categories: query
            .getAll('categories')
            .flatMap((each) => each.split(','))
            .map(requireCategory),
          ...bound('from', query.get('startTime')),
          ...bound('to', query.get('endTime')),
        });
        return { status: 200, body: JSON.stringify(transactions.map(transactionAnswer)) };
      },
    },
    {
      ...get,
      path: '/openapi/v1/events/poll',
      async handle(request) {
        const { query } = request;
        const caller = requireCaller(request.caller);
        const asked = {
          topic: requireTopic(query.get('topic')),
          after: await placeIn(request, query.get('offsetId')),
          limit: wholeNumber('limit', query.get('limit'), eventsDefault, 1, eventsMax),
          waitMs:
            1_000 *
            wholeNumber(
              'pollTimeoutSeconds',
              query.get('pollTimeoutSeconds'),
              pollSecondsDefault,
              0,
              pollSecondsMax,
            ),
          caller,
        };
        const free = polls.take(caller.actor);
        const page = await feed.poll(asked).finally(free);
        // Who lost their rights while they waited is not told what came.
        if (!isSameCaller(caller, await request.currentCaller())) throw unauthenticated();
        const events = page.events.map(({ value }) => ({
          contentType: 'application/json',
          value: JSON.stringify(value),
        }));
        const body = JSON.stringify({ offsetId: String(page.next), count: events.length, events });
        return { status: 200, body };
      },
    },
    {
      ...get,
      path: '/openapi/v1/events/stream',
      async handle(request) {
        const { query } = request;
        const caller = requireCaller(request.caller);
        const topic = requireTopic(query.get('topic'));
        const place = await placeIn(request, request.lastEventId ?? query.get('offsetId'));
        // Told now, while there is a status to tell it with.
        streams.take(caller.actor)();
        return {
          status: 200,
          async stream(send, signal) {
            const free = streams.take(caller.actor);
            try {
              let after = place;
              // Where the stream begins, so that whoever loses it before the first event knows where to go on.
              await send(`id: ${after}\nevent: place\ndata: {}\n\n`);
              const end = performance.now() + streamMsMax;
              while (!signal.aborted && performance.now() < end) {
                const page = await feed.poll({
                  topic,
                  after,
                  limit: eventsDefault,
                  waitMs: heartbeatMs,
                  caller,
                  signal,
                });
                // Who comes back is asked who they are; here nobody is told what they may no longer see.
                if (!isSameCaller(caller, await request.currentCaller())) return;
                for (const { value } of page.events.slice(0, -1)) await send(message(value, undefined));
                // The place is told with the last event of a page: nothing of it is missed by going on there.
                const last = page.events.at(-1);
                if (last !== undefined) await send(message(last.value, page.next));
                else await send(`id: ${page.next}\n: nothing new\n\n`);
                after = page.next;
              }
            } finally {
              free();
            }
          },
        };
      },
    },
  ];
}

function message(value: JsonObject, place: number | undefined): string {
  return `${place === undefined ? '' : `id: ${place}\n`}data: ${JSON.stringify(value)}\n\n`;
}

function transactionAnswer(transaction: ChangeTransaction): object {
  const { time, actor, version, semantic, events, sequence } = transaction;
  return {
    timestamp: time,
    actor,
    semVer: version ?? null,
    semVerChange: semantic,
    changeEvents: events.map((event) => ({
      entityUrn: event.urn,
      category: event.category,
      operation: event.operation,
      ...(event.modifier === undefined ? {} : { modifier: event.modifier }),
      semVerChange: event.semantic,
      description: event.description,
      parameters: event.parameters,
    })),
    versionStamp: String(sequence),
  };
}

function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw unauthenticated();
  return caller;
}

function unauthenticated(): PostilError {
  return new PostilError('UNAUTHENTICATED', 'Unauthorized to perform this action.');
}

/** Whether somebody may still do all that they might when they began to wait. */
function isSameCaller(before: Caller, now: Caller | undefined): boolean {
  return now !== undefined && before.privileges.isSubsetOf(now.privileges);
}

function requireTopic(text: string | null): FeedTopic {
  const topic = feedTopics.find((each) => each === (text ?? feedTopics[0]));
  if (topic === undefined) {
    throw new PostilError('BAD_REQUEST', `There is no topic ${text}; there are ${feedTopics.join(' and ')}.`);
  }
  return topic;
}

function requireCategory(text: string): ChangeCategory {
  if (isChangeCategory(text)) return text;
  throw new PostilError('BAD_REQUEST', `There is no category ${text} of changes.`);
}

/** Without a place it begins with what comes from now on, as DataHub's does. */
async function placeIn({ services }: RouteRequest, text: string | null): Promise<number> {
  if (text === null || text === '') return services.reader.lastSequence();
  return wholeNumber('offsetId', text, 0, 0, Number.MAX_SAFE_INTEGER);
}

function wholeNumber(
  name: string,
  text: string | null,
  otherwise: number,
  least: number,
  most: number,
): number {
  if (text === null || text === '') return otherwise;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new PostilError(
    'BAD_REQUEST',
    `${name} is a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`,
  );
}

function bound(name: 'from' | 'to', text: string | null): { readonly from?: number; readonly to?: number } {
  // Clients of DataHub send 0 or -1 for an end that is open.
  if (text === null || text === '' || text === '0' || text === '-1') return {};
  return {
    [name]: wholeNumber(name === 'from' ? 'startTime' : 'endTime', text, 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PostilError(
      'INVALID_URN',
      `${JSON.stringify(text)} is not percent-encoded as a URN in a path is.`,
    );
  }
}
