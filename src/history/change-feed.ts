import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Caller } from '../auth/caller.ts';
import { canSee } from '../auth/can-see.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { createWorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import type { ChangeEvent } from './change-event.ts';
import { createEventReader } from './read-events.ts';

/** What can be listened to, by DataHub's names: what changes mean, and what was written. */
export const feedTopics = ['PlatformEvent_v1', 'MetadataChangeLog_Versioned_v1'] as const;

export type FeedTopic = (typeof feedTopics)[number];

/** One message: JSON, and the change of the log after which whoever has it goes on. */
export type FeedEvent = { readonly sequence: number; readonly value: JsonObject };

export type FeedPage = {
  readonly events: readonly FeedEvent[];
  /** Ask again with this. Also moves on over changes that have no events. */
  readonly next: number;
};

export type ChangeFeed = {
  /** Events after a change of the log, as soon as there are any, or after so many milliseconds. At most about `limit`. */
  poll(query: {
    readonly topic: FeedTopic;
    readonly after: number;
    readonly limit: number;
    readonly waitMs: number;
    readonly caller: Caller;
    readonly signal?: AbortSignal;
  }): Promise<FeedPage>;
  /** There are new changes; told by the write engine. */
  poke(): void;
};

/** How often the log is looked at where other nodes write, too. Milliseconds. */
const sharedPollMs = 250;
const pageSize = 200;
/** So much is read for one page, in characters of JSON text, and so many changes are looked at; then it is told how far it came. */
const charactersUsual = 4 * 1024 * 1024;
const changesMax = 20_000;
/** Nothing that is read for one page takes longer. */
const pageMsMax = 30_000;

/** The change log as a feed (wire 4.4): every change once, in order, from any place on, to whoever may see its entity. */
export function createChangeFeed(
  reader: Pick<AspectReader, 'changes' | 'readVersion' | 'lastSequence'>,
  isShared: boolean,
  charactersMax = charactersUsual,
): ChangeFeed {
  const waiting = new Set<() => void>();
  let pokes = 0;

  /** `isAtEnd`: there was nothing more when it was read. */
  async function read(
    topic: FeedTopic,
    after: number,
    limit: number,
    caller: Caller,
  ): Promise<FeedPage & { readonly isAtEnd: boolean }> {
    const pace = createWorkPace(pageMsMax);
    const events: FeedEvent[] = [];
    let next = after;
    let charactersRead = 0;
    for (let looked = 0; looked < changesMax; looked += pageSize) {
      const changes = await reader.changes({ after: next, count: pageSize });
      for (const change of changes) {
        // A change is told whole, so that going on after it misses nothing.
        if (events.length >= limit || charactersRead >= charactersMax) {
          return { events, next, isAtEnd: false };
        }
        await pace.step();
        const { told, characters } = await eventsIn(topic, change, caller);
        for (const event of told) events.push(event);
        charactersRead += characters;
        next = change.sequence;
      }
      if (changes.length < pageSize) return { events, next, isAtEnd: true };
    }
    return { events, next, isAtEnd: false };
  }

  async function eventsIn(
    topic: FeedTopic,
    change: Change,
    caller: Caller,
  ): Promise<{ readonly told: readonly FeedEvent[]; readonly characters: number }> {
    const { sequence } = change;
    if (!canSee(caller, change.urn) || isSecretAspect(change.aspect)) return { told: [], characters: 0 };
    if (topic === 'MetadataChangeLog_Versioned_v1') {
      const { value, characters } = await changeLogMessage(change);
      return { told: [{ sequence, value }], characters };
    }
    const { events, characters } = await createEventReader(reader)(change);
    return { told: events.map((event) => ({ sequence, value: platformEvent(change, event) })), characters };
  }

  async function changeLogMessage(
    change: Change,
  ): Promise<{ readonly value: JsonObject; readonly characters: number }> {
    const { urn, aspect, removed, versionAfter, versionBefore, time, actor } = change;
    const after = removed ? undefined : await reader.readVersion(urn, aspect, versionAfter);
    const before = versionBefore === 0 ? undefined : await reader.readVersion(urn, aspect, versionBefore);
    const generic = (text: string): JsonObject => ({ value: text, contentType: 'application/json' });
    const value = {
      entityType: urnType(urn),
      entityUrn: urn,
      changeType: removed ? 'DELETE' : 'UPSERT',
      aspectName: aspect,
      ...(after === undefined ? {} : { aspect: generic(after.text) }),
      ...(before === undefined ? {} : { previousAspectValue: generic(before.text) }),
      created: { time, actor },
    };
    return { value, characters: (after?.text.length ?? 0) + (before?.text.length ?? 0) };
  }

  /** Until somebody says that there is news, or the time is over. */
  function news(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  return {
    async poll({ topic, after, limit, waitMs, caller, signal }) {
      const last = await reader.lastSequence();
      if (after > last) {
        throw new PostilError(
          'BAD_REQUEST',
          `The log ends at change ${last}, so nothing can be read after ${after}; was another store put in its place?`,
        );
      }
      const end = performance.now() + waitMs;
      let next = after;
      for (;;) {
        const before = pokes;
        const page = await read(topic, next, limit, caller);
        const left = end - performance.now();
        if (page.events.length > 0 || left <= 0 || signal?.aborted === true) {
          return { events: page.events, next: page.next };
        }
        next = page.next;
        if (!page.isAtEnd) continue;
        // What came while the log was read may not have been in it.
        if (pokes === before) await news(isShared ? Math.min(left, sharedPollMs) : left, signal);
      }
    },
    poke() {
      pokes += 1;
      for (const wake of waiting) wake();
    },
  };
}

/** The message that DataHub's actions framework reads. */
function platformEvent(change: Change, event: ChangeEvent): JsonObject {
  const entityChange: JsonObject = {
    entityUrn: event.urn,
    entityType: urnType(event.urn),
    category: event.category,
    operation: event.operation,
    ...(event.modifier === undefined ? {} : { modifier: event.modifier }),
    parameters: event.parameters,
    auditStamp: { actor: change.actor, time: change.time },
    version: 0,
  };
  return {
    header: { timestampMillis: change.time },
    name: 'entityChangeEvent',
    payload: { value: JSON.stringify(entityChange), contentType: 'application/json' },
  };
}
