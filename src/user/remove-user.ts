import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { deletionOf } from '../relationship/deletion.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

const pageSize = 500;

/**
 * Deletes a user with everything that refers to them. Their access tokens go as well: nobody who comes to be called the
 * same may find them valid again.
 */
export const removeUser: Command<{ readonly urn: string }, true> = {
  name: 'removeUser',
  demands(input) {
    parseUrn(input.urn);
    return [{ anyOf: ['MANAGE_USERS_AND_GROUPS'] }];
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    if (urnType(urn) !== 'corpuser' || !(await view.existing([urn])).has(urn)) {
      throw new PostilError('MISSING_FOR_DELETE', `This user does not exist: ${urn}`);
    }
    const writes = await deletionOf(view, urn);
    return { writes: [...writes, ...(await tokenDeletions(view, urn))], result: true };
  },
};

/** The writes that delete all access tokens of a user. */
export async function tokenDeletions(
  view: Pick<AspectReader, 'entities' | 'readMany'>,
  user: Urn,
): Promise<readonly AspectWrite[]> {
  const writes: AspectWrite[] = [];
  for (let start = 0; ; start += pageSize) {
    const { items } = await view.entities({ type: 'dataHubAccessToken', start, count: pageSize });
    const stored = await view.readMany(items, ['dataHubAccessTokenInfo']);
    for (const [urn, aspects] of stored) {
      if (aspects.get('dataHubAccessTokenInfo')?.body['actorUrn'] !== user) continue;
      writes.push({ urn, aspect: 'dataHubAccessTokenKey', body: undefined });
    }
    if (items.length < pageSize) return writes;
  }
}
