import { fromAspect } from '../entity/aspect-field.ts';
import { objectIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

const displayProperties = fromAspect('displayProperties', (body) => {
  const icon = objectIn(body, 'icon');
  return {
    colorHex: textIn(body, 'colorHex'),
    icon: icon && {
      iconLibrary: textIn(icon, 'iconLibrary') === 'MATERIAL' ? 'MATERIAL' : null,
      name: textIn(icon, 'name'),
      style: textIn(icon, 'style'),
    },
  };
});

export const displayResolvers: Resolvers = {
  Domain: { displayProperties },
  GlossaryNode: { displayProperties },
  GlossaryTerm: { displayProperties },
};
