import type { JsonObject } from '../src/aspect/json.ts';
import type { TestCatalogue } from './catalogue.ts';

/** URNs and aspects of the sort that ingestion brings, for tests that need something to work on. */

export const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
export const customers = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.customers,PROD)';
export const unknownDataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.nothing,PROD)';
export const revenue = 'urn:li:glossaryTerm:Finance.Revenue';
export const customer = 'urn:li:glossaryTerm:Shop.Customer';
export const unknownTerm = 'urn:li:glossaryTerm:Nobody.Made.This';
export const pii = 'urn:li:tag:pii';
export const longOrderId = '[version=2.0].[type=Order].[type=string].order_id';
export const unknownStamp = { time: 0, actor: 'urn:li:corpuser:unknown' };

export const unauthorized = {
  code: 'FORBIDDEN',
  message: 'Unauthorized to perform this action. Please contact your DataHub administrator.',
} as const;

/** A schema with these columns; a description per column where one is given. */
export function schemaOf(columns: readonly (string | JsonObject)[]): JsonObject {
  return {
    schemaName: 'sample',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: columns.map((column) => ({
      nullable: true,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'string',
      recursive: false,
      ...(typeof column === 'string' ? { fieldPath: column } : column),
    })),
  };
}

export function termInfo(name: string, parentNode?: string): JsonObject {
  return {
    name,
    definition: '',
    termSource: 'INTERNAL',
    ...(parentNode === undefined ? {} : { parentNode }),
  };
}

/**
 * Two datasets (`orders` with the columns `user_name`, `customer.id` and one with a version 2 path; `customers` without a
 * schema), two terms and a tag.
 */
export async function seedShop(catalogue: TestCatalogue): Promise<void> {
  await catalogue.seed(orders, {
    datasetProperties: { description: 'All orders, as ingested' },
    schemaMetadata: schemaOf([
      { fieldPath: 'user_name', description: 'As ingested' },
      'customer.id',
      longOrderId,
      '[version=2.0].[key=True].[type=string].both',
      '[version=2.0].[type=int].twice',
      '[version=2.0].[type=string].twice',
    ]),
  });
  await catalogue.seed(customers);
  await catalogue.seed(revenue, { glossaryTermInfo: termInfo('Revenue') });
  await catalogue.seed(customer, { glossaryTermInfo: termInfo('Customer') });
  await catalogue.seed(pii, { tagProperties: { name: 'pii' } });
}
