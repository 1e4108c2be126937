import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Urn } from '../urn/urn.ts';
import { entriesVersion } from './entries-version.ts';
import type { EntryOf, SearchIndex } from './search-index.ts';

export type RebuildReport = {
  readonly entities: number;
  readonly entries: number;
  /** Entities of which an aspect is damaged; their entries are as they were. */
  readonly unreadable: readonly Urn[];
};

type Rebuild = {
  readonly entryOf: EntryOf;
  /** How long one transaction may go on, and others have to wait for it. */
  readonly milliseconds: number;
  onProgress?(entities: number): void;
};

/** Makes all entries anew, in many transactions, between which others write; every answer stays complete meanwhile. */
export async function rebuildIndex(search: SearchIndex, rebuild: Rebuild): Promise<RebuildReport> {
  return rebuildFrom(search, -1, rebuild, () => Promise.resolve());
}

/** Makes the entries of one entity anew; `undefined` when the store has never heard of it. */
export async function rebuildEntity(
  search: SearchIndex,
  urn: Urn,
  entryOf: EntryOf,
): Promise<RebuildReport | undefined> {
  const number = (await search.numbersOf([urn])).get(urn);
  if (number === undefined) return undefined;
  const report = await search.rebuild({ after: number - 1, count: 1, milliseconds: 0, entryOf });
  await search.countRebuild();
  return report;
}

/**
 * Makes all entries anew that are not of this version, and those that a rebuild which was broken off left; `undefined` when
 * there was nothing to do. What is done is remembered, so that it goes on there after an interruption.
 */
export async function completeIndex(
  search: SearchIndex,
  rebuild: Rebuild,
): Promise<RebuildReport | undefined> {
  const { version, done } = await search.progress();
  const isCurrent = version === entriesVersion;
  if (isCurrent && done === undefined) return undefined;
  const after = isCurrent ? (done ?? -1) : -1;
  return rebuildFrom(search, after, rebuild, (last) =>
    search.setProgress({ version: entriesVersion, done: last }),
  );
}

/**
 * Makes all entries anew from nothing, which also mends an index that is damaged; meanwhile little is found. A store that others
 * use (`isShared`) keeps its entries until they are replaced. What is interrupted, `completeIndex` goes on with.
 */
export async function remakeIndex(
  search: SearchIndex,
  rebuild: Rebuild & { readonly isShared: boolean },
): Promise<RebuildReport> {
  await search.setProgress({ version: entriesVersion, done: -1 });
  if (!rebuild.isShared) await search.clear();
  return (await completeIndex(search, rebuild)) ?? { entities: 0, entries: 0, unreadable: [] };
}

async function rebuildFrom(
  search: SearchIndex,
  first: number,
  { entryOf, milliseconds, onProgress }: Rebuild,
  onPart: (last: number | undefined) => Promise<void>,
): Promise<RebuildReport> {
  const unreadable: Urn[] = [];
  let [entities, entries] = [0, 0];
  for (let after: number | undefined = first; after !== undefined;) {
    const part = await search.rebuild({ after, milliseconds, entryOf });
    entities += part.entities;
    entries += part.entries;
    unreadable.push(...part.unreadable);
    await onPart(part.last);
    onProgress?.(entities);
    after = part.last;
    // So that a store that never waits lets others have their turn.
    await nextTurn();
  }
  await search.countRebuild();
  return { entities, entries, unreadable };
}
