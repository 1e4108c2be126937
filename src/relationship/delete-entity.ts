import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite, EntityAspects } from '../aspect/aspect.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { removeReferences } from './edges.ts';

const pageSize = 500;

/**
 * The writes that delete an entity with everything that refers to it, columns included, at once: nobody ever reads a
 * reference that leads nowhere (decision 25). What stood below it in a tree stands at the root from then on.
 */
export async function deletionOf(view: AspectReader, urn: Urn): Promise<readonly AspectWrite[]> {
  const writes = [keyRemoval(urn)];
  const referrers = [...(await referrersOf(view, urn))];
  for (let start = 0; start < referrers.length; start += pageSize) {
    const stored = await view.readMany(referrers.slice(start, start + pageSize));
    for (const [referrer, aspects] of stored) writes.push(...detachments(referrer, aspects, urn));
  }
  return writes;
}

/** The write that takes the key of an entity away, and the entity with it; what refers to it stays. */
export function keyRemoval(urn: Urn): AspectWrite {
  return { urn, aspect: requireEntityType(urnType(urn)).keyAspect, body: undefined };
}

/** Every entity with an edge to this one, itself left out. */
async function referrersOf(view: AspectReader, urn: Urn): Promise<ReadonlySet<Urn>> {
  const referrers = new Set<Urn>();
  let start = 0;
  for (;;) {
    const query = { urn, direction: 'INCOMING', start, count: pageSize, distinct: true } as const;
    const { items } = await view.relationships(query);
    for (const item of items) referrers.add(item.urn);
    if (items.length < pageSize) break;
    start += items.length;
  }
  referrers.delete(urn);
  return referrers;
}

/** The aspects of one entity that refer to `urn`, without what refers to it. */
function detachments(referrer: Urn, aspects: EntityAspects, urn: Urn): readonly AspectWrite[] {
  const writes: AspectWrite[] = [];
  for (const aspect of aspects.values()) {
    // Most aspects do not name it, and need not be parsed to know that; an escaped text may hide it.
    if (!aspect.text.includes(urn) && !aspect.text.includes('\\')) continue;
    const body = removeReferences(aspect.name, aspect.body, urn);
    if (body !== aspect.body) writes.push({ urn: referrer, aspect: aspect.name, body });
  }
  return writes;
}
