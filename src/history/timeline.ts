import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { ChangeCategory, ChangeEvent, ChangeOperation, SemanticChange } from './change-event.ts';
import { changeEventsOf } from './change-events.ts';

/** Changes of one entity that a timeline looks at, the newest ones. */
const changesMax = 5_000;
const pageSize = 500;

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
 * Throws BAD_REQUEST for bounds in the wrong order.
 */
export async function timelineOf(
  reader: LogReader,
  query: TimelineQuery,
): Promise<readonly ChangeTransaction[]> {
  const { urn, categories = [], from = 0, to = Number.MAX_SAFE_INTEGER } = query;
  if (from > to) {
    throw new PostilError('BAD_REQUEST', `The timeline cannot start at ${from} and end before, at ${to}.`);
  }
  const version = { major: 0, minor: 0, patch: 0 };
  const transactions: ChangeTransaction[] = [];
  for (const changes of byCommand(await changesOf(reader, urn))) {
    const [first] = changes;
    const all: LoggedEvent[] = [];
    for (const change of changes) {
      for (const event of await eventsOfChange(reader, change))
        all.push({ ...event, sequence: change.sequence });
    }
    if (first === undefined || all.length === 0) continue;
    // An entity is first created and then described, though its key is stored last.
    all.sort((left, right) => Number(right.operation === 'CREATE') - Number(left.operation === 'CREATE'));
    const semantic = greatest(all);
    advance(version, semantic);
    const events =
      categories.length === 0 ? all : all.filter(({ category }) => categories.includes(category));
    if (events.length === 0 || first.time < from || first.time > to) continue;
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

/** What one row of the log did. */
export async function eventsOfChange(
  reader: Pick<AspectReader, 'readVersion'>,
  change: Change,
): Promise<readonly ChangeEvent[]> {
  const { urn, aspect, versionBefore, versionAfter, removed } = change;
  const before = await bodyOf(reader, urn, aspect, versionBefore);
  const after = removed ? undefined : await bodyOf(reader, urn, aspect, versionAfter);
  return changeEventsOf(urn, aspect, before, after);
}

/** The body of a version; `undefined` for 0 and for the removal of an aspect. */
async function bodyOf(
  reader: Pick<AspectReader, 'readVersion'>,
  urn: Urn,
  aspect: string,
  version: number,
): Promise<JsonObject | undefined> {
  return version === 0 ? undefined : (await reader.readVersion(urn, aspect, version))?.body;
}

async function changesOf(reader: LogReader, urn: Urn): Promise<readonly Change[]> {
  const newestFirst: Change[] = [];
  while (newestFirst.length < changesMax) {
    const before = newestFirst.at(-1)?.sequence;
    const page = await reader.changesOf({
      urn,
      ...(before === undefined ? {} : { before }),
      count: pageSize,
    });
    newestFirst.push(...page);
    if (page.length < pageSize) break;
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
