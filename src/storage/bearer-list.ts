import { namesPerEntity } from './aspect-key.ts';

/** False for what no entry can have as a term, because it is nothing, or more than one. */
export function isTerm(text: string): boolean {
  return text !== '' && !/[\s\0]/.test(text);
}

/** The entities of keys that ascend from page to page, each once. */
export function ascendingOnce(pages: readonly (readonly number[])[]): Uint32Array {
  const entities = new Uint32Array(pages.reduce((sum, page) => sum + page.length, 0));
  let count = 0;
  let last = -1;
  for (const page of pages) {
    for (const key of page) {
      const entity = Math.floor(key / namesPerEntity);
      if (entity === last) continue;
      entities[count] = last = entity;
      count += 1;
    }
  }
  return entities.subarray(0, count);
}

/** Those of an ascending list that are asked about. */
export function heldBy(bearers: Uint32Array, among: readonly number[]): Uint32Array {
  const asked = new Set(among);
  return bearers.filter((bearer) => asked.has(bearer));
}
