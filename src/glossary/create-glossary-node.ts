import type { Command } from '../command/command.ts';
import { newUrn } from '../command/new-urn.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { parentOf, writesOf, type CreateGlossaryEntityInput } from './create-glossary-entity.ts';
import { glossaryNode, demandToPlaceBelow, requireNode } from './glossary-entity.ts';
import { checkName } from '../entity/entity-name.ts';

/** Creates a glossary node, a group of terms; nodes of one parent may bear equal names (contract section 7.2). */
export const createGlossaryNode: Command<CreateGlossaryEntityInput, Urn> = {
  name: 'createGlossaryNode',
  demands(input) {
    return [demandToPlaceBelow(parentOf(input))];
  },
  async decide(view, input, context) {
    const parent = parentOf(input);
    checkName(input.name);
    const urn = newUrn('glossaryNode', input.id, context);
    if (parent !== undefined) await requireNode(view, parent, `Failed to create ${urn}.`);
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', 'This Glossary Node already exists!');
    }
    return { writes: writesOf(urn, glossaryNode, input, context), result: urn };
  },
};
