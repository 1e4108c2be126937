import type { ListColumn, NumberColumn } from '../verdict/test-row.ts';

/** The columns of the table of wide rows, by the names that the code has for them; both stores have the same. */
export const rowColumns: Readonly<Record<ListColumn | NumberColumn, string>> = {
  platformInstance: 'platform_instance',
  subTypes: 'sub_types',
  owners: 'owners',
  ownerships: 'ownerships',
  tags: 'tags',
  terms: 'terms',
  domains: 'domains',
  container: 'container',
  deprecation: 'deprecation',
  structuredProperties: 'structured_properties',
  columnProfiles: 'column_profiles',
  columns: 'columns',
  describedColumns: 'described_columns',
  upstreams: 'upstreams',
  ingestedLength: 'ingested_length',
  ingestedTrimmedLength: 'ingested_trimmed_length',
  editedLength: 'edited_length',
  editedTrimmedLength: 'edited_trimmed_length',
};
