import { newTokenText, tokenIdOf, tokenUrnOf } from '../auth/token-text.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { readTokens, tokenWrite } from './access-token.ts';

/** The user whom the first administrator token speaks for; DataHub's own root user (contract section 12). */
export const firstAdministrator = parseUrn('urn:li:corpuser:datahub');

/** What is told of that user (wire 8.1). */
export const rootUserInfo: JsonObject = {
  active: true,
  displayName: 'DataHub',
  title: 'DataHub Root User',
  system: true,
};

const chosenTokenName = 'POSTIL_TOKEN';

export type FirstAdministratorInput = {
  /** The id and last characters of the token that the operator chose (`POSTIL_TOKEN`). */
  readonly chosen: { readonly id: string; readonly lastFour: string } | undefined;
  /** The same of a token that was just made, to be stored only if the catalogue has none yet. */
  readonly made: { readonly id: string; readonly lastFour: string };
};

/**
 * Makes sure that somebody can get in (decision 7): stores the chosen token and drops the one chosen before, or, in a
 * catalogue without any token, stores the one just made. Answers whether the made token was stored and has to be shown.
 */
export const prepareFirstAdministrator: Command<FirstAdministratorInput, { readonly isMadeStored: boolean }> =
  {
    name: 'prepareFirstAdministrator',
    demands: () => [{ anyOf: ['MANAGE_ACCESS_TOKENS'] }],
    async decide(view, { chosen, made }, { now }) {
      const tokens = await readTokens(view);
      const writes: AspectWrite[] = [];
      const store = (id: string, lastFour: string, name: string): void => {
        writes.push(
          tokenWrite({
            id,
            name,
            description: undefined,
            kind: 'bootstrap',
            actorUrn: firstAdministrator,
            ownerUrn: firstAdministrator,
            createdAt: now,
            expiresAt: undefined,
            lastFour,
            createdByToken: undefined,
          }),
        );
      };
      for (const token of tokens) {
        if (token.name !== chosenTokenName || token.kind !== 'bootstrap' || token.id === chosen?.id) continue;
        if (chosen === undefined) continue;
        writes.push({ urn: tokenUrnOf(token.id), aspect: 'dataHubAccessTokenKey', body: undefined });
      }
      const isMadeStored = chosen === undefined && tokens.length === 0;
      const isChosenNew = chosen !== undefined && !tokens.some((token) => token.id === chosen.id);
      if (isChosenNew) store(chosen.id, chosen.lastFour, chosenTokenName);
      if (isMadeStored) store(made.id, made.lastFour, 'first administrator');
      // A role that somebody took away later stays away: only a new first token brings it.
      if (!isChosenNew && !isMadeStored) return { writes, result: { isMadeStored } };
      const user = await view.read(firstAdministrator, ['corpUserInfo', 'roleMembership']);
      if (!user.has('corpUserInfo')) {
        writes.push({
          urn: firstAdministrator,
          aspect: 'corpUserInfo',
          body: rootUserInfo,
        });
      }
      if (!user.has('roleMembership')) {
        writes.push({
          urn: firstAdministrator,
          aspect: 'roleMembership',
          body: { roles: ['urn:li:dataHubRole:Admin'] },
        });
      }
      return { writes, result: { isMadeStored } };
    },
  };

/** A secret with what may be stored of it. */
export function newToken(kind: Parameters<typeof newTokenText>[0]): {
  text: string;
  id: string;
  lastFour: string;
} {
  const text = newTokenText(kind);
  return { text, id: tokenIdOf(text), lastFour: text.slice(-4) };
}
