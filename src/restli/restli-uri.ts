import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

/** The text of a part of a path or query; a plus sign is no space (wire 2.4). Throws BAD_REQUEST. */
export function decodePart(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new PostilError('BAD_REQUEST', `Malformed percent escape in ${JSON.stringify(raw.slice(0, 200))}`);
  }
}

/** The URN in a path segment. Throws BAD_REQUEST, INVALID_URN. */
export function urnOfPath(raw: string | undefined): Urn {
  return parseUrn(decodePart(raw ?? ''));
}

/** A parameter of the query as it was sent; `undefined` when it was not. */
export function rawParameter(rawQuery: string, name: string): string | undefined {
  for (const pair of rawQuery.split('&')) {
    const mark = pair.indexOf('=');
    if (mark > 0 && pair.slice(0, mark) === name) return pair.slice(mark + 1);
  }
  return undefined;
}

/**
 * The elements of `List(a,b)`. They are encoded one by one, so the list is split, at commas outside of parentheses, before
 * they are decoded; a client may also have encoded the list as a whole. A plain value is a list of one.
 * Throws BAD_REQUEST.
 */
export function parseList(raw: string): readonly string[] {
  const plain = elementsOf(raw);
  if (plain !== undefined) return plain.map(decodePart);
  const decoded = decodePart(raw);
  const encodedAsWhole = elementsOf(decoded);
  if (encodedAsWhole === undefined) return decoded === '' ? [] : [decoded];
  return encodedAsWhole.map((element) => (/^urn%3a/i.test(element) ? decodePart(element) : element));
}

function elementsOf(text: string): readonly string[] | undefined {
  if (!text.startsWith('List(') || !text.endsWith(')')) return undefined;
  const inner = text.slice('List('.length, -1);
  if (inner === '') return [];
  const elements: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < inner.length; index += 1) {
    const character = inner[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      elements.push(inner.slice(from, index));
      from = index + 1;
    }
  }
  elements.push(inner.slice(from));
  return elements;
}
