import type { Projections } from './command/projection.ts';
import { columnsFragment } from './dataset/columns-fragment.ts';
import { edgesOf } from './relationship/edges.ts';
import { searchEntryOf } from './search-index/search-entry-of.ts';
import { placementAspects, placementOf } from './relationship/placement.ts';

/** Everything that is derived from aspects, registered in one place. */
export const projections: Projections = {
  edgesOf,
  placementAspects,
  placementOf,
  fragments: [columnsFragment],
  searchEntryOf,
};
