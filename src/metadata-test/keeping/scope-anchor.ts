import type { EntityAspects } from '../../aspect/aspect.ts';
import { urnType, type Urn } from '../../urn/urn.ts';
import { conjuncts } from '../canonical-text.ts';
import { compileCollect } from '../compile-path.ts';
import { type LoadedEntity, runOn } from '../facts.ts';
import { comparable } from '../operators/comparable.ts';
import type { Leaf, TestDefinition } from '../predicate.ts';
import { mergesSiblings } from '../read-keys.ts';

/** A condition that a scope demands in any case: one of these values is in the property (3.7: anchor index). */
export type ScopeAnchor = { readonly property: AnchorProperty; readonly values: readonly string[] };

/** A property that anchors may be on. */
export type AnchorProperty = {
  readonly path: string;
  readonly aspect: string;
  /** Its values, as anchors are compared. */
  readonly valuesIn: (urn: Urn, aspects: EntityAspects) => readonly string[];
};

/** The more selective ones first. */
const anchorPaths: readonly string[] = [
  'container.container',
  'globalTags.tags.tag',
  'glossaryTerms.terms.urn',
  'dataPlatformInstance.instance',
  'domains.domains',
  'dataPlatformInstance.platform',
];

/** Where several values are demanded, beyond so many the anchor helps little. */
const valuesMax = 100;

const properties = new Map<string, AnchorProperty>();

/** The most selective demand of a scope; `undefined` when it demands nothing that an index knows. */
export function anchorOf(definition: TestDefinition): ScopeAnchor | undefined {
  // What siblings have counts as well, and the entity need not have it.
  if (mergesSiblings(definition)) return undefined;
  const leaves = conjuncts(definition.conditions).filter((node) => node.kind === 'Leaf');
  const rank = (leaf: Leaf): number => anchorPaths.indexOf(leaf.path.text);
  const [best] = leaves
    .filter(
      (leaf) =>
        rank(leaf) !== -1 &&
        (leaf.operator === 'equals' || leaf.operator === 'contains_any') &&
        leaf.operands.length <= valuesMax,
    )
    .toSorted((left, right) => rank(left) - rank(right) || left.operands.length - right.operands.length);
  if (best === undefined) return undefined;
  const property = propertyOf(best);
  if (property === undefined) return undefined;
  return { property, values: [...new Set(best.operands.map((operand) => comparable(String(operand))))] };
}

function propertyOf({ path }: Leaf): AnchorProperty | undefined {
  const known = properties.get(path.text);
  if (known !== undefined) return known;
  const [first] = path.steps;
  if (first?.kind !== 'Aspect') return undefined;
  const valuesOf = compileCollect(path.steps);
  const property: AnchorProperty = {
    path: path.text,
    aspect: first.name,
    valuesIn(urn, aspects) {
      const entity: LoadedEntity = { urn, type: urnType(urn), aspects, exists: true, removed: false };
      return valuesOf(entity, runOn(entity, new Map(), 0, Infinity))
        .filter((value) => typeof value === 'string')
        .map(comparable);
    },
  };
  properties.set(path.text, property);
  return property;
}
