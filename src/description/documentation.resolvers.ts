import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import { integerIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { textMapIn } from '../entity/text-map.ts';
import type { Resolvers } from '../graphql/resolver.ts';

function attributionOf(attribution: JsonObject | undefined): object | null {
  if (attribution === undefined) return null;
  return {
    time: integerIn(attribution, 'time') ?? 0,
    actor: referredEntity(attribution['actor']) ?? null,
    source: referredEntity(attribution['source']) ?? null,
    sourceDetail: textMapIn(attribution, 'sourceDetail'),
  };
}

export const documentationResolvers: Resolvers = {
  SchemaFieldEntity: {
    documentation: fromAspect('documentation', (body) => ({
      documentations: objectsIn(body, 'documentations').flatMap((element) => {
        const documentation = textIn(element, 'documentation');
        if (documentation === null) return [];
        return { documentation, attribution: attributionOf(objectIn(element, 'attribution')) };
      }),
    })),
  },
};
