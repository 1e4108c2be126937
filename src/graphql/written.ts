/**
 * JSON text; `undefined` for a missing value that makes what is around it null (an error was recorded for it); or a place
 * whose text will be known once nothing waits any more. Promises are counted, not chained: one for each resolver that
 * answers later, and none for what is around it.
 */
export type Written = string | undefined | Hole | Pieces;

/** The place of one promise. */
export type Hole = { readonly kind: 'hole'; written: Written };

/** An object or list with a hole somewhere in it. */
export type Pieces = { readonly kind: 'pieces'; readonly parts: readonly Written[]; isNullable: boolean };

/** The text of what was written, once nothing waits any more. */
export function textOf(written: Written): string | undefined {
  if (typeof written !== 'object') return written;
  if (written.kind === 'hole') return textOf(written.written);
  let text = '';
  for (const part of written.parts) {
    const known = textOf(part);
    if (known === undefined) return written.isNullable ? 'null' : undefined;
    text += known;
  }
  return text;
}
