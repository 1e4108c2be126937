import type { AspectWrite, EntityAspects } from '../aspect/aspect.ts';
import type { Command, DecisionView } from '../command/command.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { removeReferences } from '../relationship/edges.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { glossaryKindOf, manageGlossaries } from './glossary-entity.ts';

export type DeleteGlossaryEntityInput = { readonly urn: string };

const pageSize = 500;

/**
 * Deletes a term or node with everything that refers to it, columns and other terms included, at once: nobody ever reads a
 * reference that leads nowhere (decision 25). What stood below a node stands at the root from then on.
 */
export const deleteGlossaryEntity: Command<DeleteGlossaryEntityInput, true> = {
  name: 'deleteGlossaryEntity',
  demands(input) {
    parseUrn(input.urn);
    return manageGlossaries;
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    if (glossaryKindOf(urn) === undefined) {
      throw new PostilError(
        'UNSUPPORTED_RESOURCE_TYPE',
        `Failed to delete ${urn}. Only glossary terms and glossary nodes can be deleted here.`,
      );
    }
    const { keyAspect } = requireEntityType(urnType(urn));
    const writes: AspectWrite[] = [{ urn, aspect: keyAspect, body: undefined }];
    const referrers = [...(await referrersOf(view, urn))];
    for (let start = 0; start < referrers.length; start += pageSize) {
      const stored = await view.readMany(referrers.slice(start, start + pageSize));
      for (const [referrer, aspects] of stored) writes.push(...detachments(referrer, aspects, urn));
    }
    return { writes, result: true };
  },
};

/** Every entity with an edge to this one, itself left out. */
async function referrersOf(view: DecisionView, urn: Urn): Promise<ReadonlySet<Urn>> {
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
