import { withOwners, type OwnerUpdate } from '../association/owner.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { Command } from '../command/command.ts';
import { checkName } from '../entity/entity-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { tagProperties, tagUrn } from './tag-entity.ts';

export type UpdateTagInput = {
  readonly urn: string;
  readonly input: {
    /** The same tag once more. */
    readonly urn: string;
    readonly name: string;
    /** Absent: it stays. Empty: it goes (decision 16). */
    readonly description?: string | null;
    /** Absent: they stay. */
    readonly ownership?: { readonly owners: readonly OwnerUpdate[] } | null;
  };
};

/** Changes what is sent of a tag and nothing else, its colour included (decision 15). Answers its URN. */
export const updateTag: Command<UpdateTagInput, Urn> = {
  name: 'updateTag',
  demands({ urn, input }) {
    const on = tagUrn(urn);
    return [
      { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS'], on },
      ...(isSent(input.ownership) ? [{ anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_OWNERS'], on } as const] : []),
    ];
  },
  async decide(view, { urn: text, input }, { caller, now }) {
    const urn = tagUrn(text);
    if (tagUrn(input.urn) !== urn) {
      throw new PostilError(
        'BAD_REQUEST',
        `Failed to update ${urn}. The input names another tag, ${input.urn}. Send the same urn in both places.`,
      );
    }
    checkName(input.name);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const { name, description, ownership } = input;
    const body = { ...(await tagProperties(view, urn)), name, ...descriptionOf(description) };
    const writes: AspectWrite[] = [{ urn, aspect: 'tagProperties', body }];
    if (isSent(ownership)) {
      const stored = (await view.read(urn, ['ownership'])).get('ownership')?.body;
      const stamp = { time: now, actor: caller.actor };
      const owned = withOwners(urn, stored, ownership.owners, stamp);
      if (owned !== stored) writes.push({ urn, aspect: 'ownership', body: owned });
    }
    return { writes, result: urn };
  },
};

function descriptionOf(sent: string | null | undefined): { readonly description?: string | undefined } {
  return isSent(sent) ? { description: sent === '' ? undefined : sent } : {};
}

function isSent<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}
