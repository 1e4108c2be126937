import { objectsIn } from '../entity/stored-member.ts';
import { type LoadedEntity, type Run, spend } from './facts.ts';
import type { PathStep } from './predicate.ts';

type LineageStep = Extract<PathStep, { readonly kind: 'Lineage' }>;

/** Entities that may name one entity as their upstream; a test about more cannot be decided. */
export const maxDownstream = 1_000;

/** The kind of edge that leads from an entity to its upstreams. */
export const lineageEdge = 'DownstreamOf';

const edgeSteps = 150;

/** URNs at most `hops` edges away, each once, the nearest first; the entity itself is none of them. */
export function along(entity: LoadedEntity, { direction, hops }: LineageStep, run: Run): readonly string[] {
  const seen = new Set([entity.urn]);
  const found: string[] = [];
  let level: readonly LoadedEntity[] = [entity];
  for (let hop = 1; hop <= hops && level.length > 0; hop += 1) {
    const next: LoadedEntity[] = [];
    for (const near of level) {
      for (const urn of direction === 'upstream' ? upstreamOf(near) : downstreamOf(near, run)) {
        spend(run, edgeSteps);
        if (seen.has(urn)) continue;
        seen.add(urn);
        found.push(urn);
        const target = hop < hops ? run.facts.get(urn) : undefined;
        // What does not exist, or is soft-deleted, leads nowhere (S2).
        if (target?.exists === true && !target.removed) next.push(target);
      }
    }
    level = next;
  }
  return found;
}

function upstreamOf(entity: LoadedEntity): readonly string[] {
  return objectsIn(entity.aspects.get('upstreamLineage')?.body, 'upstreams')
    .map((upstream) => upstream['dataset'])
    .filter((urn) => typeof urn === 'string');
}

function downstreamOf(entity: LoadedEntity, run: Run): readonly string[] {
  if (!entity.exists) return [];
  const { downstream } = entity;
  if (downstream !== undefined && downstream !== 'TOO_MANY') return downstream;
  spend(run, Infinity);
  return [];
}
