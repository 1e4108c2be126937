import { createHash } from 'node:crypto';
import { parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

/**
 * The URN of a term or node of a business glossary file: its `id` where it has one (which may be the whole URN), else one
 * made of the names from the root down, joined by dots. Names are cleaned: spaces become hyphens, what is neither letter,
 * digit, hyphen nor dot goes. Where DataHub makes a GUID of the path (when asked to, or when the path is not ASCII), this
 * makes the same one. Throws INVALID_URN.
 */
export function glossaryUrn(
  type: 'glossaryTerm' | 'glossaryNode',
  path: readonly string[],
  id: string | undefined,
  makesGuids: boolean,
): Urn {
  const prefix = `urn:li:${type}:`;
  if (id !== undefined) return parseUrn(id.startsWith(prefix) ? id : prefix + id);
  const joined = path.join('.');
  const cleaned = makesGuids || /[^\0-\x7f]/.test(joined) ? '' : cleanedPath(joined);
  return parseUrn(prefix + (cleaned === '' ? guidOf(joined) : cleaned));
}

function cleanedPath(path: string): string {
  return path
    .replaceAll(' ', '-')
    .replaceAll(/[^a-zA-Z0-9.-]/g, '')
    .replaceAll(/-+/g, '-')
    .replaceAll(/\.+/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '');
}

/** The MD5 of the path as ASCII JSON. */
function guidOf(path: string): string {
  const ascii = JSON.stringify({ path }).replaceAll(
    /[\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return createHash('md5').update(ascii).digest('hex');
}
