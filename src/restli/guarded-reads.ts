import { isAllowed } from '../auth/caller.ts';
import type { Caller } from '../auth/caller.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

const mayReadSecrets = [{ anyOf: ['MANAGE_ACCESS_TOKENS', 'MANAGE_POLICIES'] }] as const;

export function seesSecrets(caller: Caller | undefined): boolean {
  return caller !== undefined && isAllowed(caller, mayReadSecrets);
}

/** Throws FORBIDDEN for access tokens, policies and aspects that hold secrets, stored or not, unless the caller manages them. */
export function requireReadable(caller: Caller | undefined, urn: Urn, aspects: readonly string[]): void {
  if (seesSecrets(caller)) return;
  if (urnType(urn) === 'dataHubAccessToken') {
    throw new PostilError('FORBIDDEN', 'Reading access tokens needs MANAGE_ACCESS_TOKENS');
  }
  if (urnType(urn) === 'dataHubPolicy') {
    throw new PostilError('FORBIDDEN', 'Reading policies needs MANAGE_POLICIES');
  }
  const secret = aspects.find(isSecretAspect);
  if (secret !== undefined) {
    throw new PostilError('FORBIDDEN', `Reading ${secret} needs MANAGE_POLICIES or MANAGE_ACCESS_TOKENS`);
  }
}
