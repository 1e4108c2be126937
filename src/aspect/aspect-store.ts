import type { Urn } from '../urn/urn.ts';
import type { Aspect, AuditStamp, EntityAspects } from './aspect.ts';
import type { SearchEntry } from './search-entry.ts';

/** An edge derived from an aspect body: `source -kind-> destination`; `path` is the column's field path, '' for none. */
export type Relationship = {
  readonly kind: string;
  readonly destination: Urn;
  readonly path: string;
};

export type RelatedEntity = {
  readonly kind: string;
  readonly urn: Urn;
  readonly path: string;
};

export type RelationshipQuery = {
  readonly urn: Urn;
  /** Seen from `urn`: INCOMING are edges that point at it. */
  readonly direction: 'INCOMING' | 'OUTGOING';
  /** Absent: every kind. */
  readonly kinds?: readonly string[];
  /** Only edges that one of these aspects says; absent: all. */
  readonly aspects?: readonly string[];
  readonly start: number;
  readonly count: number;
  /** True: one row per related entity and kind, however many columns the edge came from. */
  readonly distinct: boolean;
};

/** Which uses of an entity are asked for: edges of these kinds that point at it, or go out from it. */
export type UseQuery = {
  readonly urn: Urn;
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly kinds: readonly string[];
  /** False: entities that are marked as removed do not count. */
  readonly withRemoved: boolean;
  readonly start: number;
  readonly count: number;
};

/** A use: an entity, or one of its columns, once however many aspects say so. */
export type Use = RelatedEntity & {
  /** Names of the aspects that say so, sorted. */
  readonly aspects: readonly string[];
};

export type UseCounts = {
  /** Different entities, those that are used in columns alone included. */
  readonly entities: number;
  readonly columns: number;
  /** How many uses there are: each column, and each entity that is a use itself. */
  readonly total: number;
};

/** By kind, then in the order in which the store first heard of the entities, then by column. */
export type UsePage = {
  readonly items: readonly Use[];
  readonly counts: UseCounts;
  /** Of the kinds of which there are uses, sorted. */
  readonly countsByKind: readonly (UseCounts & { readonly kind: string })[];
};

/** Where an entity stands in a tree (glossary, domains, containers): its display name below a parent, or at the root. */
export type Placement = {
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  readonly name: string;
};

export type Page<T> = { readonly items: readonly T[]; readonly total: number };

/** One row of the change log. `versionAfter` is a tombstone's version when `removed`. */
export type Change = {
  readonly sequence: number;
  /** All changes of one command carry the sequence of the first of them. */
  readonly commit: number;
  readonly time: number;
  readonly actor: string;
  readonly command: string;
  readonly urn: Urn;
  readonly aspect: string;
  readonly versionBefore: number;
  readonly versionAfter: number;
  readonly removed: boolean;
};

/** What a store inside the process answers without waiting; the same as the calls of `AspectReader` with these names. */
export type ImmediateReader = {
  aspect(urn: Urn, name: string): Aspect | undefined;
  exists(urn: Urn): boolean;
  fragment(urn: Urn, name: string): string | undefined;
};

/** What can be asked of a store; every answer is of one committed state (inside a transaction: of its own state). */
export interface AspectReader {
  /** The latest aspects of one entity; without `names`, all of them. Throws CORRUPT_ASPECT on a checksum mismatch. */
  read(urn: Urn, names?: readonly string[]): Promise<EntityAspects>;
  /** The same for many entities at once; every URN asked for is a key of the answer. */
  readMany(urns: readonly Urn[], names?: readonly string[]): Promise<ReadonlyMap<Urn, EntityAspects>>;
  /** One numbered version of an aspect, the latest included; `undefined` when there is none by that number. */
  readVersion(urn: Urn, aspect: string, version: number): Promise<Aspect | undefined>;
  /** Which of these entities exist: their key aspect is stored (contract section 6). */
  existing(urns: readonly Urn[]): Promise<ReadonlySet<Urn>>;
  /** A pre-serialised piece of an answer, kept beside the aspects it was made from (decision record on fragments). */
  readFragment(urn: Urn, name: string): Promise<string | undefined>;
  relationships(query: RelationshipQuery): Promise<Page<RelatedEntity>>;
  /** A page of uses with counts of all of them. */
  uses(query: UseQuery): Promise<UsePage>;
  /** Entities of one type below `parent` (`undefined`: at the root), by name, then URN. */
  children(query: {
    readonly type: string;
    readonly parent: Urn | undefined;
    readonly start: number;
    readonly count: number;
  }): Promise<Page<Urn>>;
  /** Entities of one type directly below `parent` that bear exactly this name. */
  childrenNamed(type: string, parent: Urn | undefined, name: string): Promise<readonly Urn[]>;
  /** Existing entities of one type, in the order in which the store first heard of them. */
  entities(query: {
    readonly type: string;
    readonly start: number;
    readonly count: number;
  }): Promise<Page<Urn>>;
  /** Rows of the change log with a sequence above `after`, in order. */
  changes(query: { readonly after: number; readonly count: number }): Promise<readonly Change[]>;
  /** Rows of the change log about one entity with a sequence below `before` (absent: all), newest first. */
  changesOf(query: {
    readonly urn: Urn;
    readonly before?: number;
    readonly count: number;
  }): Promise<readonly Change[]>;
  /** The sequence of the newest change; 0 in an empty catalogue. */
  lastSequence(): Promise<number>;
}

/** One changed aspect with everything that is derived from it; computed by the write engine, stored as it is. */
export type AspectChange = {
  readonly urn: Urn;
  readonly entityType: string;
  readonly aspect: string;
  /** Version stored until now; 0 when there was none. A removed aspect keeps its last number. */
  readonly before: Aspect | undefined;
  readonly versionBefore: number;
  /** `undefined` removes the aspect and leaves a tombstone with the next version. */
  readonly text: string | undefined;
  readonly systemText: string | null;
  /** Set on changes of the key aspect: from here on the entity exists, or no longer does. */
  readonly existence?: 'begins' | 'ends';
  readonly addedRelationships: readonly Relationship[];
  readonly removedRelationships: readonly Relationship[];
};

/** Edges of a stored aspect that are to be there, or not to be there, though the aspect does not change. */
export type EdgeRepair = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly addedRelationships: readonly Relationship[];
  readonly removedRelationships: readonly Relationship[];
};

/** All that one command stores. */
export type ChangeBatch = {
  readonly command: string;
  readonly stamp: AuditStamp;
  /** At most one for each aspect of an entity. */
  readonly changes: readonly AspectChange[];
  /** Equal values that were sent again: only the system metadata is replaced; no version, no log entry. */
  readonly observations: readonly {
    readonly urn: Urn;
    readonly aspect: string;
    readonly current: Aspect;
    readonly systemText: string;
  }[];
  readonly fragments: readonly {
    readonly urn: Urn;
    readonly name: string;
    readonly text: string | undefined;
  }[];
  /** `placement: undefined` takes the entity out of the tree. */
  readonly placements: readonly { readonly urn: Urn; readonly placement: Placement | undefined }[];
  /** Of changed aspects; `entry: undefined` takes the aspect's entry out of the search index. */
  readonly searchEntries: readonly {
    readonly urn: Urn;
    readonly aspect: string;
    readonly entry: SearchEntry | undefined;
  }[];
  /** What an earlier version derived otherwise; no command has any. */
  readonly edgeRepairs?: readonly EdgeRepair[];
};

export interface WriteTransaction extends AspectReader {
  /** The version counters of aspects, tombstones included, in the order asked; 0 for one that was never stored. */
  lastVersions(keys: readonly { readonly urn: Urn; readonly aspect: string }[]): Promise<readonly number[]>;
  /**
   * Stores one command's changes, wholly or not at all (a savepoint). Returns the log rows it appended. Throws
   * PRECONDITION_FAILED when a change was made for another version than the stored one, OVERLOADED when the server gave
   * up; after STORAGE_FULL and STORAGE_FAILED the whole transaction is lost, and says so at its end.
   */
  apply(batch: ChangeBatch): Promise<readonly Change[]>;
}

export type IntegrityProblem = { readonly what: string; readonly where: string; readonly problem: string };

/** A stored row as the scrub sees it: whatever can be wrong with it is told, not thrown. */
export type ScrubbedAspect = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly version: number;
  readonly latest: boolean;
  /** False when the checksum does not match what the row says. */
  readonly intact: boolean;
  readonly removed: boolean;
  /** `undefined` when the row is damaged or a tombstone. */
  readonly value: Aspect | undefined;
};

/**
 * The port to a store. One writer at a time: `transact` runs alone, its work sees its own writes, and it resolves only
 * after the commit is durable. Two adapters pass one contract suite (src/storage/aspect-store.contract.ts).
 */
export interface AspectStore extends AspectReader {
  /** Only of a store inside the process. */
  readonly immediate?: ImmediateReader;
  /** True when no other process can write, so that caches made exact by this process's own changes are exact. */
  readonly exclusive: boolean;
  /** For people: where the data is, without secrets. */
  readonly location: string;
  /**
   * Runs `work` once, never again. Throws STORAGE_FULL when nothing was stored for want of space, STORAGE_FAILED when the
   * disk or the server failed (if at the commit, its outcome is unknown), and what `work` throws.
   */
  transact<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** Every stored aspect version, for `postil check`. */
  scrub(): AsyncIterable<ScrubbedAspect>;
  /** Damage the store itself can find: page and index checks, gaps in the change log, rows without an owner. */
  integrityProblems(): Promise<readonly IntegrityProblem[]>;
  /** Rows of a projection for one entity, so that a check can compare them with what its aspects say. */
  projectionsOf(urn: Urn): Promise<{
    readonly relationships: readonly (Relationship & { readonly aspect: string })[];
    readonly fragments: ReadonlyMap<string, string>;
    readonly placement: Placement | undefined;
  }>;
  /** The same of its search entries, by aspect; terms in no order. Throws CORRUPT_ASPECT where one of them is damaged. */
  searchEntriesOf(urn: Urn): Promise<ReadonlyMap<string, SearchEntry>>;
  /** Counts for people and for backups. */
  statistics(): Promise<{
    readonly entities: number;
    readonly aspects: number;
    readonly lastSequence: number;
  }>;
  /** Waits for transactions that were begun; from then on everything is refused. */
  close(): Promise<void>;
}
