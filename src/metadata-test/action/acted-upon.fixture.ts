import type { JsonObject } from '../../aspect/json.ts';
import type { ActingCatalogue } from './acting-catalogue.fixture.ts';

export const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
export const orders = dataset('orders');
export const owned: JsonObject = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };
export const tags = (...urns: readonly string[]): JsonObject => ({ tags: urns.map((tag) => ({ tag })) });
export const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };

export const seedMany = async (
  { catalogue }: ActingCatalogue,
  count: number,
  aspects: object = {},
): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await catalogue.seed(dataset(`t${index}`), { ...aspects, status: { removed: false } });
  }
};
