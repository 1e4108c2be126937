import { fromAspect } from '../entity/aspect-field.ts';
import { textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

const embed = fromAspect('embed', (body) => ({ renderUrl: textIn(body, 'renderUrl') }));

export const embedResolvers: Resolvers = {
  Dataset: { embed },
  Chart: { embed },
  Dashboard: { embed },
};
