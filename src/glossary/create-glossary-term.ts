import type { Command } from '../command/command.ts';
import { newUrn } from '../command/new-urn.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { parentOf, writesOf, type CreateGlossaryEntityInput } from './create-glossary-entity.ts';
import { glossaryTerm, demandToPlaceBelow, requireNode } from './glossary-entity.ts';
import { checkName } from '../entity/entity-name.ts';

/** Creates a glossary term; never overwrites one (contract section 7.1, decision 19). Answers its URN. */
export const createGlossaryTerm: Command<CreateGlossaryEntityInput, Urn> = {
  name: 'createGlossaryTerm',
  demands(input) {
    return [demandToPlaceBelow(parentOf(input))];
  },
  async decide(view, input, context) {
    const parent = parentOf(input);
    checkName(input.name);
    const urn = newUrn('glossaryTerm', input.id, context);
    if (parent !== undefined) await requireNode(view, parent, `Failed to create ${urn}.`);
    if ((await view.childrenNamed('glossaryTerm', parent, input.name)).length > 0) {
      throw new PostilError(
        'ALREADY_EXISTS',
        'Glossary Term with this name already exists at this level of the Business Glossary',
      );
    }
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', 'This Glossary Term already exists!');
    }
    return { writes: writesOf(urn, glossaryTerm, input, context), result: urn };
  },
};
