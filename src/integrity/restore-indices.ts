import { authorize, type Caller, type Demand } from '../auth/caller.ts';
import { PostilError } from '../errors/postil-error.ts';
import { rebuildEntity, rebuildIndex, type RebuildReport } from '../search-index/rebuild-index.ts';
import type { EntryOf, SearchIndex } from '../search-index/search-index.ts';
import type { Urn } from '../urn/urn.ts';

/** Writes wait so long at the most, and reads of an embedded store. */
const transactionMilliseconds = 10;

/** Whoever may give themselves every right; it concerns nobody's metadata. */
const demands: readonly Demand[] = [{ anyOf: ['MANAGE_POLICIES'] }];

export type RestoreIndices = (caller: Caller, urn: Urn | undefined) => Promise<RebuildReport>;

/**
 * Makes the search index anew from the aspects while the catalogue is in use, for one entity or for all; what is found stays
 * complete meanwhile. Throws FORBIDDEN, and ENTITY_NOT_FOUND for an entity that nothing ever named. Who asks for all while that
 * is being done waits for the same work.
 */
export function createRestoreIndices(parts: {
  readonly search: SearchIndex;
  readonly entryOf: EntryOf;
  report(message: string, facts: Readonly<Record<string, number>>): void;
}): RestoreIndices {
  const { search, entryOf } = parts;
  let running: Promise<RebuildReport> | undefined;

  async function restoreAll(): Promise<RebuildReport> {
    parts.report('Making the search index anew', {});
    const report = await rebuildIndex(search, { entryOf, milliseconds: transactionMilliseconds });
    parts.report('Made the search index anew', {
      entities: report.entities,
      entries: report.entries,
      unreadable: report.unreadable.length,
    });
    return report;
  }

  return async (caller, urn) => {
    authorize(caller, demands);
    if (urn !== undefined) {
      const report = await rebuildEntity(search, urn, entryOf);
      if (report === undefined) throw new PostilError('ENTITY_NOT_FOUND', `The entity ${urn} does not exist`);
      return report;
    }
    running ??= restoreAll().finally(() => {
      running = undefined;
    });
    return running;
  };
}
