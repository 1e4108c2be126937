import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Aspect, EntityAspects } from '../../aspect/aspect.ts';
import { requireEntityType } from '../../entity/entity-registry.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { sequenceAt } from '../changed-entities.ts';
import type { FactSource } from '../facts.ts';

type PastReader = Pick<AspectReader, 'readMany' | 'existing' | 'readVersion' | 'changes' | 'lastSequence'>;

/** Facts as they were, and the last change that counts. */
export type PastFacts = { readonly source: FactSource; readonly sequence: number };

const pageSize = 1_000;
/** Changes since then that are read, in memory until the evaluation has ended. */
const changesMax = 200_000;

/**
 * The facts as they were at a moment: what is stored now, and in the place of what was changed since then the version that
 * the change log says it had. Throws LIMIT_EXCEEDED when more was changed since then than can be read. What no version keeps
 * cannot be asked: edges in the other direction are refused with BAD_REQUEST.
 */
export async function pastFacts(reader: PastReader, time: number): Promise<PastFacts> {
  const last = await reader.lastSequence();
  // What happened in that millisecond counts.
  const sequence = await sequenceAt(reader, time + 1, last);
  const versions = await versionsAt(reader, sequence, last);

  const versionOf = async (urn: Urn, name: string): Promise<Aspect | undefined> => {
    const version = versions.get(urn)?.get(name);
    return version === undefined || version === 0 ? undefined : reader.readVersion(urn, name, version);
  };
  const past = async (
    urn: Urn,
    stored: EntityAspects,
    names: readonly string[] | undefined,
  ): Promise<EntityAspects> => {
    const changed = versions.get(urn);
    if (changed === undefined) return stored;
    const aspects = new Map<string, Aspect>(stored);
    for (const name of changed.keys()) {
      if (names?.includes(name) === false) continue;
      const before = await versionOf(urn, name);
      if (before === undefined) aspects.delete(name);
      else aspects.set(name, before);
    }
    return aspects;
  };
  return {
    sequence,
    source: {
      async readMany(urns, names) {
        const aspects = new Map<Urn, EntityAspects>();
        for (const [urn, stored] of await reader.readMany(urns, names)) {
          aspects.set(urn, await past(urn, stored, names));
        }
        return aspects;
      },
      async existing(urns) {
        const existed = new Set(await reader.existing(urns));
        for (const urn of urns) {
          const { keyAspect } = requireEntityType(urnType(urn));
          if (versions.get(urn)?.has(keyAspect) !== true) continue;
          if ((await versionOf(urn, keyAspect)) === undefined) existed.delete(urn);
          else existed.add(urn);
        }
        return existed;
      },
      readVersion: (urn, name, version) => reader.readVersion(urn, name, version),
      relationships: () => {
        const message = 'Which entities referred to one in the past is not kept, and the test asks for it.';
        return Promise.reject(new PostilError('BAD_REQUEST', message));
      },
    },
  };
}

/** Of everything that was changed after a sequence: the version before its first change; 0 for none. */
async function versionsAt(
  reader: PastReader,
  sequence: number,
  last: number,
): Promise<ReadonlyMap<Urn, ReadonlyMap<string, number>>> {
  if (last - sequence > changesMax) {
    const count = (last - sequence).toLocaleString('en-US');
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `${count} changes were made since then; ${changesMax.toLocaleString('en-US')} are the limit.`,
    );
  }
  const versions = new Map<Urn, Map<string, number>>();
  for (let after = sequence; after < last;) {
    const page = await reader.changes({ after, count: pageSize });
    for (const { urn, aspect, versionBefore } of page) {
      const ofEntity = versions.get(urn) ?? new Map<string, number>();
      versions.set(urn, ofEntity);
      if (!ofEntity.has(aspect)) ofEntity.set(aspect, versionBefore);
    }
    after = page.at(-1)?.sequence ?? last;
  }
  return versions;
}
