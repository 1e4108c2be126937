import type { AspectReader } from '../aspect/aspect-store.ts';
import { PostilError } from '../errors/postil-error.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { isTestable } from './property-catalogue.ts';

type ChangeReader = Pick<AspectReader, 'changes' | 'lastSequence' | 'existing'>;

/** A part of what was changed. */
export type ChangedEntities = {
  /** Existing entities that tests can be about, sorted; one that was changed often may be in several parts. */
  readonly urns: readonly Urn[];
  /** The newest change when the first part was asked for. */
  readonly sequence: number;
  /** What to ask the next part with; `undefined` after the last one. */
  readonly cursor: string | undefined;
};

const pageSize = 1_000;
/** Changes that are read for one part. */
const changesMax = 20_000;

export const changedCountMax = 1_000;

/**
 * Entities that were themselves changed after `since`, a sequence of the change log or a point in time as ISO-8601 text; or
 * the part of them that a cursor leads to. What was stored about tests is no change. At most `count` of them, so that they
 * can be evaluated together. Throws BAD_REQUEST.
 */
export async function changedEntities(
  reader: ChangeReader,
  from: { readonly since: string } | { readonly cursor: string },
  count: number,
): Promise<ChangedEntities> {
  const place = 'cursor' in from ? placeOf(from.cursor) : undefined;
  const last = place?.last ?? (await reader.lastSequence());
  let after = place?.after ?? ('since' in from ? await sequenceOf(reader, from.since, last) : last);
  const changed = new Set<Urn>();
  for (let read = 0; after < last && changed.size < count && read < changesMax; read += pageSize) {
    const page = await reader.changes({ after, count: pageSize });
    if (page.length === 0) after = last;
    for (const { sequence, urn, aspect } of page) {
      if (sequence > last || changed.size >= count) break;
      if (aspect !== 'testResults' && isTestable(urnType(urn))) changed.add(urn);
      after = sequence;
    }
  }
  const existing = await reader.existing([...changed]);
  return {
    urns: [...existing].toSorted(),
    sequence: last,
    cursor: after < last ? `${after}-${last}` : undefined,
  };
}

function placeOf(cursor: string): { readonly after: number; readonly last: number } {
  const [, after, last] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (after !== undefined && last !== undefined) return { after: Number(after), last: Number(last) };
  throw new PostilError(
    'BAD_REQUEST',
    `'cursor' is what the part before answered, not ${JSON.stringify(cursor)}`,
  );
}

/** The last sequence that does not count. */
async function sequenceOf(reader: ChangeReader, since: string, last: number): Promise<number> {
  if (/^\d{1,15}$/.test(since)) return Number(since);
  const time = /^\d{4}-\d{2}-\d{2}/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) {
    const forms = 'a sequence of the change log, or a time such as 2026-01-31T12:00Z';
    throw new PostilError('BAD_REQUEST', `What was changed is asked for since ${forms}, not ${since}`);
  }
  return sequenceAt(reader, time, last);
}

/** The last sequence before a moment, in milliseconds; 0 when there is none. */
export async function sequenceAt(
  reader: Pick<AspectReader, 'changes'>,
  time: number,
  last: number,
): Promise<number> {
  // Times grow with the sequence, so the first change that counts is found by halves.
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await reader.changes({ after: middle, count: 1 });
    if (next === undefined || next.time >= time) high = middle;
    else low = next.sequence;
  }
  return low;
}
