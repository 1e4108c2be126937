import type { CatalogueStore } from './catalogue-store.ts';
import { openSqliteStore } from './sqlite/sqlite-aspect-store.ts';

/**
 * Opens the store that a location names (decision 26): a `postgres://` or `postgresql://` URL, or else a folder, which is
 * made when it is not there. Throws STORE_LOCKED, STORE_UNUSABLE, INVALID_CONFIGURATION, and STORAGE_FAILED when no
 * server answers.
 */
export async function openStore(location: string): Promise<CatalogueStore> {
  if (!isPostgresUrl(location)) return openSqliteStore(location);
  // Loaded only when it is used, so that an embedded catalogue starts without it.
  const { openPostgresStore } = await import('./postgres/postgres-aspect-store.ts');
  return openPostgresStore(location);
}

function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}
