import type { Placement, Relationship } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import type { Urn } from '../urn/urn.ts';

/** Bodies of one entity's aspects by name; an aspect that is not stored is absent or undefined. */
export type AspectBodies = { readonly [aspect: string]: JsonObject | undefined };

/** A pre-serialised piece of an answer that is kept beside the aspects it is made from. */
export type FragmentProjection = {
  readonly name: string;
  readonly entityType: string;
  readonly aspects: readonly string[];
  /** The JSON text, or `undefined` when there is nothing to keep. Pure. */
  text(bodies: AspectBodies): string | undefined;
};

/**
 * Everything derived from aspects, as pure functions; the write engine runs them inside the transaction and `postil
 * check` runs them again to prove what is stored.
 */
export type Projections = {
  edgesOf(aspect: string, body: JsonObject): readonly Relationship[];
  /** The aspects a placement is made from; empty for entity types that stand in no tree. */
  placementAspects(entityType: string): readonly string[];
  placementOf(urn: Urn, bodies: AspectBodies): Placement | undefined;
  readonly fragments: readonly FragmentProjection[];
  /** What an aspect contributes to finding its entity; `undefined`: nothing. */
  searchEntryOf(urn: Urn, aspect: string, body: JsonObject): SearchEntry | undefined;
};
