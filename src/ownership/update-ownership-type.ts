import type { JsonObject } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { entityId } from '../entity/entity-id.ts';
import { checkName } from '../entity/entity-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { manageOwnershipTypes } from './create-ownership-type.ts';
import { ownershipTypeUrn } from './ownership-type.ts';

export type UpdateOwnershipTypeInput = {
  readonly urn: string;
  readonly input: {
    /** Absent: it stays. */
    readonly name?: string | null;
    /** Absent: it stays. Empty: it goes (decision 16). */
    readonly description?: string | null;
  };
};

/** Changes what is sent of a way of owning (decision 15). Answers its URN. */
export const updateOwnershipType: Command<UpdateOwnershipTypeInput, Urn> = {
  name: 'updateOwnershipType',
  demands({ urn }) {
    ownershipTypeUrn(urn);
    return manageOwnershipTypes;
  },
  async decide(view, { urn: text, input }, { caller, now }) {
    const urn = ownershipTypeUrn(text);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const stamp = { time: now, actor: caller.actor };
    const stored = (await view.read(urn, ['ownershipTypeInfo'])).get('ownershipTypeInfo')?.body;
    const before: JsonObject = stored ?? { name: entityId(urn), created: stamp };
    const name = input.name ?? before['name'];
    if (typeof name === 'string') checkName(name);
    const description =
      input.description === '' ? undefined : (input.description ?? before['description'] ?? undefined);
    if (stored !== undefined && name === stored['name'] && description === stored['description']) {
      return { writes: [], result: urn };
    }
    const body = { ...before, name, description, lastModified: stamp };
    return { writes: [{ urn, aspect: 'ownershipTypeInfo', body }], result: urn };
  },
};
