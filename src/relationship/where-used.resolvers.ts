import type { Use, UseQuery } from '../aspect/aspect-store.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { checkPage } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { FieldResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { kindsVisibleTo } from './visible-kinds.ts';

type WhereUsedInput = {
  readonly urn: string;
  readonly kinds?: readonly string[] | null;
  readonly start?: number | null;
  readonly count?: number | null;
  readonly includeSoftDeleted?: boolean | null;
};

/** More kinds than there are, so nobody needs more. */
const kindsMax = 100;

type UsualUse = Pick<UseQuery, 'direction' | 'kinds'> & { readonly object: string };

/** What attaches entities of a type to others. A data product says itself what is in it. */
const usualUses: ReadonlyMap<string, UsualUse> = new Map([
  ['glossaryTerm', { object: 'GlossaryTerm', direction: 'INCOMING', kinds: ['TermedWith'] }],
  ['tag', { object: 'Tag', direction: 'INCOMING', kinds: ['TaggedWith'] }],
  ['domain', { object: 'Domain', direction: 'INCOMING', kinds: ['AssociatedWith'] }],
  ['corpuser', { object: 'CorpUser', direction: 'INCOMING', kinds: ['OwnedBy'] }],
  ['corpGroup', { object: 'CorpGroup', direction: 'INCOMING', kinds: ['OwnedBy'] }],
  [
    'structuredProperty',
    { object: 'StructuredPropertyEntity', direction: 'INCOMING', kinds: ['HasStructuredProperty'] },
  ],
  ['ownershipType', { object: 'OwnershipTypeEntity', direction: 'INCOMING', kinds: ['ownershipType'] }],
  ['dataProduct', { object: 'DataProduct', direction: 'OUTGOING', kinds: ['DataProductContains'] }],
]);

const whereUsed: FieldResolver<unknown, { readonly input: WhereUsedInput }> = async (
  _source,
  { input },
  context,
) => {
  const urn = parseUrn(input.urn);
  const start = input.start ?? 0;
  const count = input.count ?? 10;
  checkPage({ start, count });
  const { direction, kinds: asked } = usesAskedFor(urn, input.kinds ?? undefined);
  const kinds = kindsVisibleTo(context.caller, asked);
  const query = { direction, kinds, urn, start, count };
  const page = await context.reader.uses({ ...query, withRemoved: input.includeSoftDeleted === true });
  return {
    start,
    count: page.items.length,
    total: page.counts.total,
    counts: page.counts,
    countsByKind: page.countsByKind.map(({ kind, ...counts }) => ({ relationship: kind, ...counts })),
    uses: page.items.map(useValue),
  };
};

function usesAskedFor(urn: Urn, asked: readonly string[] | undefined): Pick<UseQuery, 'direction' | 'kinds'> {
  const kinds = asked === undefined ? undefined : [...new Set(asked)];
  if (kinds !== undefined && kinds.length > kindsMax) {
    throw new PostilError('LIMIT_EXCEEDED', `There are ${kinds.length} kinds; ask for at most ${kindsMax}.`);
  }
  const usual = usualUses.get(urnType(urn));
  const direction = usual?.direction ?? 'INCOMING';
  if (kinds !== undefined) return { direction, kinds };
  if (usual !== undefined) return usual;
  throw new PostilError(
    'BAD_REQUEST',
    `Nothing is attached by entities like ${urn}: name the kinds of edges that count as a use, or ask for an entity of type ` +
      `${[...usualUses.keys()].join(', ')}.`,
  );
}

function useValue({ kind, urn, path, aspects }: Use): Readonly<Record<string, unknown>> {
  return {
    urn,
    entity: referredEntity(urn) ?? null,
    fieldPath: path === '' ? null : path,
    relationship: kind,
    via: aspects,
  };
}

function usageOf({ direction, kinds }: UsualUse): ResolverRecord<EntityValue> {
  const resolve = async ({ urn }: EntityValue, _args: unknown, context: RequestContext): Promise<unknown> => {
    const query = { urn, direction, kinds, withRemoved: false, start: 0, count: 0 };
    return (await context.reader.uses(query)).counts;
  };
  return { resolve, isVolatile: true };
}

export const whereUsedResolvers: Resolvers = {
  Query: { whereUsed: { resolve: whereUsed, isVolatile: true } },
  ...Object.fromEntries([...usualUses.values()].map((usual) => [usual.object, { usage: usageOf(usual) }])),
};
