import { authorize } from '../auth/caller.ts';
import { tokenUrnOf } from '../auth/token-text.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { readToken } from './access-token.ts';

/** Contract section 7.19: one's own tokens, or any with the right to manage. Who may is a matter of the stored token. */
export const revokeAccessToken: Command<{ readonly tokenId: string }, boolean> = {
  name: 'revokeAccessToken',
  demands: () => [{ anyOf: ['GENERATE_PERSONAL_ACCESS_TOKENS', 'MANAGE_ACCESS_TOKENS'] }],
  async decide(view, { tokenId }, { caller }) {
    const token = await readToken(view, tokenId);
    const isOwn = token !== undefined && (token.actorUrn === caller.actor || token.ownerUrn === caller.actor);
    if (!isOwn) authorize(caller, [{ anyOf: ['MANAGE_ACCESS_TOKENS'] }]);
    if (token === undefined) throw new PostilError('ENTITY_NOT_FOUND', `There is no access token ${tokenId}`);
    return {
      writes: [{ urn: tokenUrnOf(tokenId), aspect: 'dataHubAccessTokenKey', body: undefined }],
      result: true,
    };
  },
};
