import type { Urn } from '../../urn/urn.ts';
import { chunkOf, hasOffset, offsetOf } from '../../verdict/chunk-set.ts';
import type { RecordedVerdictChange, VerdictReader } from '../../verdict/verdict-store.ts';
import type { SettledVerdict } from './kept-verdicts.ts';

type ChangeReader = Pick<VerdictReader, 'verdictChanges'>;

/** When an entity arrived at a verdict; NONE is that it left the scope, or is gone. */
export type EntityVerdictChange = {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly verdict: SettledVerdict | 'NONE';
  /** MD5 of the definition that was evaluated. */
  readonly definitionMd5: string;
  /** Newest sequence of the change log that the evaluation had seen. */
  readonly sequence: number;
};

const pageSize = 100;
/** Changes of one chunk that are looked through; what happened before them is not told. */
const maxChanges = 10_000;

/**
 * Since when each of these entities (offsets of one chunk) has its verdict of a test, in milliseconds. Left out is who
 * arrived longer ago than the last 10,000 changes of the chunk.
 */
export async function sinceInChunk(
  reader: ChangeReader,
  test: Urn,
  chunk: number,
  offsets: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const since = new Map<number, number>();
  const open = new Set(offsets);
  for await (const change of newestFirst(reader, { test, chunk })) {
    if (open.size === 0) break;
    for (const offset of open) {
      if (arrivalIn(change, offset) === undefined) continue;
      since.set(offset, change.time);
      open.delete(offset);
    }
  }
  return since;
}

/** The same for one entity, by its number; `undefined` when nothing is known of it. */
export async function sinceOf(reader: ChangeReader, test: Urn, number: number): Promise<number | undefined> {
  const offset = offsetOf(number);
  return (await sinceInChunk(reader, test, chunkOf(number), [offset])).get(offset);
}

/** The verdicts that an entity arrived at between two moments, newest first, at most `count` of them. */
export async function entityChanges(
  reader: ChangeReader,
  query: {
    readonly test: Urn;
    readonly number: number;
    readonly fromTime?: number;
    readonly toTime?: number;
    readonly count: number;
  },
): Promise<readonly EntityVerdictChange[]> {
  const { number, count, ...rest } = query;
  const found: EntityVerdictChange[] = [];
  for await (const change of newestFirst(reader, { ...rest, chunk: chunkOf(number) })) {
    if (found.length >= count) break;
    const verdict = arrivalIn(change, offsetOf(number));
    if (verdict === undefined) continue;
    const { time, definitionMd5, sequence } = change;
    found.push({ time, verdict, definitionMd5, sequence });
  }
  return found;
}

async function* newestFirst(
  reader: ChangeReader,
  query: { readonly test: Urn; readonly chunk: number; readonly fromTime?: number; readonly toTime?: number },
): AsyncGenerator<RecordedVerdictChange> {
  let before: number | undefined;
  for (let seen = 0; seen < maxChanges; seen += pageSize) {
    const page = await reader.verdictChanges({
      ...query,
      newestFirst: true,
      count: pageSize,
      ...(before === undefined ? {} : { before }),
    });
    yield* page;
    before = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

function arrivalIn(
  change: RecordedVerdictChange,
  offset: number,
): EntityVerdictChange['verdict'] | undefined {
  if (hasOffset(change.toPassing, offset)) return 'PASS';
  if (hasOffset(change.toFailing, offset)) return 'FAIL';
  if (hasOffset(change.toExempt, offset)) return 'EXEMPT';
  return hasOffset(change.toNone, offset) ? 'NONE' : undefined;
}
