import type { SearchIndex } from '../search-index/search-index.ts';
import { isUrn, type Urn, urnType } from '../urn/urn.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { bothOf, numbersIn } from './number-set.ts';

/** In which field an entity of a tree names its parent, and which types stand in that tree. */
type Tree = { readonly parentField: string; readonly types: readonly string[] };

const glossary: Tree = { parentField: 'parentNode', types: ['glossaryNode', 'glossaryTerm'] };
const treesByType: ReadonlyMap<string, Tree> = new Map([
  ['glossaryNode', glossary],
  ['glossaryTerm', glossary],
  ['domain', { parentField: 'parentDomain', types: ['domain'] }],
  ['container', { parentField: 'container', types: ['container'] }],
]);

/** Values with everything below them, above them, or both, in the tree that each of them stands in. */
export type Hierarchy = {
  expand(
    values: readonly string[],
    towards: 'descendants' | 'ancestors' | 'both',
  ): Promise<readonly string[]>;
};

export function createHierarchy(
  index: Pick<SearchIndex, 'numbersOf' | 'urnsOf'>,
  entities: IndexedEntities,
): Hierarchy {
  async function descendants(start: Urn, { parentField, types }: Tree): Promise<ReadonlySet<string>> {
    const found = new Set<string>([start]);
    let parents: ReadonlySet<string> = found;
    while (parents.size > 0) {
      const above = parents;
      const below = entities.column(parentField)?.having((value) => above.has(value), entities.bound);
      if (below === undefined) break;
      const numbers = numbersIn(bothOf(below, entities.ofTypes(types)));
      const urns = [...(await index.urnsOf([...numbers])).values()].filter((urn) => !found.has(urn));
      for (const urn of urns) found.add(urn);
      parents = new Set(urns);
    }
    return found;
  }

  async function ancestors(start: Urn, { parentField }: Tree): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    let here: readonly Urn[] = [start];
    while (here.length > 0) {
      for (const urn of here) found.add(urn);
      const numbers = await index.numbersOf(here);
      const parents = [...numbers.values()].flatMap(
        (number) => entities.column(parentField)?.valuesOf(number) ?? [],
      );
      here = parents.filter((parent) => isUrn(parent)).filter((parent) => !found.has(parent));
    }
    return found;
  }

  return {
    async expand(values, towards) {
      const expanded = new Set(values);
      for (const value of values) {
        const tree = isUrn(value) ? treesByType.get(urnType(value)) : undefined;
        if (!isUrn(value) || tree === undefined) continue;
        const above = towards === 'descendants' ? [] : await ancestors(value, tree);
        const below = towards === 'ancestors' ? [] : await descendants(value, tree);
        for (const each of [...above, ...below]) expanded.add(each);
      }
      return [...expanded];
    },
  };
}
