import { urnType, type Urn } from '../urn/urn.ts';
import { type Caller, isAllowed } from './caller.ts';
import type { Privilege } from './privilege.ts';

/** Types of entities that not everybody may be shown, and who may. */
const guarded: ReadonlyMap<string, Privilege> = new Map<string, Privilege>([
  ['dataHubAccessToken', 'MANAGE_ACCESS_TOKENS'],
  ['dataHubPolicy', 'MANAGE_POLICIES'],
]);

/**
 * Whether a caller may be shown an entity: access tokens and policies are for who manages them, everything else is for
 * everyone who may call (contract section 12). The one place that decides it for lists of entities that nobody named.
 */
export function canSee(caller: Caller, urn: Urn): boolean {
  const privilege = guarded.get(urnType(urn));
  return privilege === undefined || isAllowed(caller, [{ anyOf: [privilege] }]);
}
