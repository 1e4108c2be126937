import type { Urn } from '../urn/urn.ts';

/**
 * Columns of the wide row that hold several values, each a text of a dictionary of its column: an element of an aspect's
 * list as canonical JSON, or the few fields of an aspect that tests ask for. The texts are numbered by the store.
 */
export const listColumns = [
  'platformInstance',
  'subTypes',
  'owners',
  'ownerships',
  'tags',
  'terms',
  'domains',
  'container',
  'deprecation',
  'structuredProperties',
  'columnProfiles',
] as const;

export type ListColumn = (typeof listColumns)[number];

/** Columns that hold one whole number, 0 where there is nothing. Lengths are in code points. */
export const numberColumns = [
  'columns',
  'describedColumns',
  'upstreams',
  'ingestedLength',
  'ingestedTrimmedLength',
  'editedLength',
  'editedTrimmedLength',
] as const;

export type NumberColumn = (typeof numberColumns)[number];

/**
 * What metadata tests ask about one entity most, in one row, so that a test over the whole catalogue is one scan
 * (metadata-tests specification 3.6). Derived from aspects alone.
 */
export type TestRow = {
  readonly urn: Urn;
  readonly type: string;
  /** Soft-deleted. */
  readonly removed: boolean;
  /** Each text once; order is irrelevant. */
  readonly lists: Readonly<Record<ListColumn, readonly string[]>>;
  readonly numbers: Readonly<Record<NumberColumn, number>>;
};
