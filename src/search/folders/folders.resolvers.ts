import { requireEntityType } from '../../entity/entity-registry.ts';
import { graphqlEntityType, referredEntity, requestedEntity } from '../../entity/graphql-types.ts';
import { objectsIn, textIn, textsIn } from '../../entity/stored-member.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { FieldResolver, Resolvers } from '../../graphql/resolver.ts';
import { folderWithoutPath } from '../../search-index/search-fields.ts';
import { urnType } from '../../urn/urn.ts';
import { engineOf, pageOf, type ScopeInput, scopeOf } from '../search-request.ts';
import { directlyIn, foldersIn } from './folders-in.ts';

type PathInput = {
  readonly path?: readonly string[] | null;
  readonly start?: number | null;
  readonly count?: number | null;
};
type BrowseV2Input = ScopeInput & PathInput & { readonly type?: string | null };
type BrowseInput = Omit<ScopeInput, 'types' | 'query'> & PathInput & { readonly type: string };

const foldersMax = 1_000;

const browseV2: FieldResolver<unknown, { readonly input: BrowseV2Input }> = async (
  _source,
  { input },
  context,
) => {
  const { start, count } = pageOf(input);
  const path = input.path ?? [];
  const { type } = input;
  const scope = scopeOf(type === null || type === undefined ? input : { ...input, types: [type] });
  const { folders, total } = await foldersIn(engineOf(context), scope, path, context.caller);
  const groups = folders.slice(start, start + count).map(({ name, count: below, hasFolders }) => ({
    name,
    entity: referredEntity(name) ?? null,
    count: below,
    hasSubGroups: hasFolders,
  }));
  return {
    groups,
    start,
    count: groups.length,
    total: folders.length,
    metadata: { path, totalNumEntities: total },
  };
};

const browse: FieldResolver<unknown, { readonly input: BrowseInput }> = async (
  _source,
  { input },
  context,
) => {
  const { start, count } = pageOf(input);
  const path = input.path ?? [];
  const scope = scopeOf({ ...input, types: [input.type] });
  const engine = engineOf(context);
  const sort = [{ field: 'name', descending: false }];
  const [{ folders, total }, page] = await Promise.all([
    foldersIn(engine, scope, path, context.caller),
    engine.search(
      { ...directlyIn(scope, path), start, count, sort, facets: [], withoutMatches: true },
      context.caller,
    ),
  ]);
  const entities = page.hits.flatMap(({ urn }) => referredEntity(urn) ?? []);
  return {
    entities,
    groups: folders.slice(0, foldersMax).map(({ name, count: below }) => ({ name, count: below })),
    start,
    count: entities.length,
    total: page.total,
    metadata: { path, totalNumEntities: total },
  };
};

const browsePaths: FieldResolver<
  unknown,
  { readonly input: { readonly type: string; readonly urn: string } }
> = async (_source, { input: { type, urn } }, context) => {
  const entity = requestedEntity(urn);
  if (entity.type !== type) {
    const actual = graphqlEntityType(urnType(entity.urn));
    throw new PostilError('BAD_REQUEST', `${urn} is of type ${actual}, not of type ${type}.`);
  }
  const stored = await context.loadAll(entity.urn, ['browsePathsV2', 'browsePaths']);
  const steps = objectsIn(stored.get('browsePathsV2')?.body, 'path').map(
    (step) => textIn(step, 'urn') ?? textIn(step, 'id') ?? '',
  );
  if (steps.length > 0) return [{ path: steps }];
  const older = textsIn(stored.get('browsePaths')?.body, 'paths') ?? [];
  if (older.length > 0) return older.map((path) => ({ path: path.split('/').filter((name) => name !== '') }));
  const isShown = requireEntityType(urnType(entity.urn)).aspects.has('browsePathsV2');
  return isShown && (await context.exists(entity.urn)) ? [{ path: [folderWithoutPath] }] : [];
};

export const folderResolvers: Resolvers = {
  Query: {
    browseV2: { resolve: browseV2, isVolatile: true },
    browse: { resolve: browse, isVolatile: true },
    browsePaths,
  },
};
