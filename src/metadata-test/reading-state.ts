import type { Findings } from './issue.ts';

/** Limits over a whole definition (metadata-test language, limits). */
export const maxDefinitionBytes = 256 * 1024;
/** Brackets of the JSON text, whatever they hold: what is deeper could exhaust the stack of whoever walks it. */
export const maxJsonDepth = 64;
export const maxNesting = 12;
export const maxLeaves = 200;
/** Characters of one property path. */
export const maxPathLength = 2_500;
/** Values of one leaf. */
export const maxOperands = 10_000;
/** Regular expressions of one definition: compiling one is the dearest thing validation does. */
export const maxPatterns = 100;

/** What reading counts over the whole definition. */
export type ReadingState = { readonly findings: Findings; leaves: number; patterns: number };
