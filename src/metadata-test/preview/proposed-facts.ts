import type { RelatedEntity, RelationshipQuery } from '../../aspect/aspect-store.ts';
import type { Aspect, EntityAspects } from '../../aspect/aspect.ts';
import { edgesOf } from '../../relationship/edges.ts';
import type { Urn } from '../../urn/urn.ts';
import type { FactSource } from '../facts.ts';
import { lineageEdge } from '../lineage.ts';

/** The facts of a source as they would be if these aspects of one entity were stored. */
export function proposedFacts(source: FactSource, entity: Urn, aspects: EntityAspects): FactSource {
  const overlaid = (stored: EntityAspects, names: readonly string[] | undefined): EntityAspects => {
    const merged = new Map<string, Aspect>(stored);
    for (const [name, aspect] of aspects) if (names?.includes(name) ?? true) merged.set(name, aspect);
    return merged;
  };
  return {
    ...(source.readVersion === undefined
      ? {}
      : {
          readVersion: async (urn: Urn, name: string, version: number) => {
            const proposed = urn === entity ? aspects.get(name) : undefined;
            return proposed?.version === version ? proposed : source.readVersion?.(urn, name, version);
          },
        }),
    async readMany(urns, names) {
      const stored = await source.readMany(urns, names);
      if (!urns.includes(entity)) return stored;
      return new Map([...stored, [entity, overlaid(stored.get(entity) ?? new Map(), names)]]);
    },
    async existing(urns) {
      const existing = await source.existing(urns);
      return urns.includes(entity) ? new Set([...existing, entity]) : existing;
    },
    relationships: (query) => proposedEdges(source, entity, aspects, query),
  };
}

/** Evaluation asks for edges from the first one on; the entity's own edges are those it would have. */
async function proposedEdges(
  source: FactSource,
  entity: Urn,
  aspects: EntityAspects,
  query: RelationshipQuery,
): ReturnType<FactSource['relationships']> {
  const stored = await source.relationships(query);
  const upstreams = aspects.get('upstreamLineage');
  if (
    upstreams === undefined ||
    query.direction !== 'INCOMING' ||
    query.kinds?.includes(lineageEdge) !== true
  ) {
    return stored;
  }
  const others = stored.items.filter(({ urn }) => urn !== entity);
  const names = edgesOf('upstreamLineage', upstreams.body).some(
    ({ kind, destination }) => kind === lineageEdge && destination === query.urn,
  );
  const own: RelatedEntity[] = names ? [{ kind: lineageEdge, urn: entity, path: '' }] : [];
  return {
    items: [...others, ...own],
    total: stored.total - (stored.items.length - others.length) + own.length,
  };
}
