import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite, EntityAspects } from '../aspect/aspect.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { removeReferences } from './edges.ts';

type View = Pick<AspectReader, 'relationships' | 'readMany'>;

const pageSize = 500;
/** Each page is found by going through those before it. */
const referrersAtOnce = 10_000;

/**
 * The writes that delete an entity with everything that refers to it, columns included, at once: nobody ever reads a
 * reference that leads nowhere (decision 25).
 */
export async function deletionOf(view: View, urn: Urn): Promise<AspectWrite[]> {
  const { keyAspect } = requireEntityType(urnType(urn));
  const writes: AspectWrite[] = [{ urn, aspect: keyAspect, body: undefined }];
  const referrers = [...(await referrersOf(view, urn))];
  for (let start = 0; start < referrers.length; start += pageSize) {
    const stored = await view.readMany(referrers.slice(start, start + pageSize));
    for (const [referrer, aspects] of stored) writes.push(...detachments(referrer, aspects, urn));
  }
  return writes;
}

/** Those that have been stored once and are not any more; what was never stored is none of them. */
export async function deletedAmong(
  view: Pick<AspectReader, 'existing' | 'changesOf'>,
  urns: readonly Urn[],
): Promise<readonly Urn[]> {
  if (urns.length === 0) return [];
  const different = [...new Set(urns)];
  const existing = await view.existing(different);
  const deleted: Urn[] = [];
  for (const urn of different) {
    if (!existing.has(urn) && (await view.changesOf({ urn, count: 1 })).length > 0) deleted.push(urn);
  }
  return deleted;
}

/** Every entity with an edge to this one, itself left out. */
async function referrersOf(view: View, urn: Urn): Promise<ReadonlySet<Urn>> {
  const referrers = new Set<Urn>();
  let start = 0;
  for (;;) {
    const query = { urn, direction: 'INCOMING', start, count: referrersAtOnce, distinct: true } as const;
    const { items } = await view.relationships(query);
    for (const item of items) referrers.add(item.urn);
    if (items.length < referrersAtOnce) break;
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
