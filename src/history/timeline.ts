import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import { createWorkPace, type WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { ChangeCategory, ChangeEvent, ChangeOperation, SemanticChange } from './change-event.ts';
import { createEventReader } from './read-events.ts';

/** Changes of one entity that a timeline looks at, the newest ones. */
const changesMax = 5_000;
const pageSize = 500;
/** So much is read for one timeline, in characters of JSON text, and so many events are told; what is older is left out. */
const charactersUsual = 32 * 1024 * 1024;
const eventsUsual = 20_000;
/** As long as a query may take. */
const timelineMsMax = 10_000;

/** What one command did to one entity. */
export type ChangeTransaction = {
  /** Number of its first change in the log. */
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly actor: string;
  readonly command: string;
  readonly events: readonly LoggedEvent[];
  /** Version of the entity after it, as DataHub counts: `1.4.0`; every change before it counts, of whatever category. */
  readonly version: string;
  readonly semantic: SemanticChange;
  readonly operation: ChangeOperation;
};

/** An event with the number of the change in the log, by which it can be undone. */
export type LoggedEvent = ChangeEvent & { readonly sequence: number };

export type TimelineQuery = {
  readonly urn: Urn;
  /** Absent or empty: all. */
  readonly categories?: readonly ChangeCategory[];
  /** Bounds in milliseconds since the Unix epoch, both included. */
  readonly from?: number;
  readonly to?: number;
};

type LogReader = Pick<AspectReader, 'changesOf' | 'readVersion'>;

/**
 * What changed on an entity, oldest first, a transaction for each command that did something the timeline speaks of (wire 4.4).
 * Of an entity with a very long or very wide history it tells the newest part before `to`; by moving `to`, all of it can be read.
 * Throws BAD_REQUEST for bounds in the wrong order, TIMED_OUT.
 */
export async function timelineOf(
  reader: LogReader,
  query: TimelineQuery,
  most: { readonly characters?: number; readonly events?: number } = {},
): Promise<readonly ChangeTransaction[]> {
  const { urn, categories = [], from = 0, to = Number.MAX_SAFE_INTEGER } = query;
  if (from > to) {
    throw new PostilError('BAD_REQUEST', `The timeline cannot start at ${from} and end before, at ${to}.`);
  }
  const version = { major: 0, minor: 0, patch: 0 };
  const transactions: ChangeTransaction[] = [];
  for (const { first, events: all } of await commandsOf(reader, urn, to, most)) {
    const semantic = greatest(all);
    advance(version, semantic);
    const events =
      categories.length === 0 ? all : all.filter(({ category }) => categories.includes(category));
    if (events.length === 0 || first.time < from) continue;
    transactions.push({
      sequence: first.sequence,
      time: first.time,
      actor: first.actor,
      command: first.command,
      events,
      version: `${version.major}.${version.minor}.${version.patch}`,
      semantic: greatest(events),
      operation: operationOf(events),
    });
  }
  return transactions;
}

type CommandEvents = { readonly first: Change; readonly events: readonly LoggedEvent[] };

/** What commands up to a time did to the entity, oldest first; read from the newest back until it is enough. */
async function commandsOf(
  reader: LogReader,
  urn: Urn,
  to: number,
  {
    characters: charactersMax = charactersUsual,
    events: eventsMax = eventsUsual,
  }: { readonly characters?: number; readonly events?: number },
): Promise<readonly CommandEvents[]> {
  const pace = createWorkPace(timelineMsMax);
  const eventsIn = createEventReader(reader);
  const newestFirst: CommandEvents[] = [];
  let charactersRead = 0;
  let eventsFound = 0;
  for (const changes of byCommand(await changesOf(reader, urn, to, pace)).toReversed()) {
    if (charactersRead >= charactersMax || eventsFound >= eventsMax) break;
    const [first] = changes;
    const byChange: (readonly LoggedEvent[])[] = [];
    for (const change of changes.toReversed()) {
      await pace.step();
      const read = await eventsIn(change);
      charactersRead += read.characters;
      byChange.push(read.events.map((event) => ({ ...event, sequence: change.sequence })));
    }
    const events = byChange.toReversed().flat();
    if (first === undefined || events.length === 0) continue;
    eventsFound += events.length;
    // An entity is first created and then described, though its key is stored last.
    events.sort((left, right) => Number(right.operation === 'CREATE') - Number(left.operation === 'CREATE'));
    newestFirst.push({ first, events });
  }
  return newestFirst.toReversed();
}

/** The newest changes that were made up to a time, oldest first. */
async function changesOf(
  reader: LogReader,
  urn: Urn,
  to: number,
  pace: WorkPace,
): Promise<readonly Change[]> {
  const newestFirst: Change[] = [];
  let before: number | undefined;
  while (newestFirst.length < changesMax) {
    await pace.step();
    const page = await reader.changesOf({
      urn,
      ...(before === undefined ? {} : { before }),
      count: pageSize,
    });
    newestFirst.push(...page.filter(({ time }) => time <= to));
    if (page.length < pageSize) break;
    before = page.at(-1)?.sequence;
  }
  return newestFirst.toReversed();
}

function byCommand(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups = new Map<number, Change[]>();
  for (const change of changes) {
    const group = groups.get(change.commit) ?? [];
    groups.set(change.commit, group);
    group.push(change);
  }
  return [...groups.values()];
}

const ranks: Readonly<Record<SemanticChange, number>> = { PATCH: 0, MINOR: 1, MAJOR: 2 };

function greatest(events: readonly ChangeEvent[]): SemanticChange {
  return events.reduce<SemanticChange>(
    (found, { semantic }) => (ranks[semantic] > ranks[found] ? semantic : found),
    'PATCH',
  );
}

function advance(version: { major: number; minor: number; patch: number }, semantic: SemanticChange): void {
  if (semantic === 'MAJOR') Object.assign(version, { major: version.major + 1, minor: 0, patch: 0 });
  else if (semantic === 'MINOR') Object.assign(version, { minor: version.minor + 1, patch: 0 });
  else version.patch += 1;
}

/** What all events have in common, else MODIFY. */
function operationOf(events: readonly ChangeEvent[]): ChangeOperation {
  const [first] = events;
  if (first === undefined) return 'MODIFY';
  return events.every(({ operation }) => operation === first.operation) ? first.operation : 'MODIFY';
}
