import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { chunkOf, chunkSpan, offsetOf, offsetsIn } from '../../verdict/chunk-set.ts';
import type { ChunkSet } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictReader } from '../../verdict/verdict-store.ts';
import type { TestDefinition } from '../predicate.ts';
import { graceDaysOf } from '../read-keys.ts';
import type { LibraryTest } from '../test-library.ts';
import { sinceInChunk } from './verdict-changes.ts';

export const listedVerdicts = ['PASS', 'FAIL', 'EXEMPT', 'ERROR'] as const;

/** ERROR: what could not be decided the last time; it may be listed under its earlier verdict as well. */
export type ListedVerdict = (typeof listedVerdicts)[number];

export type ResultEntity = {
  readonly urn: Urn;
  /** Since when it has the verdict, in milliseconds since the Unix epoch; null when that is too long ago to tell. */
  readonly since: number | null;
  /** It fails, but for less than the days of grace of the definition. */
  readonly pending: boolean;
  /** When the days of grace end; null unless it is pending. */
  readonly pendingUntil: number | null;
};

export type ResultPage = {
  readonly test: Urn;
  readonly verdict: ListedVerdict;
  /** How many have the verdict, on all pages. */
  readonly total: number;
  readonly entities: readonly ResultEntity[];
  /** Asks for the next page; null after the last one. */
  readonly cursor: string | null;
};

export const resultPageMax = 1_000;
const dayMs = 86_400_000;

const setNames = {
  PASS: 'passing',
  FAIL: 'failing',
  EXEMPT: 'exempt',
  ERROR: 'undecided',
} as const satisfies Record<ListedVerdict, keyof ChunkVerdicts>;

type Reader = Pick<VerdictReader, 'chunksOf' | 'verdictsIn' | 'urnsOf' | 'counts' | 'verdictChanges'>;

/**
 * Entities with a verdict of a test, in the order of their numbers. A cursor is the number of the last entity, so it stays
 * good while others write: nobody who keeps the verdict is skipped or told twice. Throws BAD_REQUEST for a cursor that
 * was not answered by an earlier page, LIMIT_EXCEEDED for pages beyond 1,000.
 */
export async function resultEntities(
  reader: Reader,
  { urn: test, compiled }: LibraryTest,
  query: { readonly verdict: ListedVerdict; readonly cursor?: string | undefined; readonly count: number },
  now: number,
): Promise<ResultPage> {
  const { verdict, count } = query;
  if (count < 1 || count > resultPageMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `count is ${count}; one page has 1 to ${resultPageMax} entities.`,
    );
  }
  const after = query.cursor === undefined ? -1 : numberOfCursor(query.cursor);
  const numbers = await numbersAfter(reader, test, setNames[verdict], after, count + 1);
  const page = numbers.slice(0, count);
  const urns = await reader.urnsOf(page);
  const since = await sinceOfNumbers(reader, test, page);
  const graceMs = verdict === 'FAIL' ? graceMsOf(compiled.definition) : 0;
  const entities = page.flatMap((number): readonly ResultEntity[] => {
    const urn = urns.get(number);
    if (urn === undefined) return [];
    const from = since.get(number) ?? null;
    return [{ urn, since: from, ...pendingOf(from, graceMs, now) }];
  });
  const last = page.at(-1);
  const counts = await reader.counts(test);
  return {
    test,
    verdict,
    total: counts[setNames[verdict]],
    entities,
    cursor: numbers.length > count && last !== undefined ? cursorOf(last) : null,
  };
}

/** How long a newly failing entity is pending. */
export function graceMsOf(definition: TestDefinition): number {
  return graceDaysOf(definition) * dayMs;
}

/** Whether who fails since then is still within the days of grace (specification 3.3, `graceDays`). */
export function pendingOf(
  since: number | null,
  graceMs: number,
  now: number,
): Pick<ResultEntity, 'pending' | 'pendingUntil'> {
  const pending = since !== null && now < since + graceMs;
  return { pending, pendingUntil: pending ? since + graceMs : null };
}

async function numbersAfter(
  reader: Reader,
  test: Urn,
  name: keyof ChunkVerdicts,
  after: number,
  count: number,
): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (const chunk of await reader.chunksOf(test)) {
    if (chunk < chunkOf(Math.max(after, 0))) continue;
    const set = (await reader.verdictsIn(chunk, [test])).get(test)?.[name];
    for (const number of set === undefined ? [] : numbersIn(set, chunk)) {
      if (number <= after) continue;
      numbers.push(number);
      if (numbers.length === count) return numbers;
    }
  }
  return numbers;
}

function* numbersIn(set: ChunkSet, chunk: number): Generator<number> {
  for (const offset of offsetsIn(set)) yield chunk * chunkSpan + offset;
}

async function sinceOfNumbers(
  reader: Reader,
  test: Urn,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const since = new Map<number, number>();
  for (const [chunk, members] of Map.groupBy(numbers, chunkOf)) {
    const times = await sinceInChunk(reader, test, chunk, members.map(offsetOf));
    for (const [offset, time] of times) since.set(chunk * chunkSpan + offset, time);
  }
  return since;
}

const cursorPrefix = 'n';

function cursorOf(number: number): string {
  return Buffer.from(`${cursorPrefix}${number}`).toString('base64url');
}

function numberOfCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const number = /^n(\d{1,15})$/.exec(text)?.[1];
  if (number !== undefined && cursorOf(Number(number)) === cursor) return Number(number);
  throw new PostilError(
    'BAD_REQUEST',
    `The cursor ${JSON.stringify(cursor)} is none that a page answered; leave it out to begin.`,
  );
}
