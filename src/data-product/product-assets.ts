import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import type { Demand } from '../auth/caller.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** What a data product can contain, as DataHub's model has it. */
const assetTypes: ReadonlySet<string> = new Set([
  'dataset',
  'dataJob',
  'dataFlow',
  'chart',
  'dashboard',
  'notebook',
  'container',
  'mlModel',
  'mlModelGroup',
  'mlFeatureTable',
  'mlFeature',
  'mlPrimaryKey',
]);

const pageSize = 500;

/** What putting assets into data products and out of them demands, on every asset (contract section 12). */
export function assetDemands(resourceUrns: readonly string[]): readonly Demand[] {
  return resourceUrns.map((urn) => ({
    anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DATA_PRODUCTS'],
    on: parseUrn(urn),
  }));
}

/** Throws ENTITY_NOT_FOUND for products and assets that are not stored, UNSUPPORTED_RESOURCE_TYPE for what is no asset. */
export async function requireProductsAndAssets(
  view: Pick<AspectReader, 'existing'>,
  products: readonly Urn[],
  assets: readonly Urn[],
): Promise<void> {
  const existing = await view.existing([...new Set([...products, ...assets])]);
  for (const product of products) {
    if (urnType(product) === 'dataProduct' && existing.has(product)) continue;
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `Failed to change data products. The data product ${product} does not exist.`,
    );
  }
  for (const asset of assets) {
    if (!assetTypes.has(urnType(asset))) {
      throw new PostilError(
        'UNSUPPORTED_RESOURCE_TYPE',
        `Failed to change data products. ${asset} cannot be in one; what can be is of type ${[...assetTypes].join(', ')}.`,
      );
    }
    if (!existing.has(asset)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to change data products. ${asset} does not exist.`);
    }
  }
}

/** The data products that an asset is in. */
export async function productsWith(
  view: Pick<AspectReader, 'relationships'>,
  asset: Urn,
): Promise<readonly Urn[]> {
  const products: Urn[] = [];
  const kinds = ['DataProductContains'];
  for (let start = 0; ; start += pageSize) {
    const page = await view.relationships({
      urn: asset,
      direction: 'INCOMING',
      kinds,
      start,
      count: pageSize,
      distinct: true,
    });
    products.push(...page.items.map(({ urn }) => urn));
    if (page.items.length < pageSize) return products;
  }
}

/** `dataProductProperties` with these assets; the same object when they are all in it. */
export function withAssets(
  body: JsonObject | undefined,
  assets: readonly Urn[],
  stamp: JsonObject,
): JsonObject | undefined {
  const before = objectsIn(body, 'assets');
  const there = new Set<JsonValue | undefined>(before.map((asset) => asset['destinationUrn']));
  const added = assets.filter((urn) => !there.has(urn));
  if (added.length === 0) return body;
  const edges = added.map((destinationUrn) => ({ destinationUrn, created: stamp, lastModified: stamp }));
  return { ...body, assets: [...before, ...edges] };
}

/** The same without them; the same object when none is in it. */
export function withoutAssets(
  body: JsonObject | undefined,
  assets: ReadonlySet<JsonValue | undefined>,
): JsonObject | undefined {
  const before = objectsIn(body, 'assets');
  const kept = before.filter((asset) => !assets.has(asset['destinationUrn']));
  return kept.length === before.length ? body : { ...body, assets: kept };
}
