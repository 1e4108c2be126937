import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import { objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

const subTypes = fromAspect('subTypes', (body) => ({ typeNames: textsIn(body, 'typeNames') }));

const browsePaths = fromAspect('browsePaths', (body) =>
  textsIn(body, 'paths')?.map((path) => ({ path: path.split('/').filter((name) => name !== '') })),
);

const browsePathV2 = fromAspect('browsePathsV2', (body) => ({
  path: objectsIn(body, 'path').flatMap((entry) => {
    const name = textIn(entry, 'id');
    return name === null ? [] : { name, entity: referredEntity(entry['urn']) ?? null };
  }),
}));

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
