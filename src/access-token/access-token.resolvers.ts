import { isAllowed } from '../auth/caller.ts';
import { unauthorizedMessage } from '../auth/caller.ts';
import { tokenUrnOf } from '../auth/token-text.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { type AccessToken, readToken, readTokens } from './access-token.ts';
import { createAccessToken } from './create-access-token.ts';
import { newToken } from './prepare-first-administrator.ts';
import { revokeAccessToken } from './revoke-access-token.ts';
import { durationMs } from './token-duration.ts';

const pageSizeDefault = 10;
const pageSizeMax = 1_000;

type CreateInput = {
  readonly type: 'PERSONAL' | 'SERVICE_ACCOUNT';
  readonly actorUrn: string;
  readonly duration: string;
  readonly name: string;
  readonly description?: string | null;
};

type Filter = {
  readonly field: string;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: string | null;
};

type ListInput = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly filters?: readonly Filter[] | null;
};

function metadataOf(token: AccessToken): object {
  return { ...token, urn: tokenUrnOf(token.id), type: 'ACCESS_TOKEN', __typename: 'AccessTokenMetadata' };
}

async function create({ input }: { readonly input: CreateInput }, context: RequestContext): Promise<object> {
  const kind = input.type === 'PERSONAL' ? 'personal' : 'service';
  const { text, id, lastFour } = newToken(kind);
  await context.execute(createAccessToken, {
    id,
    lastFour,
    kind,
    actorUrn: input.actorUrn,
    name: input.name,
    description: input.description ?? undefined,
    durationMs: durationMs(input.duration),
  });
  const token = await readToken(context.reader, id);
  return { accessToken: text, metadata: token === undefined ? null : metadataOf(token) };
}

async function list({ input }: { readonly input: ListInput }, context: RequestContext): Promise<object> {
  const filters = (input.filters ?? []).map(checkedFilter);
  const isOwnOnly = filters.some(
    ({ field, values }) => field === 'ownerUrn' && values.every((value) => value === context.caller.actor),
  );
  if (!isOwnOnly && !isAllowed(context.caller, [{ anyOf: ['MANAGE_ACCESS_TOKENS'] }])) {
    throw new PostilError('FORBIDDEN', unauthorizedMessage);
  }
  const start = Math.max(0, input.start ?? 0);
  const count = Math.min(pageSizeMax, Math.max(0, input.count ?? pageSizeDefault));
  const tokens = (await readTokens(context.reader)).filter((token) =>
    filters.every(({ field, values }) => values.includes(token[field])),
  );
  const page = tokens.slice(start, start + count);
  return { start, count: page.length, total: tokens.length, tokens: page.map(metadataOf) };
}

function checkedFilter(filter: Filter): {
  readonly field: 'ownerUrn' | 'actorUrn';
  readonly values: readonly string[];
} {
  const { field, values } = filter;
  if (field !== 'ownerUrn' && field !== 'actorUrn') {
    throw new PostilError(
      'BAD_REQUEST',
      `Access tokens are filtered by ownerUrn or actorUrn, not by ${field}`,
    );
  }
  if (filter.negated === true || !['EQUAL', 'IN'].includes(filter.condition ?? 'EQUAL')) {
    throw new PostilError('BAD_REQUEST', `The filter on ${field} takes EQUAL or IN and cannot be negated`);
  }
  return { field, values: values ?? [] };
}

export const accessTokenResolvers: Resolvers = {
  Query: {
    listAccessTokens: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly input: ListInput }, context) => list(args, context),
    },
  },
  Mutation: {
    createAccessToken: (_source: unknown, args: { readonly input: CreateInput }, context) =>
      create(args, context),
    revokeAccessToken: (_source: unknown, args: { readonly tokenId: string }, context) =>
      context.execute(revokeAccessToken, args),
  },
};
