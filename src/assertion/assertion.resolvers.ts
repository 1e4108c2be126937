import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntity, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import { assertedUrn, assertionInfo } from './assertion-info.ts';

export const assertionResolvers: Resolvers = {
  Query: {
    assertion: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'assertion'),
  },
  Assertion: {
    info: fromAspect('assertionInfo', assertionInfo),
    dataset: fromAspect('assertionInfo', (body) => {
      const asserted = referredEntity(assertedUrn(body));
      if (asserted?.type !== 'SCHEMA_FIELD') return asserted?.type === 'DATASET' ? asserted : null;
      return referredEntityIn(keyBodyOf(asserted.urn), 'parent', 'dataset');
    }),
  },
  AssertionInfo: { customProperties: customPropertiesField },
};
