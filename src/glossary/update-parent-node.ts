import type { Command } from '../command/command.ts';
import { checkNotBelow } from '../entity/hierarchy.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { demandToChange, demandToPlaceBelow, glossaryKindOf, nodes, requireNode } from './glossary-entity.ts';

export type UpdateParentNodeInput = {
  readonly resourceUrn: string;
  /** Absent: the term or node goes to the root. */
  readonly parentNode?: string | null;
};

/** Moves a term or node below another node, or to the root (contract section 7.12). A node never comes below itself. */
export const updateParentNode: Command<UpdateParentNodeInput, true> = {
  name: 'updateParentNode',
  demands(input) {
    return [demandToChange(parseUrn(input.resourceUrn)), demandToPlaceBelow(parentOf(input))];
  },
  async decide(view, input) {
    const urn = parseUrn(input.resourceUrn);
    const parent = parentOf(input);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    if (parent !== undefined) await requireNode(view, parent, `Failed to update ${urn}.`);
    const kind = glossaryKindOf(urn);
    if (kind === undefined) {
      throw new PostilError(
        'UNSUPPORTED_RESOURCE_TYPE',
        `Failed to update parentNode. Unsupported resource type ${urn} provided.`,
      );
    }
    const body = (await view.read(urn, [kind.aspect])).get(kind.aspect)?.body;
    if (body === undefined) {
      throw new PostilError('BAD_REQUEST', `Properties for this ${kind.title} do not yet exist!`);
    }
    if (parent !== undefined) await checkNotBelow(view, nodes, parent, urn);
    const { parentNode: before, ...rest } = body;
    if (before === parent) return { writes: [], result: true };
    const after = parent === undefined ? rest : { ...body, parentNode: parent };
    return { writes: [{ urn, aspect: kind.aspect, body: after }], result: true };
  },
};

function parentOf({ parentNode }: UpdateParentNodeInput): Urn | undefined {
  return parentNode === null || parentNode === undefined ? undefined : parseUrn(parentNode);
}
