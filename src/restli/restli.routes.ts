import type { Route } from '../http/route.ts';
import type { SearchEngine } from '../search/search-engine.ts';
import { deleteRoute } from './delete.routes.ts';
import { ingestRoutes } from './ingest.routes.ts';
import { readRoutes, type ShownResults } from './read.routes.ts';
import { relationshipRoutes } from './relationship.routes.ts';
import { searchRoutes } from './search.routes.ts';
import { serverFactsRoutes } from './server-facts.routes.ts';

/**
 * All routes of the rest.li door; `schemaText` is the published GraphQL schema, which `/config` has a hash of, and
 * `shownResults` says what readers get as results of metadata tests.
 */
export function restliRoutes(
  schemaText: string,
  shownResults: ShownResults,
  search: SearchEngine,
): readonly Route[] {
  return [
    ...ingestRoutes,
    deleteRoute,
    ...readRoutes(shownResults),
    ...searchRoutes(search),
    ...relationshipRoutes,
    ...serverFactsRoutes(schemaText),
  ];
}
