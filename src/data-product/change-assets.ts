import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import {
  assetDemands,
  productsWith,
  requireProductsAndAssets,
  withAssets,
  withoutAssets,
} from './product-assets.ts';

export type BatchSetDataProductInput = {
  readonly dataProductUrn?: string | null;
  readonly resourceUrns: readonly string[];
};

export type BatchSetDataProductsInput = {
  readonly dataProductUrns: readonly string[];
  readonly resourceUrns: readonly string[];
};

const aspect = 'dataProductProperties';

const parsed = (urns: readonly string[]): readonly Urn[] => [...new Set(urns.map(parseUrn))];

/** Puts assets into one data product and out of all others, or out of all, all or nothing (contract section 7.15). */
export const batchSetDataProduct: Command<BatchSetDataProductInput, true> = {
  name: 'batchSetDataProduct',
  demands({ dataProductUrn, resourceUrns }) {
    if (typeof dataProductUrn === 'string') parseUrn(dataProductUrn);
    return assetDemands(resourceUrns);
  },
  async decide(view, { dataProductUrn, resourceUrns }, { caller, now }) {
    const product = typeof dataProductUrn === 'string' ? parseUrn(dataProductUrn) : undefined;
    const assets = parsed(resourceUrns);
    await requireProductsAndAssets(view, product === undefined ? [] : [product], assets);
    const others = new Set<Urn>();
    for (const asset of assets) {
      for (const other of await productsWith(view, asset)) if (other !== product) others.add(other);
    }
    const draft = await draftAspects(view, product === undefined ? [...others] : [product, ...others], [
      aspect,
    ]);
    const gone = new Set(assets);
    for (const other of others) draft.put(other, aspect, withoutAssets(draft.body(other, aspect), gone));
    if (product !== undefined) {
      const stamp = { time: now, actor: caller.actor };
      draft.put(product, aspect, withAssets(draft.body(product, aspect), assets, stamp));
    }
    return { writes: draft.writes(), result: true };
  },
};

/** Puts assets into data products and leaves them in those they are in, all or nothing. */
export const batchAddToDataProducts: Command<BatchSetDataProductsInput, true> = {
  name: 'batchAddToDataProducts',
  demands({ dataProductUrns, resourceUrns }) {
    for (const urn of dataProductUrns) parseUrn(urn);
    return assetDemands(resourceUrns);
  },
  async decide(view, { dataProductUrns, resourceUrns }, { caller, now }) {
    const products = parsed(dataProductUrns);
    const assets = parsed(resourceUrns);
    await requireProductsAndAssets(view, products, assets);
    const draft = await draftAspects(view, products, [aspect]);
    const stamp = { time: now, actor: caller.actor };
    for (const product of products) {
      draft.put(product, aspect, withAssets(draft.body(product, aspect), assets, stamp));
    }
    return { writes: draft.writes(), result: true };
  },
};

/** Takes assets out of data products, all or nothing. What is not in one is nothing to take out. */
export const batchRemoveFromDataProducts: Command<BatchSetDataProductsInput, true> = {
  name: 'batchRemoveFromDataProducts',
  demands({ dataProductUrns, resourceUrns }) {
    for (const urn of dataProductUrns) parseUrn(urn);
    return assetDemands(resourceUrns);
  },
  async decide(view, { dataProductUrns, resourceUrns }) {
    const products = parsed(dataProductUrns);
    const assets = parsed(resourceUrns);
    await requireProductsAndAssets(view, products, assets);
    const draft = await draftAspects(view, products, [aspect]);
    const gone = new Set(assets);
    for (const product of products) {
      draft.put(product, aspect, withoutAssets(draft.body(product, aspect), gone));
    }
    return { writes: draft.writes(), result: true };
  },
};
