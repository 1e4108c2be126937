import type { WriteTransaction } from '../aspect/aspect-store.ts';
import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { Urn } from '../urn/urn.ts';

type Remembered = {
  readonly aspects: Map<string, Aspect>;
  /** What was asked for, found or not; `undefined` when everything was. */
  names: Set<string> | undefined;
};

/**
 * The transaction, remembering the aspects that were read in it until they change. A decision and the planning of what it
 * wants stored look at the same aspects: they are fetched, verified and parsed once.
 */
export function rememberReads(transaction: WriteTransaction): WriteTransaction {
  const entities = new Map<Urn, Remembered>();

  /** Which of the names have still to be read of one of the entities; `undefined`: everything. */
  function missingNames(
    urns: readonly Urn[],
    names: readonly string[] | undefined,
  ): readonly string[] | undefined {
    if (names === undefined) return urns.some((urn) => !isKnown(urn, undefined)) ? undefined : [];
    return names.filter((name) => urns.some((urn) => !isKnown(urn, name)));
  }

  /** Whether an aspect was read, or without a name all of them. */
  function isKnown(urn: Urn, name: string | undefined): boolean {
    const known = entities.get(urn);
    if (known === undefined) return false;
    return known.names === undefined || (name !== undefined && known.names.has(name));
  }

  function remember(urn: Urn, names: readonly string[] | undefined, read: EntityAspects): void {
    const known = entities.get(urn) ?? { aspects: new Map<string, Aspect>(), names: new Set<string>() };
    for (const [name, aspect] of read) {
      // One that is known already may have been parsed already.
      if (!known.aspects.has(name)) known.aspects.set(name, aspect);
    }
    if (names === undefined) known.names = undefined;
    else for (const name of names) known.names?.add(name);
    entities.set(urn, known);
  }

  function recall(urn: Urn, names: readonly string[] | undefined): EntityAspects {
    const aspects = entities.get(urn)?.aspects ?? new Map<string, Aspect>();
    if (names === undefined) return new Map(aspects);
    const asked = new Map<string, Aspect>();
    for (const name of names) {
      const aspect = aspects.get(name);
      if (aspect !== undefined) asked.set(name, aspect);
    }
    return asked;
  }

  return {
    ...transaction,
    async read(urn, names) {
      const missing = missingNames([urn], names);
      if (missing?.length !== 0) remember(urn, missing, await transaction.read(urn, missing));
      return recall(urn, names);
    },
    async readMany(urns, names) {
      const missing = missingNames(urns, names);
      if (missing?.length !== 0) {
        for (const [urn, aspects] of await transaction.readMany(urns, missing))
          remember(urn, missing, aspects);
      }
      return new Map(urns.map((urn) => [urn, recall(urn, names)]));
    },
    async apply(batch) {
      // Forgotten also when it fails: what a failed batch left behind is for the store to say.
      for (const { urn } of batch.changes) entities.delete(urn);
      for (const { urn } of batch.observations) entities.delete(urn);
      return transaction.apply(batch);
    },
  };
}
