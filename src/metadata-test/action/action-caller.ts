import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Caller, Demand } from '../../auth/caller.ts';
import { isRole, type Privilege, rolePrivileges } from '../../auth/privilege.ts';
import type { Action } from '../predicate.ts';
import { isUrn, parseUrn, type Urn, urnKey } from '../../urn/urn.ts';
import { type ActionTarget, targetOfAction } from './effects.ts';

/** Who actions of metadata tests act as: in the change log, in attributions, and before the write engine (A11). */
export const testActor: Urn = parseUrn('urn:li:corpuser:__metadata_tests');

const privilegeOf: Readonly<Record<ActionTarget['kind'], Privilege>> = {
  tags: 'EDIT_ENTITY_TAGS',
  terms: 'EDIT_ENTITY_GLOSSARY_TERMS',
  owners: 'EDIT_ENTITY_OWNERS',
  domain: 'EDIT_DOMAINS_PRIVILEGE',
  deprecation: 'EDIT_ENTITY_DEPRECATION',
  dataProduct: 'EDIT_ENTITY',
  structuredProperty: 'EDIT_ENTITY',
};

/**
 * The caller that actions are executed as: it has the rights that actions need and no others. Whoever gives the actor a role
 * takes from it what the role does not have, so a Reader does nothing.
 */
export async function actionCaller(reader: Pick<AspectReader, 'read'>): Promise<Caller> {
  const stored = await reader.read(testActor, ['roleMembership']);
  const roles = stored.get('roleMembership')?.body['roles'];
  const named = (Array.isArray(roles) ? (roles as readonly unknown[]) : [])
    .filter((role): role is Urn => typeof role === 'string' && isUrn(role))
    .map(urnKey)
    .filter(isRole);
  const needed = new Set(Object.values(privilegeOf));
  const privileges =
    named.length === 0
      ? needed
      : new Set([...needed].filter((privilege) => named.some((role) => rolePrivileges[role].has(privilege))));
  return { actor: testActor, privileges, tokenId: undefined };
}

/** What it takes to do these actions to an entity. */
export function demandsOfActions(actions: readonly Action[], on: Urn): readonly Demand[] {
  const kinds = new Set(actions.flatMap(({ type }) => targetOfAction(type)?.kind ?? []));
  return [...kinds].map((kind) => ({ anyOf: [privilegeOf[kind]], on }));
}
