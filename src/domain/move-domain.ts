import type { Command } from '../command/command.ts';
import { checkNotBelow } from '../entity/hierarchy.ts';
import { textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { domains, domainUrn, isNameTaken, manageDomains, requireParentDomain } from './domain-entity.ts';

export type MoveDomainInput = {
  readonly resourceUrn: string;
  /** Absent: the domain goes to the root. */
  readonly parentDomain?: string | null;
};

/** Moves a domain into another one, or to the root. A domain never comes to lie in itself. */
export const moveDomain: Command<MoveDomainInput, true> = {
  name: 'moveDomain',
  demands(input) {
    movedOf(input);
    parentOf(input);
    return manageDomains;
  },
  async decide(view, input) {
    const urn = movedOf(input);
    const parent = parentOf(input);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const body = (await view.read(urn, ['domainProperties'])).get('domainProperties')?.body;
    if (body === undefined) {
      throw new PostilError('BAD_REQUEST', 'Properties for this Domain do not yet exist!');
    }
    if (parent !== undefined) {
      await requireParentDomain(view, parent);
      await checkNotBelow(view, domains, parent, urn);
    }
    if ((body['parentDomain'] ?? undefined) === parent) return { writes: [], result: true };
    const name = textIn(body, 'name') ?? '';
    if (await isNameTaken(view, name, parent)) {
      throw new PostilError(
        'NAME_CONFLICT',
        `"${name}" already exists in the destination domain. Please pick a unique name.`,
      );
    }
    const after = { ...body, parentDomain: parent };
    return { writes: [{ urn, aspect: 'domainProperties', body: after }], result: true };
  },
};

function movedOf({ resourceUrn }: MoveDomainInput): Urn {
  return domainUrn(resourceUrn, 'Resource is not a domain.');
}

function parentOf({ parentDomain }: MoveDomainInput): Urn | undefined {
  return parentDomain === null || parentDomain === undefined
    ? undefined
    : domainUrn(parentDomain, 'Parent entity is not a domain.');
}
