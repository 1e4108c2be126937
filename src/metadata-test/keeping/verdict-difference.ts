import type { Urn } from '../../urn/urn.ts';
import {
  addOffset,
  type ChunkSet,
  emptyChunkSet,
  hasOffset,
  isSameSet,
  minus,
  removeOffset,
  sizeOfSet,
} from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts, VerdictChange } from '../../verdict/verdict-store.ts';
import type { Verdict } from '../compile-test.ts';

/** What has to be stored because the verdicts of one test in one chunk are others than those that are kept. */
export type VerdictDifference = {
  readonly test: Urn;
  readonly chunk: number;
  readonly verdicts: ChunkVerdicts;
  /** Absent where only what could not be decided is different. */
  readonly change: VerdictChange | undefined;
  /** Entities that arrived at another verdict. */
  readonly transitions: number;
};

/** What a difference says beside the bits. */
export type DifferenceContext = {
  readonly time: number;
  readonly sequence: number;
  readonly definitionMd5: string;
};

export function emptyVerdicts(): ChunkVerdicts {
  return {
    passing: emptyChunkSet(),
    failing: emptyChunkSet(),
    exempt: emptyChunkSet(),
    undecided: emptyChunkSet(),
  };
}

export function copyOfVerdicts(verdicts: ChunkVerdicts): ChunkVerdicts {
  return {
    passing: verdicts.passing.slice(),
    failing: verdicts.failing.slice(),
    exempt: verdicts.exempt.slice(),
    undecided: verdicts.undecided.slice(),
  };
}

/** Puts one verdict into sets that are the caller's own. What cannot be decided keeps its earlier verdict (Q7). */
export function setVerdict(verdicts: ChunkVerdicts, offset: number, verdict: Verdict): void {
  if (verdict === 'ERROR') {
    addOffset(verdicts.undecided, offset);
    return;
  }
  for (const set of [verdicts.passing, verdicts.failing, verdicts.exempt, verdicts.undecided]) {
    removeOffset(set, offset);
  }
  if (verdict === 'PASS') addOffset(verdicts.passing, offset);
  if (verdict === 'FAIL') addOffset(verdicts.failing, offset);
  if (verdict === 'EXEMPT') addOffset(verdicts.exempt, offset);
}

/** Makes one entity in `target` what it is in `source`. */
export function copyVerdict(target: ChunkVerdicts, source: ChunkVerdicts, offset: number): void {
  for (const name of ['passing', 'failing', 'exempt', 'undecided'] as const) {
    if (hasOffset(source[name], offset)) addOffset(target[name], offset);
    else removeOffset(target[name], offset);
  }
}

/** `undefined` when both are the same. */
export function differenceOf(
  test: Urn,
  chunk: number,
  kept: ChunkVerdicts,
  next: ChunkVerdicts,
  context: DifferenceContext,
): VerdictDifference | undefined {
  const isSame =
    isSameSet(kept.passing, next.passing) &&
    isSameSet(kept.failing, next.failing) &&
    isSameSet(kept.exempt, next.exempt);
  if (isSame && isSameSet(kept.undecided, next.undecided)) return undefined;
  if (isSame) return { test, chunk, verdicts: next, change: undefined, transitions: 0 };
  const toPassing = minus(next.passing, kept.passing);
  const toFailing = minus(next.failing, kept.failing);
  const toExempt = minus(next.exempt, kept.exempt);
  const toNone = minus(inScope(kept), inScope(next));
  const delta = (name: 'passing' | 'failing' | 'exempt'): number =>
    sizeOfSet(next[name]) - sizeOfSet(kept[name]);
  return {
    test,
    chunk,
    verdicts: next,
    change: {
      test,
      chunk,
      ...context,
      toPassing,
      toFailing,
      toExempt,
      toNone,
      deltas: { passing: delta('passing'), failing: delta('failing'), exempt: delta('exempt') },
    },
    transitions: [toPassing, toFailing, toExempt, toNone].reduce((sum, set) => sum + sizeOfSet(set), 0),
  };
}

function inScope({ passing, failing, exempt }: ChunkVerdicts): ChunkSet {
  return passing.map((byte, index) => byte | (failing[index] ?? 0) | (exempt[index] ?? 0));
}
