import { randomUUID } from 'node:crypto';
import { createWriteEngine, type WriteEngine } from './command/write-engine.ts';
import { projections } from './projections.ts';
import { openStore } from './storage/open-store.ts';
import type { CatalogueStore } from './storage/catalogue-store.ts';

export type Catalogue = { readonly store: CatalogueStore; readonly engine: WriteEngine };

/** A store with the write engine on it: what the server and the command line share. */
export async function openCatalogue(location: string): Promise<Catalogue> {
  const store = await openStore(location);
  return { store, engine: createWriteEngine({ store, projections, now: Date.now, newId: randomUUID }) };
}
