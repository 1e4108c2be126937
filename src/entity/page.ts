import { PostilError } from '../errors/postil-error.ts';

/** Most entries that one page may ask for (reliability-security section 5.1). */
export const pageCountMax = 1000;

/** Refuses pages that start before the first entry (BAD_REQUEST) or are too long (LIMIT_EXCEEDED). */
export function checkPage({ start, count }: { readonly start: number; readonly count: number }): void {
  if (start < 0 || count < 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `start and count must not be negative, but are ${start} and ${count}.`,
    );
  }
  if (count > pageCountMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `count is ${count}; one page has at most ${pageCountMax} entries.`,
    );
  }
}
