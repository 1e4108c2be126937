import type { Demand } from '../auth/caller.ts';
import { guardedAspects, guardedTypes, typesGuardedFromDeletion } from '../auth/guarded-aspects.ts';
import type { Privilege } from '../auth/privilege.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { urnType } from '../urn/urn.ts';
import { isClientReport } from './client-report.ts';
import type { Proposal } from './proposal.ts';

type AnyOf = readonly Privilege[];

const editEntity: AnyOf = ['EDIT_ENTITY'];
const editGlossary: AnyOf = ['MANAGE_GLOSSARIES', 'EDIT_ENTITY'];
const manageTests: AnyOf = ['MANAGE_TESTS'];
const managePolicies: AnyOf = ['MANAGE_POLICIES'];
const manageUsers: AnyOf = ['MANAGE_USERS_AND_GROUPS', 'MANAGE_POLICIES'];
const deleteEntity: AnyOf = ['DELETE_ENTITY'];

/** What says who is in a group and who may sign in; that nobody gains rights by it is seen to by the write engine. */
const aspectsOfUsers: ReadonlySet<string> = new Set([
  'groupMembership',
  'nativeGroupMembership',
  'corpUserStatus',
]);
const actorTypes: ReadonlySet<string> = new Set(['corpuser', 'corpGroup']);

/** What one proposal needs; equal kinds share one list of privileges, so they can be compared by identity. */
export function demandOf({ urn, aspect, changeType, body }: Proposal): Demand {
  const type = urnType(urn);
  const isDeletion = changeType === 'DELETE' && aspect === entityTypeOf(type)?.keyAspect;
  if (isDeletion) return { anyOf: toDelete(type), on: urn };
  if (body !== undefined && isClientReport(aspect, body)) return { anyOf: editEntity, on: urn };
  return { anyOf: toWrite(type, aspect), on: urn };
}

function toWrite(type: string, aspect: string): AnyOf {
  if (aspectsOfUsers.has(aspect) && type === 'corpuser') return manageUsers;
  if (guardedAspects.has(aspect) || guardedTypes.has(type)) return managePolicies;
  if (aspect === 'glossaryTermInfo' || aspect === 'glossaryNodeInfo') return editGlossary;
  return type === 'test' ? manageTests : editEntity;
}

function toDelete(type: string): AnyOf {
  if (actorTypes.has(type)) return manageUsers;
  if (typesGuardedFromDeletion.has(type)) return managePolicies;
  return type === 'test' ? manageTests : deleteEntity;
}
