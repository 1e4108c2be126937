import type { LoadedEntity } from './facts.ts';

/** How far `within` climbs; longer chains, and cycles, end there (S13). */
export const maxAncestors = 50;

type ParentEdge = { readonly aspect: string; readonly field: string; readonly type: string };

/** The registered parent edges: which field of which aspect names an entity's parent. */
const parentEdges: { readonly [type: string]: ParentEdge | undefined } = {
  glossaryTerm: { aspect: 'glossaryTermInfo', field: 'parentNode', type: 'glossaryNode' },
  glossaryNode: { aspect: 'glossaryNodeInfo', field: 'parentNode', type: 'glossaryNode' },
  domain: { aspect: 'domainProperties', field: 'parentDomain', type: 'domain' },
  container: { aspect: 'container', field: 'container', type: 'container' },
};

/** The aspect in which entities of the type name their parent; `undefined` for types without a hierarchy. */
export function parentAspect(type: string): string | undefined {
  return edgeOf(type)?.aspect;
}

/** The types with those of their possible ancestors. */
export function parentTypes(types: readonly string[]): readonly string[] {
  return [...new Set(types.flatMap((type) => [type, edgeOf(type)?.type ?? type]))];
}

/** URN of the parent; a soft-deleted entity leads nowhere (S2). Needs the parent aspect to be loaded. */
export function parentOf(entity: LoadedEntity): string | undefined {
  const edge = edgeOf(entity.type);
  if (edge === undefined || entity.removed) return undefined;
  const parent = entity.aspects.get(edge.aspect)?.body[edge.field];
  return typeof parent === 'string' ? parent : undefined;
}

function edgeOf(type: string): ParentEdge | undefined {
  return Object.hasOwn(parentEdges, type) ? parentEdges[type] : undefined;
}
