import { type SearchEntry, termSeparator } from '../../aspect/search-entry.ts';
import { namesPerEntity } from '../aspect-key.ts';
import type { Urn } from '../../urn/urn.ts';
import { searchEntryChecksum } from '../checksum.ts';
import { damaged } from '../stored-aspect.ts';
import { isUndamaged } from '../stored-search-entry.ts';

/*
 * How the entries of an entity stand in rows. What changes often and is little shares a row, what is short another one, and a long entry
 * has its own: so few rows are written and read, and adding a tag to a wide table does not write and index its columns again.
 */

/** Rows of an entity: the two that its entries share, under the name 0, and the first one of a long entry. */
export const entryParts = { few: 0, short: 1, own: 2 } as const;
/** Entries with terms of up to so many bytes. The short ones of 511 aspects are less than the 1 MB that a vector holds. */
const bytesMax = { few: 100, short: 2_000 } as const;
/** A vector holds 1 MB of terms; so many letters are less, whatever they are. */
const vectorLettersMax = 200_000;
const partsPerEntry = 1_024;
/** Between the rows of a page, and between the entries of a row: JSON and terms have neither. */
export const rowSeparator = '\u001E';
const entrySeparator = '\n';
/** What no row's content has as its checksum. */
const damagedChecksum = -1;

/** An entry as a row holds it. */
export type PackedEntry = {
  /** The number of its aspect's name. */
  readonly name: number;
  readonly fields: string;
  readonly terms: string;
};

export type EntryRow = {
  readonly entity: number;
  readonly name: number;
  readonly part: number;
  readonly checksum: number;
  readonly entries: string;
  readonly terms: string;
};

/** One number for where a row stands, below 2 ** 53. */
export function rowKeyOf({ entity, name, part }: Pick<EntryRow, 'entity' | 'name' | 'part'>): number {
  return (entity * namesPerEntity + name) * partsPerEntry + part;
}

/** The same in SQL, of columns with these names. */
export const rowKeySql = `((entity::bigint * ${namesPerEntity} + name) * ${partsPerEntry} + part)`;

export function entityOfRow(rowKey: number): number {
  return Math.floor(rowKey / (namesPerEntity * partsPerEntry));
}

export function packedEntry(name: number, { fields, terms }: SearchEntry): PackedEntry {
  return { name, fields: JSON.stringify(fields), terms };
}

/** Throws CORRUPT_ASPECT when the entries of a row are not what was stored. */
export function requireUndamaged(urn: Urn, rowKey: number, checksum: number, entries: string): void {
  if (!isUndamaged(rowKey, checksum, entries)) throw damaged(`row of search entries of ${urn}`);
}

/** The rows of an entity with these entries. */
export function rowsOf(entity: number, packed: readonly PackedEntry[]): readonly EntryRow[] {
  const [few, short, own]: [PackedEntry[], PackedEntry[], PackedEntry[]] = [[], [], []];
  for (const entry of packed.toSorted((one, other) => one.name - other.name)) {
    const bytes = Buffer.byteLength(entry.terms);
    (bytes <= bytesMax.few ? few : bytes <= bytesMax.short ? short : own).push(entry);
  }
  return [
    ...sharedRow(entity, entryParts.few, few),
    ...sharedRow(entity, entryParts.short, short),
    ...own.flatMap((entry) => ownRows(entity, entry)),
  ];
}

function sharedRow(entity: number, part: number, packed: readonly PackedEntry[]): readonly EntryRow[] {
  if (packed.length === 0) return [];
  const terms = packed.flatMap((entry) => (entry.terms === '' ? [] : [entry.terms])).join(termSeparator);
  return [rowOf({ entity, name: 0, part }, packed.map(lineOf).join(entrySeparator), terms)];
}

function ownRows(entity: number, entry: PackedEntry): readonly EntryRow[] {
  return partsOf(entry.terms).map((terms, place) =>
    rowOf(
      { entity, name: entry.name, part: entryParts.own + place },
      place === 0 ? lineOf(entry) : '',
      terms,
    ),
  );
}

function rowOf(place: Pick<EntryRow, 'entity' | 'name' | 'part'>, entries: string, terms: string): EntryRow {
  return { ...place, checksum: searchEntryChecksum(rowKeyOf(place), entries), entries, terms };
}

function lineOf({ name, fields, terms }: PackedEntry): string {
  return `${name} ${terms.length} ${fields}`;
}

/** The terms as texts that a vector can hold. */
function partsOf(terms: string): readonly string[] {
  const parts: string[] = [];
  let rest = terms;
  while (rest.length > vectorLettersMax) {
    const end = rest.lastIndexOf(termSeparator, vectorLettersMax);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end + termSeparator.length);
  }
  return rest === '' ? parts : [...parts, rest];
}

/** Calls `found` with each entry of a row: the number of its aspect's name, its fields, and the length of its terms. */
export function forEachEntry(
  entries: string,
  found: (name: number, fields: string, termsLength: number) => void,
): void {
  if (entries === '') return;
  for (const line of entries.split(entrySeparator)) {
    const afterName = line.indexOf(' ');
    const afterLength = line.indexOf(' ', afterName + 1);
    found(
      Number(line.slice(0, afterName)),
      line.slice(afterLength + 1),
      Number(line.slice(afterName + 1, afterLength)),
    );
  }
}

/** The entries that share a row, or the one that begins in it, of which it holds the first terms. */
function entriesIn({ entries, terms }: Pick<EntryRow, 'entries' | 'terms'>): readonly PackedEntry[] {
  const packed: PackedEntry[] = [];
  let at = 0;
  forEachEntry(entries, (name, fields, length) => {
    packed.push({ name, fields, terms: terms.slice(at, at + length) });
    if (length > 0) at += length + termSeparator.length;
  });
  return packed;
}

/** The entries in all rows of an entity, in the order of rows. */
export function packedEntriesOf(rows: readonly EntryRow[]): readonly PackedEntry[] {
  const ownTerms = Map.groupBy(
    rows.filter(({ part }) => part >= entryParts.own),
    ({ name }) => name,
  );
  return rows.flatMap((row) =>
    row.part < entryParts.own
      ? entriesIn(row)
      : entriesIn(row).map((entry) => ({
          ...entry,
          terms: (ownTerms.get(row.name) ?? []).map(({ terms }) => terms).join(termSeparator),
        })),
  );
}

/** What becomes of the rows of an entity; those that stay as they are are left out. */
export type RowChange = {
  /** Rows where none is after it. */
  readonly gone: readonly EntryRow[];
  /** Rows where none was. */
  readonly added: readonly EntryRow[];
  /** Rows in the place of another one, with its terms or with others. */
  readonly withSameTerms: readonly EntryRow[];
  readonly withOtherTerms: readonly EntryRow[];
};

/**
 * The rows of an entity after entries of it changed. `before` are the rows that they share, and those of the long ones among
 * what changes, of which no content is needed.
 */
export function changedRows(
  entity: number,
  before: readonly EntryRow[],
  changed: ReadonlyMap<number, PackedEntry | undefined>,
): RowChange {
  const shared = before.filter(({ part }) => part < entryParts.own);
  const kept = shared.flatMap(entriesIn).filter(({ name }) => !changed.has(name));
  const isDamaged = shared.some((row) => !isUndamaged(rowKeyOf(row), row.checksum, row.entries));
  const after = rowsOf(entity, [
    ...kept,
    ...[...changed.values()].filter((entry) => entry !== undefined),
  ]).map(
    // What is damaged stays so, until the entries are made anew from the aspects.
    (row) => (isDamaged && row.part < entryParts.own ? { ...row, checksum: damagedChecksum } : row),
  );
  const oldRows = new Map(before.map((row) => [rowKeyOf(row), row]));
  const change = {
    gone: [] as EntryRow[],
    added: [] as EntryRow[],
    withSameTerms: [] as EntryRow[],
    withOtherTerms: [] as EntryRow[],
  };
  for (const row of after) {
    const old = oldRows.get(rowKeyOf(row));
    oldRows.delete(rowKeyOf(row));
    if (old === undefined) change.added.push(row);
    else if (old.terms !== row.terms) change.withOtherTerms.push(row);
    else if (old.entries !== row.entries) change.withSameTerms.push(row);
  }
  change.gone.push(...oldRows.values());
  return change;
}
