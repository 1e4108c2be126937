import type { Route } from '../http/route.ts';
import { deleteRoute } from './delete.routes.ts';
import { ingestRoutes } from './ingest.routes.ts';
import { readRoutes } from './read.routes.ts';
import { serverFactsRoutes } from './server-facts.routes.ts';

/** All routes of the rest.li door; `schemaText` is the published GraphQL schema, which `/config` has a hash of. */
export function restliRoutes(schemaText: string): readonly Route[] {
  return [...ingestRoutes, deleteRoute, ...readRoutes, ...serverFactsRoutes(schemaText)];
}
