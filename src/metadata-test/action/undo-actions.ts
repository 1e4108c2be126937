import type { Command } from '../../command/command.ts';
import { draftAspects } from '../../command/aspect-draft.ts';
import { deletedAmong } from '../../relationship/deletion.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import { type AssociationPatch, isAsLeft, patched, reversed } from './association-patch.ts';

export type UndoInput = readonly { readonly entity: Urn; readonly patches: readonly AssociationPatch[] }[];

/** Per entity how many associations were put back, and how many are no longer as the action left them. */
export type UndoOutcome = { readonly entity: Urn; readonly undone: number; readonly kept: number };

/** Takes back what actions did, the last first, as far as it is still as they left it (A10). */
export const undoActions: Command<UndoInput, readonly UndoOutcome[]> = {
  name: 'undoTestActions',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, input, { caller, now }) {
    const patches = input.flatMap((each) => each.patches);
    const existing = await view.existing([...new Set(patches.map(({ urn }) => urn))]);
    const draft = await draftAspects(
      view,
      patches.map(({ urn }) => urn),
      [...new Set(patches.map(({ aspect }) => aspect))],
    );
    const taken = patches.flatMap((patch) =>
      patch.op === 'remove' && isUrn(patch.value) ? [patch.value] : [],
    );
    const deleted: ReadonlySet<string> = new Set(await deletedAmong(view, taken));
    const stamp = { time: now, actor: caller.actor };
    const result = input.map(({ entity, patches: own }) => {
      let undone = 0;
      for (const patch of own.toReversed()) {
        const body = draft.body(patch.urn, patch.aspect);
        if (!existing.has(patch.urn) || !isAsLeft(body, patch)) continue;
        // What was deleted since is not attached again.
        if (patch.op === 'remove' && deleted.has(patch.value)) continue;
        const isNew = patch.op === 'set' && patch.before === undefined;
        draft.put(patch.urn, patch.aspect, isNew ? undefined : patched(body, reversed(patch, body), stamp));
        undone += 1;
      }
      return { entity, undone, kept: own.length - undone };
    });
    return { writes: draft.writes(), result };
  },
};
