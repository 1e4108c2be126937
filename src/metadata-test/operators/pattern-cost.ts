import type { RE2JS } from 're2js';

/** Steps between states of the automaton, and instructions looked at, until a pattern counts as a wide one. */
const maxSteps = 5_000;
const maxInstructions = 20_000;

/** Any value but that of an unanchored search. */
const anchorBoth = 2;
const endOfText = -1;

/**
 * Whether a pattern is matched at a fixed price for each character, whatever the text: its automaton has few states, and all
 * of them are built here. Others may build a state for each character, at a price for each of their instructions.
 */
export function isNarrow(pattern: RE2JS): boolean {
  let known = narrow.get(pattern);
  if (known === undefined) {
    known = explore(pattern);
    narrow.set(pattern, known);
  }
  return known;
}

const narrow = new WeakMap<RE2JS, boolean>();

function explore(pattern: RE2JS): boolean {
  const re2 = pattern.re2();
  const onePass: unknown = re2.onepass;
  if (re2.prefixComplete || onePass !== null) return true;
  // Makes the first state.
  pattern.matches('');
  const { dfa } = re2;
  if (dfa.failed) return false;
  const runes = [0, ...dfa.classBounds, endOfText];
  const seen = new Set<unknown>(dfa.startStates.values());
  let steps = 0;
  let instructions = 0;
  for (const state of seen) {
    if (!hasInstructions(state)) return false;
    for (const [index, rune] of runes.entries()) {
      steps += 1;
      instructions += state.nfaStates.length;
      if (steps > maxSteps || instructions > maxInstructions) return false;
      const next: unknown = dfa.step(state, index, rune, anchorBoth);
      if (next === null) return false;
      if (rune !== endOfText) seen.add(next);
    }
  }
  return seen.size > 0;
}

function hasInstructions(state: unknown): state is { readonly nfaStates: readonly number[] } {
  return (
    typeof state === 'object' && state !== null && 'nfaStates' in state && Array.isArray(state.nfaStates)
  );
}
