import { type ChunkSet, minus } from '../../verdict/chunk-set.ts';
import type { ChunkVerdicts } from '../../verdict/verdict-store.ts';

/** Who may be acted upon: neither the exempt, which are in neither set, nor those whose verdict could not be decided. */
export function actingSets({ passing, failing, undecided }: ChunkVerdicts): {
  readonly passing: ChunkSet;
  readonly failing: ChunkSet;
} {
  return { passing: minus(passing, undecided), failing: minus(failing, undecided) };
}
