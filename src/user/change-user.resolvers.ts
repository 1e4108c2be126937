import { fromAspect } from '../entity/aspect-field.ts';
import { entityId } from '../entity/entity-id.ts';
import {
  referredEntities,
  referredEntityIn,
  requestedEntityOf,
  type EntityValue,
} from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { booleanIn, objectIn, textIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';
import { batchAssignRole, type BatchAssignRoleInput } from './batch-assign-role.ts';
import { removeUser } from './remove-user.ts';
import { updateUserStatus, type UpdateUserStatusInput } from './update-user-status.ts';
import { updateUser, type UpdateUserInput } from './update-user.ts';

type Args<Input> = { readonly input: Input };
type UpdateArgs = { readonly urn: string } & Args<Omit<UpdateUserInput, 'urn'>>;

type ListRolesInput = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly query?: string | null;
};

const rolesAtOnce = 500;

/** By name, then by URN. Roles are few, so all of them are looked at. */
async function listRoles(input: ListRolesInput, context: RequestContext): Promise<object> {
  const start = input.start ?? 0;
  const count = input.count ?? 10;
  checkPage({ start, count });
  const wanted = (input.query ?? '').toLowerCase();
  const all: Urn[] = [];
  for (let from = 0; ; from += rolesAtOnce) {
    const page = await context.reader.entities({ type: 'dataHubRole', start: from, count: rolesAtOnce });
    all.push(...page.items);
    if (page.items.length < rolesAtOnce) break;
  }
  const named = await Promise.all(
    all.map(async (urn) => ({
      urn,
      name: textIn((await context.load(urn, 'dataHubRoleInfo'))?.body, 'name'),
    })),
  );
  const found = named
    .map(({ urn, name }) => ({ urn, name: name ?? entityId(urn) }))
    .filter(({ name }) => wanted === '*' || name.toLowerCase().includes(wanted))
    .sort((left, right) => compare(left.name, right.name) || compare(left.urn, right.urn));
  const page = found.slice(start, start + count).map(({ urn }) => urn);
  return { start, count: page.length, total: found.length, roles: referredEntities(page, 'dataHubRole') };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export const changeUserResolvers: Resolvers = {
  Query: {
    listRoles: {
      isVolatile: true,
      resolve: (_source, { input }: Args<ListRolesInput>, context) => listRoles(input, context),
    },
  },
  Mutation: {
    updateCorpUserProperties: async (_source, { urn, input }: UpdateArgs, context) =>
      requestedEntityOf(await context.execute(updateUser, { ...input, urn }), 'corpuser'),
    removeUser: (_source, { urn }: { readonly urn: string }, context) => context.execute(removeUser, { urn }),
    updateUserStatus: (_source, args: UpdateUserStatusInput, context) =>
      context.execute(updateUserStatus, args),
    batchAssignRole: (_source, { input }: Args<BatchAssignRoleInput>, context) =>
      context.execute(batchAssignRole, input),
  },
  CorpUser: {
    // The aspect holds secrets, so nothing of it is shown but that it is there.
    isNativeUser: async ({ urn }: EntityValue, _args: unknown, context) =>
      (await context.load(urn, 'corpUserCredentials')) !== undefined,
    settings: fromAspect('corpUserSettings', (body) => {
      const appearance = objectIn(body, 'appearance');
      const views = objectIn(body, 'views');
      return {
        appearance: appearance && {
          showSimplifiedHomepage: booleanIn(appearance, 'showSimplifiedHomepage'),
          showThemeV2: booleanIn(appearance, 'showThemeV2'),
        },
        views: views && { defaultView: referredEntityIn(views, 'defaultView', 'dataHubView') ?? null },
      };
    }),
  },
  DataHubView: {
    name: async ({ urn }: EntityValue, _args: unknown, context) =>
      textIn((await context.load(urn, 'dataHubViewInfo'))?.body, 'name') ?? entityId(urn),
    description: fromAspect('dataHubViewInfo', (body) => textIn(body, 'description')),
    viewType: async ({ urn }: EntityValue, _args: unknown, context) =>
      textIn((await context.load(urn, 'dataHubViewInfo'))?.body, 'type') === 'PERSONAL'
        ? 'PERSONAL'
        : 'GLOBAL',
  },
  DataHubRole: {
    name: async ({ urn }: EntityValue, _args: unknown, context) =>
      textIn((await context.load(urn, 'dataHubRoleInfo'))?.body, 'name') ?? entityId(urn),
    description: async ({ urn }: EntityValue, _args: unknown, context) =>
      textIn((await context.load(urn, 'dataHubRoleInfo'))?.body, 'description') ?? '',
    exists: ({ urn }: EntityValue, _args: unknown, context) => context.exists(urn),
  },
};
