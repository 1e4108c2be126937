import { parseUrn, type Urn } from '../../urn/urn.ts';
import { chunkSpan } from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import type { VerdictRecord } from './test-state.ts';

/* When time alone may change a verdict: one record for each pair, in the order of time, and one by which it is found again. */

/** When a pair of a test and an entity has to be evaluated again; `undefined`: not for the sake of time. */
export type WakeTime = { readonly test: Urn; readonly entity: number; readonly at: number | undefined };

/** A pair that is due, with the record that says so. */
export type DueWake = { readonly test: Urn; readonly entity: number; readonly key: string };

type RecordReader = Pick<VerdictReader, 'record' | 'records'>;

const byTime = 'wake';
const byPair = 'wake-of';
const pageSize = 1_000;

/** What has to be stored so that the pairs are evaluated at these times and no other; nothing where that is so already. */
export async function wakeRecords(
  reader: RecordReader,
  wakes: readonly WakeTime[],
): Promise<readonly VerdictRecord[]> {
  const records: VerdictRecord[] = [];
  for (const wake of wakes) {
    const kept = await reader.record(byPair, pairKey(wake.test, wake.entity));
    records.push(...replaced(wake, kept === undefined ? undefined : Number(kept)));
  }
  return records;
}

/** The same for all entities of one chunk: a pair that is not among `wakes` has no time. */
export async function wakeRecordsOfChunk(
  reader: RecordReader,
  test: Urn,
  chunk: number,
  wakes: ReadonlyMap<number, number>,
  isLeftOut: (entity: number) => boolean,
): Promise<readonly VerdictRecord[]> {
  const kept = new Map<number, number>();
  const first = chunk * chunkSpan;
  for await (const { key, text } of recordsBetween(
    reader,
    pairKey(test, first),
    pairKey(test, first + chunkSpan),
  )) {
    kept.set(Number(key.slice(key.lastIndexOf('\n') + 1)), Number(text));
  }
  const entities = new Set([...kept.keys(), ...wakes.keys()]);
  return [...entities]
    .filter((entity) => !isLeftOut(entity))
    .flatMap((entity) => replaced({ test, entity, at: wakes.get(entity) }, kept.get(entity)));
}

/** Removes every time of a test. */
export async function removedWakes(reader: RecordReader, test: Urn): Promise<readonly VerdictRecord[]> {
  const records: VerdictRecord[] = [];
  for await (const { key, text } of recordsBetween(reader, `${test}\n`, `${test}\n~`)) {
    const entity = Number(key.slice(key.lastIndexOf('\n') + 1));
    records.push(...replaced({ test, entity, at: undefined }, Number(text)));
  }
  return records;
}

export async function dueWakes(
  reader: RecordReader,
  now: number,
  count: number,
): Promise<readonly DueWake[]> {
  const due = await reader.records({ kind: byTime, to: paddedTime(now + 1), count });
  return due.flatMap(({ key }) => {
    const [, test, entity] = key.split('\n');
    return test === undefined ? [] : [{ key, test: parseUrn(test), entity: Number(entity) }];
  });
}

/** When the next pair is due; Infinity when none ever is. */
export async function nextWakeTime(reader: RecordReader): Promise<number> {
  const [first] = await reader.records({ kind: byTime, count: 1 });
  return first === undefined ? Infinity : Number(first.key.slice(0, timeDigits));
}

/** Takes the record of a due pair away. */
export function spentWake({ key }: DueWake): VerdictRecord {
  return { kind: byTime, key, text: undefined };
}

function replaced({ test, entity, at }: WakeTime, kept: number | undefined): readonly VerdictRecord[] {
  if (at === kept) return [];
  const records: VerdictRecord[] = [];
  if (kept !== undefined) records.push({ kind: byTime, key: timeKey(kept, test, entity), text: undefined });
  if (at !== undefined) records.push({ kind: byTime, key: timeKey(at, test, entity), text: '{}' });
  records.push({
    kind: byPair,
    key: pairKey(test, entity),
    text: at === undefined ? undefined : String(at),
  });
  return records;
}

async function* recordsBetween(
  reader: RecordReader,
  from: string,
  to: string,
): AsyncGenerator<{ readonly key: string; readonly text: string }> {
  let start = from;
  for (;;) {
    const page = await reader.records({ kind: byPair, from: start, to, count: pageSize });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    start = `${last.key}\u0001`;
  }
}

const timeDigits = 16;

function paddedTime(time: number): string {
  return String(Math.max(0, time)).padStart(timeDigits, '0');
}

function timeKey(at: number, test: Urn, entity: number): string {
  return `${paddedTime(at)}\n${pairKey(test, entity)}`;
}

function pairKey(test: Urn, entity: number): string {
  return `${test}\n${String(entity).padStart(12, '0')}`;
}
