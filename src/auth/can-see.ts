import { urnType, type Urn } from '../urn/urn.ts';
import { type Caller, isAllowed } from './caller.ts';

/**
 * Whether a caller may be shown an entity: access tokens are for who manages them, everything else is for everyone who may
 * call (contract section 12). The one place that decides it for lists of entities that nobody named.
 */
export function canSee(caller: Caller, urn: Urn): boolean {
  return urnType(urn) !== 'dataHubAccessToken' || isAllowed(caller, [{ anyOf: ['MANAGE_ACCESS_TOKENS'] }]);
}
