import { type JsonValue, jsonEqual } from './json.ts';

/**
 * Whether a JSON text holds numbers that JavaScript would print differently: 60.0, 1e3, 0.0000001, -0, or more digits than
 * it can tell apart. Strings are passed over, whatever they look like. This runs for every aspect that is ingested.
 */
export function holdsUnprintableNumber(text: string): boolean {
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === minus || isDigit(code)) {
      const start = index;
      let isPlain = code !== minus;
      for (index += 1; index < text.length; index += 1) {
        const next = text.charCodeAt(index);
        if (isDigit(next)) continue;
        if (!isNumberSign(next)) break;
        isPlain = false;
      }
      // Whole numbers of up to fifteen digits need no closer look.
      if (isPlain && index - start <= 15) continue;
      const source = text.slice(start, index);
      if (String(Number(source)) !== source) return true;
    } else index += 1;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** The index behind the quotation mark that closes the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `.`, `e`, `E`, `+` and `-`. */
function isNumberSign(code: number): boolean {
  return code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === minus;
}

/**
 * Whether two JSON texts say the same: members in any order, numbers as the decimals they are. 60.0 is 60 and 1e3 is 1000,
 * but 9007199254740993 is not 9007199254740992, although both are the same number to JavaScript.
 */
export function isSameJson(left: string, right: string): boolean {
  return left === right || jsonEqual(exact(left), exact(right));
}

function exact(text: string): JsonValue {
  return JSON.parse(text, (_name, value: JsonValue, context?: { readonly source?: string }) => {
    const source = context?.source;
    // No aspect holds the character U+0000, so no text in it can be taken for a number.
    return typeof value !== 'number' || source === undefined ? value : `\u0000${decimalOf(source)}`;
  });
}

/** One text for each decimal: its digits without zeros at either end, and the power of ten behind them. */
function decimalOf(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  // Nobody means such an exponent; whoever writes one anyway has to write it the same way again.
  if (exponent.length > 12) return source;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
