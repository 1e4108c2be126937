import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { sequenceAt } from './changed-entities.ts';
import type { FactSource } from './facts.ts';

/** What the past is read from. */
export type HistoryReader = Pick<
  AspectReader,
  'readMany' | 'readVersion' | 'existing' | 'relationships' | 'changes' | 'lastSequence'
>;

/** Changes that are read of the log to find what was removed since. */
const maxChanges = 200_000;
const pageSize = 5_000;

/** The aspects of some entities as they were; `undefined` where there was none. */
type Past = { readonly version: number; readonly aspect: Aspect | undefined };

/**
 * The same facts as they were at a time, in milliseconds since the Unix epoch: aspects and existence, from their versions.
 * Relationships are those of now, because their past is not kept. Throws LIMIT_EXCEEDED where something was removed since and
 * too much has changed to find out when.
 */
export function readerAsOf(reader: HistoryReader, time: number): Required<FactSource> {
  let later: Promise<ReadonlyMap<string, number>> | undefined;
  /** Of every aspect that was changed after the time, the version it had then; 0 for none. */
  const versionsThen = (): Promise<ReadonlyMap<string, number>> => (later ??= changedSince(reader, time));

  async function past(urn: Urn, name: string, latest: Aspect | undefined): Promise<Past> {
    if (latest !== undefined && latest.stamp.time <= time) return { version: latest.version, aspect: latest };
    // What is there now and has one version came later; what is not there and never was has none.
    if (latest?.version === 1) return { version: 0, aspect: undefined };
    if (latest === undefined && !(await everExisted(reader, urn, name)))
      return { version: 0, aspect: undefined };
    const before = latest === undefined ? undefined : await reader.readVersion(urn, name, latest.version - 1);
    if (before !== undefined && before.stamp.time <= time) return { version: before.version, aspect: before };
    const version = (await versionsThen()).get(`${urn} ${name}`) ?? latest?.version ?? 0;
    return { version, aspect: version === 0 ? undefined : await reader.readVersion(urn, name, version) };
  }

  async function aspectsOf(urn: Urn, now: EntityAspects, names: readonly string[]): Promise<EntityAspects> {
    const found: (readonly [string, Aspect])[] = [];
    for (const name of names) {
      const { aspect } = await past(urn, name, now.get(name));
      if (aspect !== undefined) found.push([name, aspect]);
    }
    return new Map(found);
  }

  async function readMany(
    urns: readonly Urn[],
    names?: readonly string[],
  ): Promise<ReadonlyMap<Urn, EntityAspects>> {
    const now = await reader.readMany(urns, names);
    const entries: (readonly [Urn, EntityAspects])[] = [];
    for (const urn of urns) {
      const own = now.get(urn) ?? new Map<string, Aspect>();
      const asked = names ?? [...new Set([...own.keys(), ...(entityTypeOf(urnType(urn))?.aspects ?? [])])];
      entries.push([urn, await aspectsOf(urn, own, asked)]);
    }
    return new Map(entries);
  }

  return {
    readMany,
    async existing(urns) {
      const existing: Urn[] = [];
      for (const urn of urns) {
        const key = entityTypeOf(urnType(urn))?.keyAspect;
        if (key === undefined) continue;
        const aspects = (await readMany([urn], [key])).get(urn);
        if (aspects?.has(key) === true) existing.push(urn);
      }
      return new Set(existing);
    },
    readVersion: (urn, name, version) => reader.readVersion(urn, name, version),
    relationships: (query) => reader.relationships(query),
  };
}

/** Versions count from 1 and the first is always a value. */
async function everExisted(reader: HistoryReader, urn: Urn, name: string): Promise<boolean> {
  return (await reader.readVersion(urn, name, 1)) !== undefined;
}

async function changedSince(reader: HistoryReader, time: number): Promise<ReadonlyMap<string, number>> {
  let after = await sequenceAt(reader, time + 1, await reader.lastSequence());
  const then = new Map<string, number>();
  for (let read = 0; ;) {
    const changes = await reader.changes({ after, count: pageSize });
    for (const { urn, aspect, versionBefore } of changes) {
      const key = `${urn} ${aspect}`;
      if (!then.has(key)) then.set(key, versionBefore);
    }
    read += changes.length;
    after = changes.at(-1)?.sequence ?? after;
    if (changes.length < pageSize) return then;
    if (read >= maxChanges) {
      throw new PostilError(
        'LIMIT_EXCEEDED',
        `More than ${maxChanges} changes were made since then; ask for a later time.`,
      );
    }
  }
}
