import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import { objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

const subTypes = fromAspect('subTypes', (body) => ({ typeNames: textsIn(body, 'typeNames') }));

export const browseResolvers: Resolvers = {
  Dataset: {
    browsePaths: fromAspect('browsePaths', (body) =>
      textsIn(body, 'paths')?.map((path) => ({ path: path.split('/').filter((name) => name !== '') })),
    ),
    browsePathV2: fromAspect('browsePathsV2', (body) => ({
      path: objectsIn(body, 'path').flatMap((entry) => {
        const name = textIn(entry, 'id');
        return name === null ? [] : { name, entity: referredEntity(entry['urn']) ?? null };
      }),
    })),
    subTypes,
  },
  Container: { subTypes },
};
