import type { AspectReader } from '../../aspect/aspect-store.ts';
import { type AspectDraft, draftAspects } from '../../command/aspect-draft.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import type { Action } from '../predicate.ts';
import { targetOfAction } from './effects.ts';

/** All that planning reads, for some entities at once. */
export type PlanFacts = {
  readonly draft: AspectDraft;
  readonly products: ReadonlyMap<Urn, readonly Urn[]>;
  readonly numericProperties: ReadonlySet<string>;
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
    numericProperties: await numericAmong(reader, properties),
  };
}

async function numericAmong(reader: PlanReader, properties: readonly Urn[]): Promise<ReadonlySet<string>> {
  if (properties.length === 0) return new Set();
  const stored = await reader.readMany([...new Set(properties)], ['propertyDefinition']);
  const numeric = [...stored].filter(([, aspects]) => {
    const type = aspects.get('propertyDefinition')?.body['valueType'];
    return typeof type === 'string' && type.endsWith('number');
  });
  return new Set(numeric.map(([urn]) => urn));
}
