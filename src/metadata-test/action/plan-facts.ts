import type { AspectReader } from '../../aspect/aspect-store.ts';
import { type AspectDraft, draftAspects } from '../../command/aspect-draft.ts';
import { definitionOf, type PropertyDefinition } from '../../structured-property/property-definition.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import type { Action } from '../predicate.ts';
import { targetOfAction } from './effects.ts';

/** All that planning reads, for some entities at once. */
export type PlanFacts = {
  readonly draft: AspectDraft;
  readonly products: ReadonlyMap<Urn, readonly Urn[]>;
  /** Of the structured properties that actions name, as far as they are defined. */
  readonly definitions: ReadonlyMap<string, PropertyDefinition>;
  /** Data products that actions name and that do not exist. */
  readonly missingProducts: ReadonlySet<string>;
};

/** What planning reads of a store, or of a fixture. */
export type PlanReader = Pick<AspectReader, 'readMany' | 'relationships' | 'existing'>;

/** More products than this hold no entity. */
const productsMax = 100;

/** Reads what actions need of the entities: the aspects they change, products that hold them, types of properties. */
export async function loadPlanFacts(
  reader: PlanReader,
  entities: readonly Urn[],
  actions: readonly Action[],
): Promise<PlanFacts> {
  const targets = actions.map((action) => ({ ...action, target: targetOfAction(action.type) }));
  const aspects = new Set(targets.flatMap(({ target }) => (target === undefined ? [] : [target.aspect])));
  const products = new Map<Urn, readonly Urn[]>();
  const productUrns = new Set<Urn>();
  const missingProducts = new Set<string>();
  if (aspects.has('dataProductProperties')) {
    const named = targets.flatMap(({ target, values }) => (target?.kind === 'dataProduct' ? values : []));
    const existing = await reader.existing(named.filter(isUrn));
    for (const value of named.filter(isUrn)) {
      if (existing.has(value)) productUrns.add(value);
      else missingProducts.add(value);
    }
    for (const urn of entities) {
      const { items } = await reader.relationships({
        urn,
        direction: 'INCOMING',
        kinds: ['DataProductContains'],
        start: 0,
        count: productsMax,
        distinct: true,
      });
      const holders = items.map((item) => item.urn);
      products.set(urn, holders);
      for (const holder of holders) productUrns.add(holder);
    }
  }
  const properties = targets.flatMap(({ target, values: [first] }) =>
    target?.kind === 'structuredProperty' && first !== undefined && isUrn(first) ? [first] : [],
  );
  return {
    draft: await draftAspects(reader, [...entities, ...productUrns], [...aspects]),
    products,
    missingProducts,
    definitions: await definitionsOf(reader, properties),
  };
}

async function definitionsOf(
  reader: PlanReader,
  properties: readonly Urn[],
): Promise<ReadonlyMap<string, PropertyDefinition>> {
  const definitions = new Map<string, PropertyDefinition>();
  if (properties.length === 0) return definitions;
  for (const [urn, aspects] of await reader.readMany([...new Set(properties)], ['propertyDefinition'])) {
    const body = aspects.get('propertyDefinition')?.body;
    if (body !== undefined) definitions.set(urn, definitionOf(urn, body));
  }
  return definitions;
}
