import type {
  AspectStore,
  Change,
  ChangeBatch,
  Relationship,
  WriteTransaction,
} from '../../aspect/aspect-store.ts';
import { parseUrn, urnType, type Urn } from '../../urn/urn.ts';

export const actor = 'urn:li:corpuser:ada';

/** One aspect as a test wants it stored; without `text` it is removed. */
export type Draft = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly text?: string;
  readonly system?: string;
  readonly existence?: 'begins' | 'ends';
  readonly add?: readonly Relationship[];
  readonly remove?: readonly Relationship[];
};

export type BatchRest = Partial<
  Pick<ChangeBatch, 'command' | 'observations' | 'fragments' | 'placements' | 'searchEntries'>
> & {
  readonly time?: number;
};

export function datasetUrn(name: string): Urn {
  return parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`);
}

export function termUrn(name: string): Urn {
  return parseUrn(`urn:li:glossaryTerm:${name}`);
}

/** The drafts as a batch on top of what is stored, as the write engine would make it. */
export async function batchOf(
  transaction: WriteTransaction,
  drafts: readonly Draft[],
  rest: BatchRest = {},
): Promise<ChangeBatch> {
  const versions = await transaction.lastVersions(drafts);
  const stored = await transaction.readMany(drafts.map(({ urn }) => urn));
  return {
    command: rest.command ?? 'test',
    stamp: { time: rest.time ?? 1_700_000_000_000, actor },
    changes: drafts.map((draft, index) => ({
      urn: draft.urn,
      entityType: urnType(draft.urn),
      aspect: draft.aspect,
      before: stored.get(draft.urn)?.get(draft.aspect),
      versionBefore: versions[index] ?? 0,
      text: draft.text,
      systemText: draft.system ?? null,
      ...(draft.existence === undefined ? {} : { existence: draft.existence }),
      addedRelationships: draft.add ?? [],
      removedRelationships: draft.remove ?? [],
    })),
    observations: rest.observations ?? [],
    searchEntries: rest.searchEntries ?? [],
    fragments: rest.fragments ?? [],
    placements: rest.placements ?? [],
  };
}

/** Stores the drafts as one command inside a transaction. */
export async function apply(
  transaction: WriteTransaction,
  drafts: readonly Draft[],
  rest?: BatchRest,
): Promise<readonly Change[]> {
  return transaction.apply(await batchOf(transaction, drafts, rest));
}

/** Stores the drafts as one command in a transaction of its own. */
export async function write(
  store: AspectStore,
  drafts: readonly Draft[],
  rest?: BatchRest,
): Promise<readonly Change[]> {
  return store.transact((transaction) => apply(transaction, drafts, rest));
}

/** What was decided about a version of the key aspect that was never stored, so that it is refused. */
export function staleBatch(urn: Urn, searchEntries: ChangeBatch['searchEntries']): ChangeBatch {
  return {
    command: 'test',
    stamp: { time: 1, actor: 'urn:li:corpuser:ada' },
    changes: [
      {
        urn,
        entityType: urnType(urn),
        aspect: `${urnType(urn)}Key`,
        before: undefined,
        versionBefore: 7,
        text: '{}',
        systemText: null,
        addedRelationships: [],
        removedRelationships: [],
      },
    ],
    observations: [],
    searchEntries,
    fragments: [],
    placements: [],
  };
}

/** The key aspect of an entity that begins to exist. */
export function keyDraft(urn: Urn): Draft {
  return { urn, aspect: `${urnType(urn)}Key`, text: '{}', existence: 'begins' };
}

/** What a test says about one aspect: everything that its reader can see. */
export async function textsOf(store: Pick<AspectStore, 'read'>, urn: Urn): Promise<Record<string, string>> {
  const aspects = await store.read(urn);
  return Object.fromEntries([...aspects].map(([name, { version, text }]) => [name, `${version}: ${text}`]));
}
