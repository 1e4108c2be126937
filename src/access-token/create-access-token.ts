import type { Command } from '../command/command.ts';
import type { TokenKind } from '../auth/token-text.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { readTokens, tokenWrite } from './access-token.ts';

/** Reliability section 6.3. */
const liveTokensPerActorMax = 50;
const nameCharactersMax = 1_024;

/** The secret is made outside and never becomes part of a command, so no log can hold it. */
export type CreateAccessTokenInput = {
  readonly id: string;
  readonly lastFour: string;
  readonly kind: TokenKind;
  readonly actorUrn: string;
  readonly name: string;
  readonly description: string | undefined;
  /** `undefined`: never expires. */
  readonly durationMs: number | undefined;
};

/** Contract section 7.19: for oneself with the right to make personal tokens, for others with the right to manage. */
export const createAccessToken: Command<CreateAccessTokenInput, string> = {
  name: 'createAccessToken',
  demands: (input, caller) => [
    {
      anyOf:
        input.actorUrn === caller.actor
          ? ['GENERATE_PERSONAL_ACCESS_TOKENS', 'MANAGE_ACCESS_TOKENS']
          : ['MANAGE_ACCESS_TOKENS'],
    },
  ],
  async decide(view, input, { caller, now }) {
    const actor = parseUrn(input.actorUrn);
    if (urnType(actor) !== 'corpuser') {
      throw new PostilError(
        'BAD_REQUEST',
        `A token speaks for a user; ${actor} is not a urn:li:corpuser URN`,
      );
    }
    if (input.name.trim() === '' || input.name.length > nameCharactersMax) {
      throw new PostilError('BAD_REQUEST', `A token needs a name of 1 to ${nameCharactersMax} characters`);
    }
    const live = (await readTokens(view)).filter(
      (token) => token.actorUrn === actor && (token.expiresAt ?? Number.POSITIVE_INFINITY) > now,
    );
    if (live.length >= liveTokensPerActorMax) {
      throw new PostilError(
        'LIMIT_EXCEEDED',
        `${actor} has ${live.length} live tokens, ${liveTokensPerActorMax} are the limit; revoke one first`,
      );
    }
    const write = tokenWrite({
      id: input.id,
      name: input.name,
      description: input.description,
      kind: input.kind,
      actorUrn: actor,
      ownerUrn: caller.actor,
      createdAt: now,
      expiresAt: input.durationMs === undefined ? undefined : now + input.durationMs,
      lastFour: input.lastFour,
      createdByToken: caller.tokenId,
    });
    // A token is as good as its user, who therefore has to be there.
    const user = { urn: actor, aspect: 'corpUserKey', body: keyBodyOf(actor) };
    return { writes: [user, write], result: write.urn };
  },
};
