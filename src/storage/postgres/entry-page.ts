import type { IndexedEntity, StoredSearchEntry } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import type { Row, Run } from './postgres-connection.ts';
import { entityOfRow, forEachEntry, requireUndamaged, rowKeySql, rowSeparator } from './search-entry-rows.ts';

/*
 * Entries come from the server as few large values: a row for each would take the client as long as an entry takes to be read.
 */

const lineEnd = '\n';
/** A key and a checksum, eight bytes each. */
const pairBytes = 16;

/** Names of aspects by their number. */
export type AspectNames = {
  of(number: number): string;
  /** What `make` makes once all names that it asks for are known: for a new one all are read, and it is called again. */
  sure<T>(make: (isAgain: boolean) => T): Promise<T>;
};

export function createAspectNames(run: Run): AspectNames {
  let known: ReadonlyMap<number, string> = new Map();
  let isLacking = false;
  return {
    of(number) {
      const name = known.get(number);
      isLacking ||= name === undefined;
      return name ?? `name ${number}`;
    },
    async sure(make) {
      isLacking = false;
      const made = make(false);
      if (!isLacking) return made;
      const { rows } = await run('SELECT id, text FROM name');
      known = new Map(rows.map(({ id, text }) => [Number(id), String(text)]));
      return make(true);
    },
  };
}

/** The texts of `string_agg(text, separator)`. */
function textsOf(value: unknown, separator: string): readonly string[] {
  return typeof value === 'string' ? value.split(separator) : [];
}

type EntryRowOfPage = { readonly rowKey: number; readonly checksum: number; readonly entries: string };

/** Entities and the rows of entries, ascending. */
export type EntryPage = {
  readonly entities: readonly { readonly number: number; readonly urn: Urn }[];
  readonly rows: readonly EntryRowOfPage[];
};

/**
 * What `EntryPage` is made of: the entities that exist, and rows in any order. `entities` has id, urn and present; `rows` are of
 * search_entry, without those that only hold more terms. URNs have no line ends.
 */
export function pageColumns(entities: string, rows: string): string {
  return `
    (SELECT string_agg(int4send(id::integer), '') FILTER (WHERE present = 1) AS ids,
       string_agg(urn, E'\\n') FILTER (WHERE present = 1) AS urns FROM ${entities}) AS entities,
    (SELECT string_agg(int8send${rowKeySql} || int8send(checksum), '') AS keys,
       string_agg(entries, '${rowSeparator}') AS entries
     FROM ${rows}) AS rows`;
}

export function pageOf(row: Row): EntryPage {
  const [ids, keys] = [bytesIn(row['ids']), bytesIn(row['keys'])];
  const urns = textsOf(row['urns'], lineEnd);
  return {
    entities: Array.from({ length: ids.length / 4 }, (_, place) => ({
      number: ids.readInt32BE(place * 4),
      urn: (urns[place] ?? '') as Urn,
    })).sort((one, other) => one.number - other.number),
    rows: textsOf(row['entries'], rowSeparator)
      .map((entries, place) => ({
        rowKey: largeNumber(keys, place * pairBytes),
        checksum: largeNumber(keys, place * pairBytes + 8),
        entries,
      }))
      .sort((one, other) => one.rowKey - other.rowKey),
  };
}

/** The entities of a page that have entries. Throws CORRUPT_ASPECT for rows that are not what was stored. */
export function entitiesOf(
  { entities, rows }: EntryPage,
  entryOf: (name: number, fields: string) => StoredSearchEntry | undefined,
): readonly IndexedEntity[] {
  const found: IndexedEntity[] = [];
  let at = 0;
  for (const { number, urn } of entities) {
    const own: { readonly name: number; readonly entry: StoredSearchEntry }[] = [];
    let isFound = false;
    for (let row = rows[at]; row !== undefined; row = rows[(at += 1)]) {
      const entity = entityOfRow(row.rowKey);
      if (entity > number) break;
      if (entity < number) continue;
      requireUndamaged(urn, row.rowKey, row.checksum, row.entries);
      isFound = true;
      forEachEntry(row.entries, (name, fields) => {
        const entry = entryOf(name, fields);
        if (entry !== undefined) own.push({ name, entry });
      });
    }
    // As on the embedded store, whose entries lie in the order of the names.
    own.sort((one, other) => one.name - other.name);
    if (isFound) found.push({ number, urn, entries: own.map(({ entry }) => entry) });
  }
  return found;
}

function bytesIn(value: unknown): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.alloc(0);
}

/** Between -(2 ** 53) and 2 ** 53, as all keys and checksums are. */
function largeNumber(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}
