import type { AspectWrite } from '../aspect/aspect.ts';
import { ownersByType } from '../association/owner.ts';
import type { Command } from '../command/command.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { urnType } from '../urn/urn.ts';
import { manageOwnershipTypes } from './create-ownership-type.ts';
import { isSystemType, ownershipTypeUrn } from './ownership-type.ts';

export type DeleteOwnershipTypeInput = {
  readonly urn: string;
  /** False: owners go on naming the type that is gone. Absent: they lose it and stay owners. */
  readonly deleteReferences?: boolean | null;
};

/** Deletes a way of owning; whoever owned in that way stays an owner. Those that come with the catalogue stay. */
export const deleteOwnershipType: Command<DeleteOwnershipTypeInput, true> = {
  name: 'deleteOwnershipType',
  demands({ urn }) {
    ownershipTypeUrn(urn);
    return manageOwnershipTypes;
  },
  async decide(view, { urn: text, deleteReferences }) {
    const urn = ownershipTypeUrn(text);
    if (isSystemType(urn)) {
      throw new PostilError(
        'BAD_REQUEST',
        `Failed to delete ${urn}. It comes with the catalogue and cannot be deleted.`,
      );
    }
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    if (deleteReferences === false) {
      const { keyAspect } = requireEntityType(urnType(urn));
      return { writes: [{ urn, aspect: keyAspect, body: undefined }], result: true };
    }
    return { writes: (await deletionOf(view, urn)).map(withTypesInStep), result: true };
  },
};

/** The map of owners by type has types as its keys, where a reference is not looked for. */
function withTypesInStep(write: AspectWrite): AspectWrite {
  if (write.aspect !== 'ownership' || write.body === undefined) return write;
  return { ...write, body: { ...write.body, ownerTypes: ownersByType(objectsIn(write.body, 'owners')) } };
}
