import { tokenUrnOf } from '../auth/token-text.ts';
import type { Command } from '../command/command.ts';

/**
 * Remembers when a token was last used: as system metadata of the unchanged record, so neither a version nor a log entry
 * comes of it.
 */
export const noteTokenUse: Command<{ readonly tokenId: string }, void> = {
  name: 'noteTokenUse',
  demands: () => [],
  async decide(view, { tokenId }, { now }) {
    const urn = tokenUrnOf(tokenId);
    const info = (await view.read(urn, ['dataHubAccessTokenInfo'])).get('dataHubAccessTokenInfo');
    if (info === undefined) return { writes: [], result: undefined };
    return {
      writes: [
        {
          urn,
          aspect: 'dataHubAccessTokenInfo',
          body: info.body,
          systemMetadata: { lastObserved: now },
        },
      ],
      result: undefined,
    };
  },
};
