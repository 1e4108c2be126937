import { ownedByCreator } from '../association/owner.ts';
import type { Command } from '../command/command.ts';
import { newUrn } from '../command/new-urn.ts';
import { checkName } from '../entity/entity-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { domainUrn, isNameTaken, requireParentDomain } from './domain-entity.ts';

export type CreateDomainInput = {
  /** Becomes the key of the URN; absent or empty: a random one. */
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
  /** URN of the domain to lie in; absent: at the root. */
  readonly parentDomain?: string | null;
};

/**
 * Creates a domain; never overwrites one, and refuses a name that another one in the same place bears. Who creates it owns
 * it. Answers its URN.
 */
export const createDomain: Command<CreateDomainInput, Urn> = {
  name: 'createDomain',
  demands(input) {
    parentOf(input);
    return [{ anyOf: ['CREATE_DOMAINS', 'MANAGE_DOMAINS'] }];
  },
  async decide(view, input, context) {
    const { id, name, description } = input;
    checkName(name);
    const urn = newUrn('domain', id, context);
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', 'This Domain already exists!');
    }
    const parent = parentOf(input);
    if (parent !== undefined) await requireParentDomain(view, parent);
    if (await isNameTaken(view, name, parent)) {
      throw new PostilError(
        'NAME_CONFLICT',
        `"${name}" already exists in this domain. Please pick a unique name.`,
      );
    }
    const stamp = { time: context.now, actor: context.caller.actor };
    const body = { name, description: description ?? undefined, created: stamp, parentDomain: parent };
    return {
      writes: [
        { urn, aspect: 'domainProperties', body },
        { urn, aspect: 'ownership', body: ownedByCreator(stamp) },
      ],
      result: urn,
    };
  },
};

function parentOf({ parentDomain }: CreateDomainInput): Urn | undefined {
  return parentDomain === null || parentDomain === undefined
    ? undefined
    : domainUrn(parentDomain, 'Failed to create the domain.');
}
