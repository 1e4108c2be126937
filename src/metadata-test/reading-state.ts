import type { Findings } from './issue.ts';

/** Limits over a whole definition (metadata-test language, limits). */
export const maxDefinitionBytes = 256 * 1024;
export const maxNesting = 12;
export const maxLeaves = 200;
/** Values of one leaf. */
export const maxOperands = 10_000;
/** Regular expressions of one definition: compiling one is the dearest thing validation does. */
export const maxPatterns = 100;

/** What reading counts over the whole definition. */
export type ReadingState = { readonly findings: Findings; leaves: number; patterns: number };
