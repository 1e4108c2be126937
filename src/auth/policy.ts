import type { JsonObject } from '../aspect/json.ts';
import { booleanIn, listIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import { privilegeNamed } from './privilege.ts';

/** What of a resource a policy can ask for, under the names that DataHub's policies have for it. */
export const resourceFields = [
  'TYPE',
  'URN',
  'OWNER',
  'DOMAIN',
  'CONTAINER',
  'TAG',
  'GLOSSARY_TERM',
  'DATA_PLATFORM',
  'DATA_PLATFORM_INSTANCE',
  'GROUP_MEMBERSHIP',
] as const;

export type ResourceField = (typeof resourceFields)[number];

/** Names that older policies have for the same. */
const olderFieldNames: Readonly<Record<string, ResourceField>> = {
  RESOURCE_TYPE: 'TYPE',
  RESOURCE_URN: 'URN',
};

export type MatchCriterion = {
  readonly field: ResourceField;
  readonly values: readonly string[];
  readonly condition: 'EQUALS' | 'STARTS_WITH' | 'NOT_EQUALS';
};

/** All of them have to hold; an empty list is held by everything, and `undefined` by nothing. */
export type MatchFilter = readonly MatchCriterion[] | undefined;

/** Whom a policy is for. */
export type PolicyActors = {
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly allUsers: boolean;
  /** Everybody who is in a group. */
  readonly allGroups: boolean;
  /** Whoever owns the resource, oneself or as a member of a group. */
  readonly resourceOwners: boolean;
  /** Only owners of these types, where any are named. */
  readonly ownerTypes: readonly string[];
};

/** A policy in force: it lets some actors do some things to some resources. It can only grant. */
export type Policy = {
  readonly urn: Urn;
  readonly name: string;
  /** Of the type PLATFORM: it concerns the catalogue as a whole and asks for no resource. */
  readonly isPlatform: boolean;
  /** Privileges by the names that are used here, and as they stand there those that nothing here asks for. */
  readonly privileges: ReadonlySet<string>;
  readonly actors: PolicyActors;
  readonly resources: MatchFilter;
  /** Where it may be given: what a change puts on or takes off has to hold this. `undefined`: whatever it is. */
  readonly constraints: { readonly filter: MatchFilter } | undefined;
};

/**
 * What `dataHubPolicyInfo` says; `undefined` unless it is in force. What cannot be understood grants nothing: a filter with a
 * field or a condition that is not known, and resources that name neither some nor all (contract section 12, wire 8.3).
 */
export function policyOf(urn: Urn, body: JsonObject): Policy | undefined {
  if (textIn(body, 'state') !== 'ACTIVE') return undefined;
  const actors = objectIn(body, 'actors');
  const resources = objectIn(body, 'resources');
  const constraints = objectIn(resources, 'privilegeConstraints');
  const texts = (member: string): readonly string[] =>
    listIn(actors, member).filter((value) => typeof value === 'string');
  return {
    urn,
    name: textIn(body, 'displayName') ?? urn,
    isPlatform: textIn(body, 'type') === 'PLATFORM',
    privileges: new Set(
      listIn(body, 'privileges')
        .filter((name) => typeof name === 'string')
        .map((name) => privilegeNamed(name) ?? name),
    ),
    actors: {
      users: texts('users'),
      groups: texts('groups'),
      roles: texts('roles'),
      allUsers: booleanIn(actors, 'allUsers') === true,
      allGroups: booleanIn(actors, 'allGroups') === true,
      resourceOwners: booleanIn(actors, 'resourceOwners') === true,
      ownerTypes: texts('resourceOwnersTypes'),
    },
    resources: textIn(body, 'type') === 'PLATFORM' ? [] : resourcesOf(resources),
    constraints: constraints === undefined ? undefined : { filter: criteriaOf(constraints) },
  };
}

function resourcesOf(resources: JsonObject | undefined): MatchFilter {
  if (resources === undefined) return [];
  const filter = objectIn(resources, 'filter');
  if (filter !== undefined) return criteriaOf(filter);
  const isForAll = booleanIn(resources, 'allResources') === true;
  const type = textIn(resources, 'type');
  const named = listIn(resources, 'resources').filter((value) => typeof value === 'string');
  if (!isForAll && named.length === 0) return undefined;
  return [
    ...(type === null || type === 'all'
      ? []
      : [{ field: 'TYPE', values: [type], condition: 'EQUALS' } as const]),
    ...(isForAll ? [] : [{ field: 'URN', values: named, condition: 'EQUALS' } as const]),
  ];
}

function criteriaOf(filter: JsonObject): MatchFilter {
  const criteria = objectsIn(filter, 'criteria').map(criterionOf);
  const known = criteria.filter((criterion) => criterion !== undefined);
  return known.length === listIn(filter, 'criteria').length ? known : undefined;
}

function criterionOf(criterion: JsonObject): MatchCriterion | undefined {
  const field = fieldNamed(textIn(criterion, 'field') ?? '');
  const condition = textIn(criterion, 'condition') ?? 'EQUALS';
  const values = listIn(criterion, 'values').filter((value) => typeof value === 'string');
  if (field === undefined || values.length !== listIn(criterion, 'values').length) return undefined;
  if (condition !== 'EQUALS' && condition !== 'STARTS_WITH' && condition !== 'NOT_EQUALS') return undefined;
  return { field, values, condition };
}

/** The field that a policy names so; `undefined` when there is none. */
export function fieldNamed(name: string): ResourceField | undefined {
  return (
    resourceFields.find((field) => field === name) ??
    (Object.hasOwn(olderFieldNames, name) ? olderFieldNames[name] : undefined)
  );
}

/** What is known of an actor besides its URN: the groups that exist, and the roles, those of its groups included. */
export type Standing = {
  readonly actor: Urn;
  readonly groups: readonly Urn[];
  readonly roles: readonly Urn[];
};

/** Whether a policy is for an actor, whatever the resource; who it is for only as an owner is not. */
export function namesActor({ actors }: Policy, { actor, groups, roles }: Standing): boolean {
  return (
    actors.allUsers ||
    (actors.allGroups && groups.length > 0) ||
    actors.users.includes(actor) ||
    groups.some((group) => actors.groups.includes(group)) ||
    roles.some((role) => actors.roles.includes(role))
  );
}

/** Whether a policy, for whom it names, holds for the catalogue as a whole and all that is in it. */
export function isUnconditional(policy: Policy): boolean {
  return policy.resources?.length === 0 && policy.constraints === undefined;
}

export type OwnerOf = { readonly owner: string; readonly type: string | undefined };

/** Whether a policy is for an actor as an owner of a resource that has these owners. */
export function isForOwner(
  { actors }: Policy,
  { actor, groups }: Standing,
  owners: readonly OwnerOf[],
): boolean {
  if (!actors.resourceOwners) return false;
  return owners.some(
    ({ owner, type }) =>
      (owner === actor || groups.some((group) => group === owner)) &&
      (actors.ownerTypes.length === 0 || (type !== undefined && actors.ownerTypes.includes(type))),
  );
}

/** The first criterion that does not hold; `undefined` when all hold. */
export function firstUnmet(
  criteria: readonly MatchCriterion[],
  valuesOf: (field: ResourceField) => readonly string[],
): MatchCriterion | undefined {
  return criteria.find(({ field, values, condition }) => {
    const found = valuesOf(field);
    const matches = values.some((value) =>
      found.some((each) => (condition === 'STARTS_WITH' ? each.startsWith(value) : each === value)),
    );
    return condition === 'NOT_EQUALS' ? matches : !matches;
  });
}

/** Every policy of a list that is one; others are left out. */
export function urnsIn(values: readonly unknown[]): readonly Urn[] {
  return values.filter((value): value is Urn => isUrn(value));
}
