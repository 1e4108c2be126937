import type { JsonObject } from '../aspect/json.ts';
import { fieldNamed, resourceFields } from '../auth/policy.ts';
import { privilegeNamed } from '../auth/privilege.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { inertPrivileges } from './inert-privileges.ts';

type MatchFilterInput = {
  readonly criteria?:
    | readonly { readonly field: string; readonly values: readonly string[]; readonly condition: string }[]
    | null;
};

/** The GraphQL input `PolicyUpdateInput`. */
export type PolicyUpdateInput = {
  readonly type: string;
  readonly name: string;
  readonly state: string;
  readonly description?: string | null;
  readonly resources?: {
    readonly type?: string | null;
    readonly resources?: readonly string[] | null;
    readonly allResources?: boolean | null;
    readonly filter?: MatchFilterInput | null;
    readonly privilegeConstraints?: MatchFilterInput | null;
  } | null;
  readonly privileges: readonly string[];
  readonly actors: {
    readonly users?: readonly string[] | null;
    readonly groups?: readonly string[] | null;
    readonly resourceOwners: boolean;
    readonly resourceOwnersTypes?: readonly string[] | null;
    readonly allUsers: boolean;
    readonly allGroups: boolean;
  };
};

const nameCharactersMax = 1_024;
const valuesMax = 10_000;

/**
 * The aspect `dataHubPolicyInfo` that the input means. Roles cannot be given in the input (DataHub's has no place for them),
 * so those that are stored stay. Throws BAD_REQUEST, naming what is not known, and INVALID_URN.
 */
export function policyDocument(
  input: PolicyUpdateInput,
  stored: JsonObject | undefined,
  now: number,
): JsonObject {
  const { actors, resources } = input;
  if (input.name.trim() === '' || input.name.length > nameCharactersMax) {
    throw refusal(`A policy needs a name of 1 to ${nameCharactersMax} characters`);
  }
  for (const privilege of input.privileges) {
    if (privilegeNamed(privilege) === undefined && !inertPrivileges.has(privilege)) {
      throw refusal(
        `There is no privilege ${privilege}; appConfig { policiesConfig } lists those that there are`,
      );
    }
  }
  const roles = rolesOf(stored);
  const ownerTypes = urnsOf('resourceOwnersTypes', actors.resourceOwnersTypes, 'ownershipType');
  return {
    displayName: input.name,
    description: input.description ?? '',
    type: input.type,
    state: input.state,
    privileges: limited('privileges', [...new Set(input.privileges)]),
    actors: {
      users: urnsOf('users', actors.users, 'corpuser'),
      groups: urnsOf('groups', actors.groups, 'corpGroup'),
      ...(roles === undefined ? {} : { roles }),
      resourceOwners: actors.resourceOwners,
      ...(ownerTypes.length === 0 ? {} : { resourceOwnersTypes: ownerTypes }),
      allUsers: actors.allUsers,
      allGroups: actors.allGroups,
    },
    ...(resources === null || resources === undefined ? {} : { resources: resourcesOf(resources) }),
    editable: true,
    lastUpdatedTimestamp: now,
  };
}

function rolesOf(stored: JsonObject | undefined): JsonObject[string] {
  const actors = stored?.['actors'];
  return typeof actors === 'object' && actors !== null && !Array.isArray(actors) && 'roles' in actors
    ? actors['roles']
    : undefined;
}

function resourcesOf(resources: NonNullable<PolicyUpdateInput['resources']>): JsonObject {
  const { type, filter, privilegeConstraints } = resources;
  const named = resources.resources ?? undefined;
  for (const urn of named ?? []) parseUrn(urn);
  return {
    ...(type === null || type === undefined ? {} : { type }),
    ...(named === undefined ? {} : { resources: limited('resources', named) }),
    allResources: resources.allResources ?? false,
    ...(filter === null || filter === undefined ? {} : { filter: filterOf(filter) }),
    ...(privilegeConstraints === null || privilegeConstraints === undefined
      ? {}
      : { privilegeConstraints: filterOf(privilegeConstraints) }),
  };
}

function filterOf({ criteria }: MatchFilterInput): JsonObject {
  return {
    criteria: (criteria ?? []).map(({ field, values, condition }) => {
      if (fieldNamed(field) === undefined) {
        throw refusal(`Policies do not ask for ${field}; they ask for ${resourceFields.join(', ')}`);
      }
      return { field, values: limited(`values of ${field}`, values), condition };
    }),
  };
}

function urnsOf(member: string, urns: readonly string[] | null | undefined, type: string): string[] {
  for (const urn of urns ?? []) {
    if (urnType(parseUrn(urn)) !== type) throw refusal(`${urn} in ${member} is not a urn:li:${type} URN`);
  }
  return limited(member, [...new Set(urns ?? [])]);
}

function limited(what: string, values: readonly string[]): string[] {
  if (values.length > valuesMax) {
    throw refusal(`A policy holds at most ${valuesMax} ${what}, not ${values.length}`);
  }
  return [...values];
}

function refusal(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
