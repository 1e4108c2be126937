import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import { objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import { folderWithoutPath } from '../search-index/search-fields.ts';
import type { Urn } from '../urn/urn.ts';

const subTypes = fromAspect('subTypes', (body) => ({ typeNames: textsIn(body, 'typeNames') }));

const browsePaths = fromAspect('browsePaths', (body) =>
  textsIn(body, 'paths')?.map((path) => ({ path: path.split('/').filter((name) => name !== '') })),
);

type Step = { readonly name: string; readonly entity: object | null };
type Place = { readonly path: readonly Step[] };

const storedPlace = fromAspect('browsePathsV2', (body): Place | null => {
  const steps = objectsIn(body, 'path');
  if (steps.length === 0) return null;
  return {
    path: steps.flatMap((entry) => {
      const name = textIn(entry, 'id');
      return name === null ? [] : { name, entity: referredEntity(entry['urn']) ?? null };
    }),
  };
});

const placeWithoutPath: Place = { path: [{ name: folderWithoutPath, entity: null }] };

/** What was stored, and where folders show an entity of which nothing was (decision 23); null of what does not exist. */
const browsePathV2: FieldResolver<{ readonly urn: Urn }> = (entity, args, context) => {
  const ifExists = (exists: boolean): Place | null => (exists ? placeWithoutPath : null);
  const otherwise = (stored: Place | null): Place | null | Promise<Place | null> => {
    if (stored !== null) return stored;
    const exists = context.exists(entity.urn);
    return typeof exists === 'boolean' ? ifExists(exists) : exists.then(ifExists);
  };
  const stored = storedPlace(entity, args, context);
  return stored instanceof Promise ? stored.then(otherwise) : otherwise(stored);
};

const browsable = { browsePaths, browsePathV2, subTypes };

export const browseResolvers: Resolvers = {
  Dataset: browsable,
  Container: { browsePathV2, subTypes },
  Chart: browsable,
  Dashboard: browsable,
  DataFlow: browsable,
  DataJob: browsable,
  DataProcessInstance: { subTypes },
  MLModel: browsable,
  MLModelGroup: browsable,
  MLFeatureTable: browsable,
  MLFeature: { browsePathV2, subTypes },
  MLPrimaryKey: { subTypes },
};
