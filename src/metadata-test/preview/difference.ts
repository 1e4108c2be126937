import type { Urn } from '../../urn/urn.ts';
import {
  addMembers,
  type ChunkSet,
  chunkSpan,
  emptyChunkSet,
  minus,
  offsetsIn,
  sizeOfSet,
} from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { createPace } from '../keeping/pace.ts';
import type { CountedVerdicts, ChunkOutcome } from './count-verdicts.ts';
import type { PreviewDifference, VerdictMove } from './preview.ts';

/** Entities that are named of each move. */
const shownMax = 20;

type Move = { count: number; readonly numbers: number[] };

/**
 * Compares what was counted with the verdicts that are stored of a test, chunk by chunk. Entities that were not looked at,
 * could not be decided, or are of types that were left out are in no move. `canSee`: others are counted, not named.
 */
export async function differenceTo(
  verdicts: VerdictReader,
  test: Urn,
  counted: CountedVerdicts,
  types: { readonly looked: readonly string[]; readonly all: boolean },
  canSee: (urn: Urn) => boolean,
): Promise<PreviewDifference> {
  const moves = { newlyFailing: noMove(), newlyPassing: noMove(), entering: noMove(), leaving: noMove() };
  const chunks = new Set([...counted.chunks.keys(), ...(await verdicts.chunksOf(test))]);
  const pause = createPace();
  for (const chunk of [...chunks].toSorted((left, right) => left - right)) {
    await pause();
    const stored = (await verdicts.verdictsIn(chunk, [test])).get(test);
    const now = counted.chunks.get(chunk);
    const scope = union([stored?.passing, stored?.failing, stored?.exempt]);
    const notPassing = union([stored?.failing, stored?.exempt]);
    const excused = union([stored?.passing, stored?.exempt]);
    add(moves.newlyFailing, chunk, both(now?.failing, excused));
    add(moves.newlyPassing, chunk, both(now?.passing, notPassing));
    add(moves.entering, chunk, minus(union([now?.passing, now?.failing, now?.exempt]), scope));
    const looked = types.all ? undefined : await entitiesOf(verdicts, chunk, types.looked);
    const gone = minus(scope, stillIn(now));
    add(moves.leaving, chunk, looked === undefined ? gone : both(gone, looked));
  }
  const told = async ({ count, numbers }: Move): Promise<VerdictMove> => {
    const urns = await verdicts.urnsOf(numbers);
    const seen = numbers.flatMap((number) => urns.get(number) ?? []).filter(canSee);
    return { count, urns: seen.slice(0, shownMax) };
  };
  return {
    newlyFailing: await told(moves.newlyFailing),
    newlyPassing: await told(moves.newlyPassing),
    entering: await told(moves.entering),
    leaving: await told(moves.leaving),
  };
}

/** In scope, or nobody knows. */
function stillIn(now: ChunkOutcome | undefined): ChunkSet {
  return union([now?.passing, now?.failing, now?.exempt, now?.undecided, now?.notLookedAt]);
}

async function entitiesOf(
  verdicts: VerdictReader,
  chunk: number,
  types: readonly string[],
): Promise<ChunkSet> {
  return union(await Promise.all(types.map((type) => verdicts.entitiesIn(chunk, type))));
}

function noMove(): Move {
  return { count: 0, numbers: [] };
}

/** Beyond those shown, some more are kept, because not everyone may see all of them. */
function add(move: Move, chunk: number, members: ChunkSet): void {
  move.count += sizeOfSet(members);
  for (const offset of offsetsIn(members)) {
    if (move.numbers.length >= shownMax * 10) return;
    move.numbers.push(chunk * chunkSpan + offset);
  }
}

function union(sets: readonly (ChunkSet | undefined)[]): ChunkSet {
  const all = emptyChunkSet();
  for (const set of sets) if (set !== undefined) addMembers(all, set);
  return all;
}

function both(left: ChunkSet | undefined, right: ChunkSet): ChunkSet {
  return (left ?? emptyChunkSet()).map((byte, at) => byte & (right[at] ?? 0));
}
