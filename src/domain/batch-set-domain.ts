import { requireWholeEntities, resourcesOf, type ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { domainUrn } from './domain-entity.ts';
import { membershipDemand, membershipWrites } from './domain-membership.ts';

export type BatchSetDomainInput = {
  /** Absent: the entities belong to no domain from then on. */
  readonly domainUrn?: string | null;
  readonly resources: readonly (ResourceRef | null)[];
};

/** Puts several entities into one domain, or out of theirs, all or nothing (contract section 7.15). */
export const batchSetDomain: Command<BatchSetDomainInput, true> = {
  name: 'batchSetDomain',
  demands(input) {
    domainOf(input);
    return entitiesOf(input).map(membershipDemand);
  },
  async decide(view, input) {
    const domain = domainOf(input);
    if (domain !== undefined && !(await view.existing([domain])).has(domain)) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to validate Domain with urn ${domain}. Urn does not exist.`,
      );
    }
    const missing = (entity: Urn): string =>
      `Failed to update resource with urn ${entity}. Entity does not exist.`;
    return { writes: await membershipWrites(view, entitiesOf(input), domain, missing), result: true };
  },
};

function domainOf({ domainUrn: text }: BatchSetDomainInput): Urn | undefined {
  return text === null || text === undefined ? undefined : domainUrn(text, 'Failed to set the domain.');
}

function entitiesOf(input: BatchSetDomainInput): readonly Urn[] {
  const resources = resourcesOf(input.resources);
  requireWholeEntities(resources, 'domain');
  return resources.map(({ urn }) => urn);
}
