import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Caller, Demand } from '../../auth/caller.ts';
import { isBarred, privilegesOf } from '../../auth/authenticator.ts';
import type { Privilege } from '../../auth/privilege.ts';
import type { Action } from '../predicate.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { type ActionTarget, targetOfAction } from './effects.ts';

/** Who actions of metadata tests act as: in the change log, in attributions, and before the write engine (A11). */
export const testActor: Urn = parseUrn('urn:li:corpuser:__metadata_tests');

const privilegeOf: Readonly<Record<ActionTarget['kind'], Privilege>> = {
  tags: 'EDIT_ENTITY_TAGS',
  terms: 'EDIT_ENTITY_GLOSSARY_TERMS',
  owners: 'EDIT_ENTITY_OWNERS',
  domain: 'EDIT_DOMAINS_PRIVILEGE',
  deprecation: 'EDIT_DEPRECATION_PRIVILEGE',
  dataProduct: 'EDIT_ENTITY',
  structuredProperty: 'EDIT_ENTITY',
};

/**
 * The caller that actions are executed as: it has the rights that actions need and no others. Whoever gives the actor a role
 * takes from it what the role does not have, so a Reader, or whoever has a role that is unknown, does nothing; and neither
 * does an actor that was suspended or removed.
 */
export async function actionCaller(reader: Pick<AspectReader, 'read'>): Promise<Caller> {
  const user = await reader.read(testActor, ['roleMembership', 'corpUserStatus', 'status']);
  const roles = user.get('roleMembership')?.body['roles'];
  const hasRole = Array.isArray(roles) && roles.length > 0;
  const needed = new Set(Object.values(privilegeOf));
  const granted = hasRole ? privilegesOf(user) : needed;
  const privileges = isBarred(user) ? new Set<Privilege>() : needed.intersection(granted);
  return { actor: testActor, privileges, tokenId: undefined };
}

/** What it takes to do these actions to an entity. */
export function demandsOfActions(actions: readonly Action[], on: Urn): readonly Demand[] {
  const kinds = new Set(actions.flatMap(({ type }) => targetOfAction(type)?.kind ?? []));
  return [...kinds].map((kind) => ({ anyOf: [privilegeOf[kind]], on }));
}
