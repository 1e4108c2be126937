import { fromAspect } from '../entity/aspect-field.ts';
import { attributionOf } from '../entity/attribution.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

export const documentationResolvers: Resolvers = {
  SchemaFieldEntity: {
    documentation: fromAspect('documentation', (body) => ({
      documentations: objectsIn(body, 'documentations').flatMap((element) => {
        const documentation = textIn(element, 'documentation');
        if (documentation === null) return [];
        return { documentation, attribution: attributionOf(element) };
      }),
    })),
  },
};
