import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { domainUrn } from './domain-entity.ts';

export type DeleteDomainInput = { readonly urn: string };

/** Deletes a domain that no other domain lies in, and takes whatever belonged to it out of it, at once (decision 25). */
export const deleteDomain: Command<DeleteDomainInput, true> = {
  name: 'deleteDomain',
  demands: ({ urn }) => [
    { anyOf: ['MANAGE_DOMAINS', 'DELETE_ENTITY'], on: domainUrn(urn, 'Failed to delete the domain.') },
  ],
  async decide(view, { urn: text }) {
    const urn = domainUrn(text, 'Failed to delete the domain.');
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This urn does not exist: ${urn}`);
    }
    const { total } = await view.children({ type: 'domain', parent: urn, start: 0, count: 1 });
    if (total > 0) {
      throw new PostilError(
        'BAD_REQUEST',
        `Cannot delete domain ${urn} which has child domains (${total}). Move or delete them first.`,
      );
    }
    return { writes: await deletionOf(view, urn), result: true };
  },
};
