import { PostilError } from '../errors/postil-error.ts';

declare const urnBrand: unique symbol;

/** A well-formed URN, `urn:li:<type>:<key>`; made by `parseUrn` and `formatUrn` only. Equality is equality of text. */
export type Urn = string & { readonly [urnBrand]: true };

/** Longest URN in UTF-8 bytes (reliability-security section 5.1). */
export const maxUrnBytes = 2048;

const prefix = 'urn:li:';
const open = 40;
const close = 41;
const comma = 44;

/**
 * How many parts the key of a type has, where a part may itself hold commas. What is too much belongs to the second
 * part: the name of a dataset (platform first, environment last; contract section 5), the field path of a column.
 */
const foldedPartCounts: ReadonlyMap<string, number> = new Map([
  ['dataset', 3],
  ['mlModel', 3],
  ['mlModelGroup', 3],
  ['mlModelDeployment', 3],
  ['schemaField', 2],
  ['dataJob', 2],
  ['dataPlatformInstance', 2],
]);

/** Returns the text as a URN. Throws INVALID_URN, naming the text and what is wrong with it. */
export function parseUrn(text: string): Urn {
  const problem = problemOf(text);
  if (problem !== undefined) {
    throw new PostilError('INVALID_URN', `Invalid urn ${quoted(text)}: ${problem}.`);
  }
  return text as Urn;
}

/** Whether `parseUrn` accepts the value; never throws. */
export function isUrn(text: unknown): text is Urn {
  return typeof text === 'string' && problemOf(text) === undefined;
}

/** The entity type, such as `dataset`. */
export function urnType(urn: Urn): string {
  return urn.substring(prefix.length, urn.indexOf(':', prefix.length));
}

/** Everything after the type: `pii`, or `(urn:li:dataPlatform:hive,shop.orders,PROD)`. */
export function urnKey(urn: Urn): string {
  return urn.substring(urn.indexOf(':', prefix.length) + 1);
}

/** The parts of the key as they stand in the URN, still percent-encoded; a key that is no tuple is its only part. */
export function urnParts(urn: Urn): string[] {
  const start = urn.indexOf(':', prefix.length) + 1;
  if (!isTuple(urn, start)) return [urn.substring(start)];
  const end = urn.length - 1;
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = from; index < end; index += 1) {
    const code = urn.charCodeAt(index);
    if (code === open) depth += 1;
    else if (code === close) depth -= 1;
    else if (code === comma && depth === 0) {
      parts.push(urn.substring(from, index));
      from = index + 1;
    }
  }
  parts.push(urn.substring(from, end));
  const expected = foldedPartCounts.get(urnType(urn));
  if (expected !== undefined && parts.length > expected) {
    const surplus = parts.length - expected + 1;
    parts.splice(1, surplus, parts.slice(1, 1 + surplus).join(','));
  }
  return parts;
}

/**
 * Prints a URN from parts that stand in it unchanged (whoever has raw values encodes them first: `urnFromKey`). One
 * part stands alone, several stand in parentheses. Throws INVALID_URN if the result is not well-formed.
 */
export function formatUrn(type: string, parts: readonly string[]): Urn {
  const key = parts.length === 1 ? parts[0] : `(${parts.join(',')})`;
  return parseUrn(`${prefix}${type}:${key}`);
}

function problemOf(text: string): string | undefined {
  const length = text.length;
  if (length > maxUrnBytes || (length * 3 > maxUrnBytes && Buffer.byteLength(text) > maxUrnBytes)) {
    return `it is longer than ${maxUrnBytes} bytes`;
  }
  if (!text.startsWith(prefix)) return 'a urn looks like urn:li:<type>:<key>';
  let index = prefix.length;
  while (index < length && isTypeCharacter(text.charCodeAt(index))) index += 1;
  if (index === prefix.length || text.charCodeAt(index) !== 58) {
    return 'it has no entity type; a urn looks like urn:li:<type>:<key>';
  }
  const start = index + 1;
  if (start >= length) return 'its key is empty';
  const mustBalance = text.charCodeAt(start) === open;
  let depth = 0;
  let beyondAscii = false;
  for (index = start; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 32 || (code >= 127 && code < 160)) return 'it holds a control character';
    if (code >= 0xd800) beyondAscii = true;
    if (mustBalance) {
      if (code === open) depth += 1;
      else if (code === close && --depth < 0) return 'its parentheses are not balanced';
    }
  }
  if (depth !== 0) return 'its parentheses are not balanced';
  if (beyondAscii && !text.isWellFormed()) return 'it holds half of a character (a lone surrogate)';
  return undefined;
}

/** A key is a tuple when the parenthesis it starts with is closed by its last character, and not before. */
function isTuple(urn: string, start: number): boolean {
  if (urn.charCodeAt(start) !== open || urn.charCodeAt(urn.length - 1) !== close) return false;
  let depth = 0;
  for (let index = start; index < urn.length - 1; index += 1) {
    const code = urn.charCodeAt(index);
    if (code === open) depth += 1;
    else if (code === close && --depth === 0) return false;
  }
  return true;
}

function isTypeCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}
