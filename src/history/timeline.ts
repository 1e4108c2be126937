import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import { createWorkPace, type WorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { ChangeCategory, ChangeEvent, ChangeOperation, SemanticChange } from './change-event.ts';
import { createEventReader, type EventReader } from './read-events.ts';

/** Changes of one entity that a timeline tells of, the newest ones. */
const changesUsual = 5_000;
const pageSize = 500;
/** So much is read for what one timeline tells, in characters of JSON text, and so many events are told; what is older is left out. */
const charactersUsual = 32 * 1024 * 1024;
const eventsUsual = 20_000;
/** As long as a query may take. */
const timelineMsMax = 10_000;
/** What is older is read for the numbers of versions alone, as long as that is quick and the changes are not too many. */
const countedChangesMax = 200_000;
const countedMsUsual = 2_000;

/** What one command did to one entity. */
export type ChangeTransaction = {
  /** Number of its first change in the log. */
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly actor: string;
  readonly command: string;
  readonly events: readonly LoggedEvent[];
  /**
   * Version of the entity after it, as DataHub counts: `1.4.0`; every change before it counts, of whatever category. `undefined`
   * where these are too many to be looked at: a version that is told is the same whatever is asked for.
   */
  readonly version: string | undefined;
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

/** How much is looked at; what is absent is as usual. */
export type TimelineLimits = {
  readonly changes?: number;
  readonly characters?: number;
  readonly events?: number;
  readonly countedMs?: number;
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
  most: TimelineLimits = {},
): Promise<readonly ChangeTransaction[]> {
  const { urn, categories = [], from = 0, to = Number.MAX_SAFE_INTEGER } = query;
  if (from > to) {
    throw new PostilError('BAD_REQUEST', `The timeline cannot start at ${from} and end before, at ${to}.`);
  }
  const { commands, older } = await commandsOf(reader, urn, to, most);
  const version = { major: 0, minor: 0, patch: 0 };
  for (const semantic of older ?? []) advance(version, semantic);
  const transactions: ChangeTransaction[] = [];
  for (const { first, events: all } of commands) {
    advance(version, greatest(all));
    const events =
      categories.length === 0 ? all : all.filter(({ category }) => categories.includes(category));
    if (events.length === 0 || first.time < from) continue;
    transactions.push({
      sequence: first.sequence,
      time: first.time,
      actor: first.actor,
      command: first.command,
      events,
      version: older === undefined ? undefined : `${version.major}.${version.minor}.${version.patch}`,
      semantic: greatest(events),
      operation: operationOf(events),
    });
  }
  return transactions;
}

type CommandEvents = { readonly first: Change; readonly events: readonly LoggedEvent[] };

type History = {
  /** What is told, oldest first. */
  readonly commands: readonly CommandEvents[];
  /** What commands before these came to, oldest first; `undefined` when they are too many to be looked at. */
  readonly older: readonly SemanticChange[] | undefined;
};

/** What commands up to a time did to the entity; read from the newest back. */
async function commandsOf(reader: LogReader, urn: Urn, to: number, limits: TimelineLimits): Promise<History> {
  const { changes: changesMax = changesUsual, countedMs = countedMsUsual } = limits;
  const { characters: charactersMax = charactersUsual, events: eventsMax = eventsUsual } = limits;
  const pace = createWorkPace(timelineMsMax);
  const eventsIn = createEventReader(reader);
  const { changes, isWhole } = await changesOf(reader, urn, to, pace);
  const commands = byCommand(changes);
  const newestFirst: CommandEvents[] = [];
  let charactersRead = 0;
  let eventsFound = 0;
  let changesFound = 0;
  while (charactersRead < charactersMax && eventsFound < eventsMax && changesFound < changesMax) {
    const command = commands.pop();
    const first = command?.[0];
    if (command === undefined || first === undefined) break;
    const { events, characters } = await eventsOf(command, eventsIn, pace);
    charactersRead += characters;
    eventsFound += events.length;
    changesFound += command.length;
    if (events.length > 0) newestFirst.push({ first, events });
  }
  const older = isWhole ? await semanticsOf(commands, eventsIn, countedMs) : undefined;
  return { commands: newestFirst.toReversed(), older };
}

/** What commands came to, in their order; `undefined` when it takes too long to say. */
async function semanticsOf(
  commands: readonly (readonly Change[])[],
  eventsIn: EventReader,
  msMax: number,
): Promise<readonly SemanticChange[] | undefined> {
  const pace = createWorkPace(msMax);
  const newestFirst: SemanticChange[] = [];
  try {
    for (const command of commands.toReversed()) {
      const { events } = await eventsOf(command, eventsIn, pace);
      if (events.length > 0) newestFirst.push(greatest(events));
    }
  } catch (error) {
    if (error instanceof PostilError && error.code === 'TIMED_OUT') return undefined;
    throw error;
  }
  return newestFirst.toReversed();
}

async function eventsOf(
  command: readonly Change[],
  eventsIn: EventReader,
  pace: WorkPace,
): Promise<{ readonly events: readonly LoggedEvent[]; readonly characters: number }> {
  const byChange: (readonly LoggedEvent[])[] = [];
  let characters = 0;
  for (const change of command.toReversed()) {
    await pace.step();
    const read = await eventsIn(change);
    characters += read.characters;
    byChange.push(read.events.map((event) => ({ ...event, sequence: change.sequence })));
  }
  const events = byChange.toReversed().flat();
  // An entity is first created and then described, though its key is stored last.
  events.sort((left, right) => Number(right.operation === 'CREATE') - Number(left.operation === 'CREATE'));
  return { events, characters };
}

/** The changes that were made up to a time, oldest first; of very many the newest. */
async function changesOf(
  reader: LogReader,
  urn: Urn,
  to: number,
  pace: WorkPace,
): Promise<{ readonly changes: readonly Change[]; readonly isWhole: boolean }> {
  const newestFirst: Change[] = [];
  let before: number | undefined;
  while (newestFirst.length < countedChangesMax) {
    await pace.step();
    const page = await reader.changesOf({
      urn,
      ...(before === undefined ? {} : { before }),
      count: pageSize,
    });
    newestFirst.push(...page.filter(({ time }) => time <= to));
    if (page.length < pageSize) return { changes: newestFirst.toReversed(), isWhole: true };
    before = page.at(-1)?.sequence;
  }
  return { changes: newestFirst.toReversed(), isWhole: false };
}

function byCommand(changes: readonly Change[]): (readonly Change[])[] {
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
