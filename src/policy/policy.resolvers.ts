import type { JsonObject } from '../aspect/json.ts';
import { authorize } from '../auth/caller.ts';
import { referredEntities, referredEntity, requestedUrn } from '../entity/graphql-types.ts';
import { booleanIn, listIn, objectIn, objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { urnType } from '../urn/urn.ts';
import { createPolicy, deletePolicy, updatePolicy, type UpdatePolicyInput } from './change-policy.ts';
import { policiesConfig } from './policies-config.ts';
import type { PolicyUpdateInput } from './policy-document.ts';
import { listPolicies, type PolicyQuery, type StoredPolicy } from './policy-list.ts';

/** The GraphQL type `Policy`. */
function shownPolicy({ urn, body }: StoredPolicy): object {
  const actors = objectIn(body, 'actors');
  const ownerTypes = textsIn(actors, 'resourceOwnersTypes');
  const resources = objectIn(body, 'resources');
  return {
    urn,
    type: textIn(body, 'type') === 'PLATFORM' ? 'PLATFORM' : 'METADATA',
    name: textIn(body, 'displayName') ?? '',
    state: shownState(textIn(body, 'state')),
    description: textIn(body, 'description') ?? '',
    resources:
      resources === undefined
        ? null
        : {
            type: textIn(resources, 'type'),
            resources: textsIn(resources, 'resources'),
            allResources: booleanIn(resources, 'allResources'),
            filter: shownFilter(objectIn(resources, 'filter')),
            privilegeConstraints: shownFilter(objectIn(resources, 'privilegeConstraints')),
          },
    privileges: textsIn(body, 'privileges') ?? [],
    actors: {
      users: textsIn(actors, 'users'),
      groups: textsIn(actors, 'groups'),
      roles: textsIn(actors, 'roles'),
      resourceOwners: booleanIn(actors, 'resourceOwners') ?? false,
      resourceOwnersTypes: ownerTypes,
      resolvedOwnershipTypes: ownerTypes === null ? null : referredEntities(ownerTypes, 'ownershipType'),
      allUsers: booleanIn(actors, 'allUsers') ?? false,
      allGroups: booleanIn(actors, 'allGroups') ?? false,
      resolvedUsers: referredEntities(listIn(actors, 'users'), 'corpuser'),
      resolvedGroups: referredEntities(listIn(actors, 'groups'), 'corpGroup'),
    },
    editable: booleanIn(body, 'editable') ?? true,
  };
}

/** What has no state that is known is not in force. */
function shownState(state: string | null): string {
  return state === 'ACTIVE' || state === 'DRAFT' ? state : 'INACTIVE';
}

function shownFilter(filter: JsonObject | undefined): object | null {
  if (filter === undefined) return null;
  return {
    criteria: objectsIn(filter, 'criteria').map((criterion) => ({
      field: textIn(criterion, 'field') ?? '',
      values: (textsIn(criterion, 'values') ?? []).map((value) => ({
        value,
        entity: referredEntity(value) ?? null,
      })),
      condition: shownCondition(textIn(criterion, 'condition')),
    })),
  };
}

function shownCondition(condition: string | null): string {
  return condition === 'STARTS_WITH' || condition === 'NOT_EQUALS' ? condition : 'EQUALS';
}

function requireManager({ caller }: RequestContext): void {
  authorize(caller, [{ anyOf: ['MANAGE_POLICIES'] }]);
}

async function onePolicy(text: string, context: RequestContext): Promise<object | null> {
  requireManager(context);
  const urn = requestedUrn(text);
  if (urnType(urn) !== 'dataHubPolicy') {
    throw new PostilError(
      'INVALID_URN',
      `Invalid urn ${JSON.stringify(text)}: expected the urn of a dataHubPolicy.`,
    );
  }
  const body = (await context.load(urn, 'dataHubPolicyInfo'))?.body;
  return body === undefined ? null : shownPolicy({ urn, body });
}

export const policyResolvers: Resolvers = {
  Query: {
    listPolicies: {
      isVolatile: true,
      resolve: async (_source: unknown, { input }: { readonly input: PolicyQuery }, context) => {
        requireManager(context);
        const { policies, ...page } = await listPolicies(context.reader, input);
        return { ...page, count: policies.length, policies: policies.map(shownPolicy) };
      },
    },
    policy: {
      isVolatile: true,
      resolve: (_source: unknown, { urn }: { readonly urn: string }, context) => onePolicy(urn, context),
    },
  },
  AppConfig: { policiesConfig: () => policiesConfig },
  Mutation: {
    createPolicy: (_source: unknown, { input }: { readonly input: PolicyUpdateInput }, context) =>
      context.execute(createPolicy, input),
    updatePolicy: (_source: unknown, args: UpdatePolicyInput, context) => context.execute(updatePolicy, args),
    deletePolicy: (_source: unknown, args: { readonly urn: string }, context) =>
      context.execute(deletePolicy, args),
  },
};
