import { PostilError } from '../../errors/postil-error.ts';
import { isUrn } from '../../urn/urn.ts';
import { scrolledCountMax } from '../scrolled-search.ts';
import type { LineageHit } from './search-lineage.ts';

/**
 * The hits behind a cursor, as many as asked for but at most 5000, and the cursor of the next page. A cursor says which hit was the
 * last one, so what is written between two pages moves nothing. Throws BAD_REQUEST for a negative count and a bad cursor.
 */
export function lineagePage(
  hits: readonly LineageHit[],
  input: { readonly scrollId?: string | null; readonly count?: number | null },
): { readonly hits: readonly LineageHit[]; readonly nextCursor: string | undefined } {
  const count = input.count ?? 10;
  if (count < 0) throw new PostilError('BAD_REQUEST', `count must not be negative, but is ${count}.`);
  const rest = isPresent(input.scrollId) ? hitsBehind(hits, input.scrollId) : hits;
  const page = rest.slice(0, Math.min(count, scrolledCountMax));
  const last = page.at(-1);
  const isEnd = last === undefined || page.length === rest.length;
  return { hits: page, nextCursor: isEnd ? undefined : cursorOf(last) };
}

function hitsBehind(hits: readonly LineageHit[], cursor: string): readonly LineageHit[] {
  const [degreeText = '', ...urnParts] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const urn = urnParts.join(' ');
  const degree = Number(degreeText);
  if (!/^\d+$/.test(degreeText) || !isUrn(urn) || cursorOf({ degree, urn }) !== cursor) {
    throw new PostilError(
      'BAD_REQUEST',
      `Bad scrollId ${JSON.stringify(cursor.slice(0, 100))}: send the nextScrollId of an answer to the same query, or none.`,
    );
  }
  return hits.filter((hit) => hit.degree > degree || (hit.degree === degree && hit.urn > urn));
}

function cursorOf({ degree, urn }: Pick<LineageHit, 'degree' | 'urn'>): string {
  return Buffer.from(`${degree} ${urn}`).toString('base64url');
}

function isPresent(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}
