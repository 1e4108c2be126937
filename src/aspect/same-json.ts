import { type JsonValue, jsonEqual } from './json.ts';

/**
 * Whether a JSON text holds numbers that JavaScript would print differently: 60.0, 1e3, 0.0000001, -0, or more digits than
 * it can tell apart. May be wrong about texts without such numbers, never about texts with them; so ask before parsing.
 */
export function mayHoldUnprintableNumber(text: string): boolean {
  return /[\d.][eE][+-]?\d|\.\d*0(?!\d)|[\d.]{16,}|-0(?![.\d])|0\.000000/.test(text);
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
