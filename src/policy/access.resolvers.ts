import type { Demand } from '../auth/caller.ts';
import { authorize, isAllowed } from '../auth/caller.ts';
import {
  platformPrivileges,
  type Privilege,
  privilegeNamed,
  privileges,
  privilegeText,
} from '../auth/privilege.ts';
import { attributesOf, type ResourceAttributes } from '../auth/resource-attributes.ts';
import { rolesIn } from '../auth/standing.ts';
import { requestedUrn } from '../entity/graphql-types.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import {
  type Access,
  accessOf,
  explainDemands,
  explainPrivilege,
  missingText,
  type PrivilegeExplanation,
} from './explain-access.ts';
import { privilegesOfType } from './policies-config.ts';
import { demandsOfMutation } from './mutation-demands.ts';

type GrantedInput = {
  readonly actorUrn: string;
  readonly resourceSpec?: { readonly resourceUrn: string } | null;
  readonly includeEvaluationDetails?: boolean | null;
};

type ExplainInput = {
  readonly actorUrn?: string | null;
  readonly privileges?: readonly string[] | null;
  readonly mutation?: string | null;
  readonly resourceUrn?: string | null;
  readonly about?: readonly string[] | null;
};

const managePolicies: readonly Demand[] = [{ anyOf: ['MANAGE_POLICIES'] }];

/** The actor that is asked about. Throws FORBIDDEN for others than the caller, unless the caller manages policies. */
function requireAskable(text: string, { caller }: RequestContext): Urn {
  if (text !== caller.actor) authorize(caller, managePolicies);
  const urn = requestedUrn(text);
  if (urnType(urn) !== 'corpuser') {
    throw new PostilError('BAD_REQUEST', `${text} is not a urn:li:corpuser URN; only users have rights`);
  }
  return urn;
}

async function resourceOf(
  text: string | null | undefined,
  { reader }: RequestContext,
): Promise<ResourceAttributes | undefined> {
  if (text === null || text === undefined) return undefined;
  const urn = requestedUrn(text);
  return (await attributesOf(reader, [urn])).get(urn);
}

async function grantedPrivileges(input: GrantedInput, context: RequestContext): Promise<object> {
  const access = await accessOf(context.reader, requireAskable(input.actorUrn, context));
  const resource = await resourceOf(input.resourceSpec?.resourceUrn, context);
  const named = access.every.policies.flatMap(({ policy }) => [...policy.privileges]);
  const explained = [...new Set([...privileges, ...named])].map((name) =>
    explainPrivilege(access, name, resource),
  );
  const seesAll = isAllowed(context.caller, managePolicies);
  const details = new Map<string, string>();
  for (const { near } of explained) {
    for (const { name, reason, concernsActor } of near)
      if (seesAll || concernsActor) details.set(name, reason);
  }
  return {
    privileges: explained.filter(({ isAllowed: isGranted }) => isGranted).map(({ privilege }) => privilege),
    evaluationDetails:
      input.includeEvaluationDetails === true
        ? [...details].map(([policyName, reason]) => ({ policyName, reason }))
        : null,
  };
}

async function debugAccess(text: string, context: RequestContext): Promise<object> {
  authorize(context.caller, managePolicies);
  const actor = requireAskable(text, context);
  const access = await accessOf(context.reader, actor);
  const { groups, roles: allRoles } = access.every.standing;
  const own = rolesIn(await context.reader.read(actor, ['roleMembership']));
  const ofGroups = await context.reader.readMany(groups, ['roleMembership']);
  const withRoles = [...ofGroups].filter(([, aspects]) => rolesIn(aspects).length > 0);
  const policies = access.every.policies
    .filter(({ policy, namesActor }) => namesActor || (policy.actors.resourceOwners && !policy.isPlatform))
    .map(({ policy }) => policy);
  const granted = new Set<string>(access.caller.privileges);
  if (access.barred === undefined) {
    for (const policy of policies) for (const name of policy.privileges) granted.add(name);
  }
  return {
    roles: own,
    groups,
    groupsWithRoles: withRoles.map(([group]) => group),
    rolesViaGroups: [...new Set(withRoles.flatMap(([, aspects]) => rolesIn(aspects)))],
    allRoles,
    policies: policies.map(({ urn }) => urn),
    privileges: [...granted],
  };
}

async function explain(input: ExplainInput, context: RequestContext): Promise<object> {
  const actor = requireAskable(input.actorUrn ?? context.caller.actor, context);
  const { resourceUrn } = input;
  const on = resourceUrn === null || resourceUrn === undefined ? undefined : requestedUrn(resourceUrn);
  const about = input.about?.map(requestedUrn);
  const demands = askedFor(input, on).map((demand) => (about === undefined ? demand : { ...demand, about }));
  const access = await accessOf(context.reader, actor);
  const explained = await explainDemands(context.reader, access, demands);
  return {
    actorUrn: actor,
    resourceUrn: on ?? null,
    isAllowed: explained.every(({ isAllowed: isMet }) => isMet),
    missing: missingText(access, demands, explained) ?? null,
    demands: explained.map(({ isAllowed: isMet, anyOf }) => ({
      isAllowed: isMet,
      anyOf: anyOf.map((each) => shown(each, access, on, context)),
    })),
  };
}

function askedFor({ privileges: names, mutation }: ExplainInput, on: Urn | undefined): readonly Demand[] {
  if (mutation !== null && mutation !== undefined) return demandsOfMutation(mutation, on);
  if (names === null || names === undefined || names.length === 0) {
    throw new PostilError('BAD_REQUEST', 'Name the privileges or the mutation that is asked about');
  }
  return names.map((name) => {
    const privilege = privilegeNamed(name);
    if (privilege === undefined) throw new PostilError('BAD_REQUEST', `There is no privilege ${name}`);
    return on === undefined ? { anyOf: [privilege] } : { anyOf: [privilege], on };
  });
}

/** The GraphQL type `PrivilegeExplanation`; policies for others are only shown to who may read policies. */
function shown(
  { privilege, isAllowed: isGranted, grantedBy, near }: PrivilegeExplanation,
  access: Access,
  on: Urn | undefined,
  { caller }: RequestContext,
): object {
  const seesAll = isAllowed(caller, managePolicies);
  const visible = near.filter(({ concernsActor }) => seesAll || concernsActor);
  const known = privilegeNamed(privilege);
  return {
    privilege,
    displayName: known === undefined ? null : privilegeText(known).displayName,
    isAllowed: isGranted,
    grantedBy,
    missing: isGranted ? null : whyNot(privilege, access, on),
    near: visible.map(({ urn, name, reason }) => ({ urn, name, reason })),
  };
}

function whyNot(privilege: string, { barred, caller }: Access, on: Urn | undefined): string {
  if (barred !== undefined) return barred;
  return `No role and no policy gives ${caller.actor} ${privilege}${on === undefined ? '' : ` on ${on}`}`;
}

async function myPrivileges(text: string | null | undefined, context: RequestContext): Promise<object[]> {
  const resource = await resourceOf(text, context);
  const access = await accessOf(context.reader, context.caller.actor);
  const names: readonly Privilege[] =
    resource === undefined ? platformPrivileges : privilegesOfType(urnType(resource.urn));
  return names.map((name) => shown(explainPrivilege(access, name, resource), access, resource?.urn, context));
}

export const accessResolvers: Resolvers = {
  Query: {
    getGrantedPrivileges: {
      isVolatile: true,
      resolve: (_source: unknown, { input }: { readonly input: GrantedInput }, context) =>
        grantedPrivileges(input, context),
    },
    debugAccess: {
      isVolatile: true,
      resolve: (_source: unknown, { userUrn }: { readonly userUrn: string }, context) =>
        debugAccess(userUrn, context),
    },
    explainAccess: {
      isVolatile: true,
      resolve: (_source: unknown, { input }: { readonly input: ExplainInput }, context) =>
        explain(input, context),
    },
    myPrivileges: {
      isVolatile: true,
      resolve: (_source: unknown, { urn }: { readonly urn?: string | null }, context) =>
        myPrivileges(urn, context),
    },
  },
};
