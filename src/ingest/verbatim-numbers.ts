import type { JsonValue } from '../aspect/json.ts';
import { holdsUnprintableNumber } from '../aspect/same-json.ts';

/**
 * A JSON text that holds numbers which JavaScript would print differently, such as 60.0 or integers beyond 2^53. In
 * `tree` these are stand-ins, so a part of it may be picked out or rearranged; `print` writes the numbers as they were.
 */
export type VerbatimNumbers = {
  readonly tree: JsonValue;
  /** The text of a part of the tree; `undefined` when all its numbers print as they were sent. */
  print(part: JsonValue): string | undefined;
};

/** `undefined` when every number of the text prints as it stands there: then the parsed value says everything. */
export function verbatimNumbersOf(text: string): VerbatimNumbers | undefined {
  if (!holdsUnprintableNumber(text)) return undefined;
  const exponent = unusedExponent(text);
  const sources = new Map<string, string>();
  const standIn = (source: string): number => {
    const number = Number(`${1_000_001 + sources.size}e-${exponent}`);
    sources.set(String(number), source);
    return number;
  };
  const tree: JsonValue = JSON.parse(
    text,
    (_name, value: JsonValue, context?: { readonly source?: string }) => {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
      return standIn(source);
    },
  );
  if (sources.size === 0) return undefined;
  const standIns = /\d+(?:\.\d+)?e-\d+/g;
  return {
    tree,
    print(part) {
      let isChanged = false;
      const printed = JSON.stringify(part).replaceAll(standIns, (found) => {
        const source = sources.get(found);
        if (source === undefined) return found;
        isChanged = true;
        return source;
      });
      return isChanged ? printed : undefined;
    },
  };
}

/** An exponent that occurs nowhere in the text, so that no stand-in can be taken for what somebody wrote. */
function unusedExponent(text: string): number {
  for (let exponent = 280; exponent > 100; exponent -= 1) {
    // Stand-ins have seven digits before the point, so they print with an exponent that is smaller by six.
    if (!text.includes(`e-${exponent - 6}`)) return exponent;
  }
  return 280;
}
