import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { membershipDemand, membershipWrites } from './domain-membership.ts';

export type UnsetDomainInput = { readonly entityUrn: string };

/** Takes an entity out of its domain; true when it has none (contract section 7.15, decision 18). */
export const unsetDomain: Command<UnsetDomainInput, true> = {
  name: 'unsetDomain',
  demands: ({ entityUrn }) => [membershipDemand(parseUrn(entityUrn))],
  async decide(view, { entityUrn }) {
    const missing = (entity: string): string =>
      `Failed to remove Domain from Entity ${entity}. Entity does not exist.`;
    return {
      writes: await membershipWrites(view, [parseUrn(entityUrn)], undefined, missing),
      result: true,
    };
  },
};
