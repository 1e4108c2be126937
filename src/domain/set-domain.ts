import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { domainUrn } from './domain-entity.ts';
import { membershipDemand, membershipWrites } from './domain-membership.ts';

export type SetDomainInput = { readonly entityUrn: string; readonly domainUrn: string };

/** Puts an entity into a domain, and out of any other (contract section 7.15). */
export const setDomain: Command<SetDomainInput, true> = {
  name: 'setDomain',
  demands(input) {
    domainUrn(input.domainUrn, 'Failed to set the domain.');
    return [membershipDemand(parseUrn(input.entityUrn))];
  },
  async decide(view, input) {
    const entity = parseUrn(input.entityUrn);
    const domain = domainUrn(input.domainUrn, 'Failed to set the domain.');
    const start = `Failed to add Entity ${entity} to Domain ${domain}.`;
    if (!(await view.existing([domain])).has(domain)) {
      throw new PostilError('ENTITY_NOT_FOUND', `${start} Domain does not exist.`);
    }
    const writes = await membershipWrites(view, [entity], domain, () => `${start} Entity does not exist.`);
    return { writes, result: true };
  },
};
