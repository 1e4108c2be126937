import type { Findings } from './issue.ts';
import type { Predicate } from './predicate.ts';
import type { PathStart } from './property-path.ts';

/** Limits over a whole definition (metadata-test language, limits). */
export const maxDefinitionBytes = 256 * 1024;
/** Brackets of the JSON text, whatever they hold: what is deeper could exhaust the stack of whoever walks it. */
export const maxJsonDepth = 64;
export const maxNesting = 12;
export const maxLeaves = 200;
/** Characters of one property path. */
export const maxPathLength = 2_500;
export const maxParameters = 200;
/** Values of one leaf. */
export const maxOperands = 10_000;
/** Regular expressions of one definition: compiling one is the dearest thing validation does. */
export const maxPatterns = 100;

/** How deep one `forEach` stands in another. */
export const maxForEachDepth = 2;

/** What reading counts and knows over the whole definition. */
export type ReadingState = {
  readonly findings: Findings;
  leaves: number;
  patterns: number;
  /** What property paths start from where reading is. */
  start: PathStart;
  forEachDepth: number;
  /** The values that `${name}` stands for where reading is; `undefined` when the definition declares no parameters. */
  parameters: ReadonlyMap<string, readonly string[]> | undefined;
  /** Parameters with a value for each scope: the scopes in the order of the text, the default last. */
  bound: ReadonlyMap<string, readonly ScopedValue[]>;
};

/** A value of a parameter and for which entities it is; the default has no `when`. */
export type ScopedValue = { readonly when: Predicate | undefined; readonly texts: readonly string[] };

/** Combinations of scopes that one rule may depend on. */
export const maxScopedCases = 20;
