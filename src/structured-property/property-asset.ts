import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Demand } from '../auth/caller.ts';
import { requireColumn } from '../entity/column.ts';
import { keyBodyOf, requireAspect, urnFromKey } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, parseUrn, urnType, type Urn } from '../urn/urn.ts';

/**
 * What changing the structured properties of an asset demands. Of a column it is asked on the entity whose column it is,
 * which is what policies name. Throws INVALID_URN.
 */
export function assetDemands(assetUrn: string): readonly Demand[] {
  const asset = parseUrn(assetUrn);
  return [{ anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_PROPERTIES'], on: columnOf(asset)?.parent ?? asset }];
}

/**
 * The entity to write to. A column is one when its dataset has it, stored or not, and is written under the path of the
 * schema (decision 11). Throws UNKNOWN_ASPECT, ENTITY_NOT_FOUND, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN.
 */
export async function requireAsset(
  view: Pick<AspectReader, 'existing' | 'read'>,
  assetUrn: string,
): Promise<Urn> {
  const asset = parseUrn(assetUrn);
  requireAspect(urnType(asset), 'structuredProperties');
  const column = columnOf(asset);
  const existing = await view.existing(column === undefined ? [asset] : [asset, column.parent]);
  if (existing.has(asset)) return asset;
  if (column === undefined || !existing.has(column.parent)) {
    const missing = column?.parent ?? asset;
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `Failed to update structured properties of ${asset}. ${missing} does not exist.`,
    );
  }
  const schema = (await view.read(column.parent, ['schemaMetadata'])).get('schemaMetadata');
  const fieldPath = requireColumn(column.parent, schema, column.fieldPath);
  return urnFromKey('schemaField', { parent: column.parent, fieldPath });
}

function columnOf(asset: Urn): { readonly parent: Urn; readonly fieldPath: string } | undefined {
  if (urnType(asset) !== 'schemaField') return undefined;
  const { parent, fieldPath } = keyBodyOf(asset);
  return isUrn(parent) && typeof fieldPath === 'string' ? { parent, fieldPath } : undefined;
}
