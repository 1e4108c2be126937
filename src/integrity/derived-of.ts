import type { Placement, Relationship } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Projections } from '../command/projection.ts';
import type { EntityType } from '../entity/entity-registry.ts';
import type { Urn } from '../urn/urn.ts';

export type DerivedEdge = Relationship & { readonly aspect: string };

/** What is derived of one entity beside its search entries. */
export type Derived = {
  readonly relationships: readonly DerivedEdge[];
  readonly fragments: ReadonlyMap<string, string>;
  readonly placement: Placement | undefined;
};

/** Derives everything of an entity again from the bodies of all of its aspects. Pure. */
export function derivedOf(
  projections: Projections,
  type: EntityType,
  urn: Urn,
  bodies: { readonly [aspect: string]: JsonObject },
): Derived {
  const fragments = new Map<string, string>();
  for (const { name, entityType, text } of projections.fragments) {
    const made = entityType === type.name ? text(bodies) : undefined;
    if (made !== undefined) fragments.set(name, made);
  }
  const isPlaced = projections.placementAspects(type.name).length > 0;
  return {
    relationships: Object.entries(bodies).flatMap(([aspect, body]) =>
      projections.edgesOf(aspect, body).map((edge) => ({ ...edge, aspect })),
    ),
    fragments,
    placement: isPlaced ? projections.placementOf(urn, bodies) : undefined,
  };
}

/** The edges of the first list that the second lacks. */
export function edgesWithout(
  edges: readonly DerivedEdge[],
  others: readonly DerivedEdge[],
): readonly DerivedEdge[] {
  const keys = new Set(others.map(keyOf));
  return edges.filter((edge) => !keys.has(keyOf(edge)));
}

export function isSamePlacement(one: Placement | undefined, other: Placement | undefined): boolean {
  return one?.name === other?.name && one?.parent === other?.parent;
}

function keyOf({ aspect, kind, destination, path }: DerivedEdge): string {
  return `${aspect} ${kind} ${destination} ${path}`;
}
