import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType } from '../urn/urn.ts';

export type BatchUpdateSoftDeletedInput = { readonly urns: readonly string[]; readonly deleted: boolean };

/** Marks entities as removed, or brings them back, all or nothing; they stay stored (contract section 7.15). */
export const batchUpdateSoftDeleted: Command<BatchUpdateSoftDeletedInput, true> = {
  name: 'batchUpdateSoftDeleted',
  demands: ({ urns }) => urns.map((urn) => ({ anyOf: ['DELETE_ENTITY'], on: parseUrn(urn) })),
  async decide(view, { urns: texts, deleted }) {
    const urns = texts.map(parseUrn);
    const existing = await view.existing([...new Set(urns)]);
    const draft = await draftAspects(view, urns, ['status']);
    for (const urn of urns) {
      if (!existing.has(urn)) {
        throw new PostilError(
          'ENTITY_NOT_FOUND',
          `Failed to soft delete entity with urn ${urn}. Entity does not exist.`,
        );
      }
      requireAspect(urnType(urn), 'status');
      const body = draft.body(urn, 'status');
      if ((body?.['removed'] ?? false) !== deleted) draft.put(urn, 'status', { ...body, removed: deleted });
    }
    return { writes: draft.writes(), result: true };
  },
};
