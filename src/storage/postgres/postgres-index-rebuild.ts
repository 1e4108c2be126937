import type { EntityAspects } from '../../aspect/aspect.ts';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import type { EntryOf, RebuiltPart, SearchIndex } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { entriesOf, rangesWithout, rebuiltAtATime } from '../rebuilt-entries.ts';
import { runStep } from './batch-step.ts';
import type { PendingTerms } from './pending-terms.ts';
import type { Run } from './postgres-connection.ts';
import type { Ids } from './postgres-ids.ts';
import { createPostgresReader } from './postgres-reader.ts';
import type { InTransaction } from './postgres-verdict-store.ts';
import { nameWordsOf, searchEntrySteps } from './search-entry-steps.ts';

/** Numbers of entities stay below this one. */
const entitiesEnd = 2 ** 31;

/** Makes entries anew, each part in a transaction of its own under the lock of the one writer. */
export function createPostgresIndexRebuild(
  run: Run,
  ids: Ids,
  inTransaction: InTransaction,
  pendingTerms: Pick<PendingTerms, 'written'>,
): Pick<SearchIndex, 'rebuild' | 'clear' | 'progress' | 'setProgress' | 'rebuilds' | 'countRebuild'> {
  return {
    async rebuild({ after, count = Number.MAX_SAFE_INTEGER, milliseconds, entryOf }) {
      let termLetters = 0;
      const rebuilt = await inTransaction(async (session) => {
        const end = performance.now() + milliseconds;
        let [entities, entries] = [0, 0];
        const unreadable: Urn[] = [];
        for (let last: number | undefined = after; ;) {
          const part = await rebuildSome(
            session.run,
            ids,
            last,
            Math.min(rebuiltAtATime, count - entities),
            entryOf,
          );
          entities += part.entities;
          entries += part.entries;
          unreadable.push(...part.unreadable);
          ({ last } = part);
          termLetters += part.termLetters;
          if (last === undefined || entities >= count || performance.now() >= end) {
            return { entities, entries, unreadable, last };
          }
        }
      });
      pendingTerms.written(termLetters);
      return rebuilt;
    },
    async clear() {
      await inTransaction(async (session) => {
        await session.run('DELETE FROM search_entry');
        await session.run('DELETE FROM search_bearer');
        await session.run('DELETE FROM search_few');
        await session.run('DELETE FROM search_word');
      });
    },
    async progress() {
      const { rows } = await run('SELECT version, done FROM search_progress');
      const done = rows[0]?.['done'] ?? null;
      return { version: Number(rows[0]?.['version']), done: done === null ? undefined : Number(done) };
    },
    async setProgress({ version, done }) {
      await inTransaction(async (session) => {
        await session.run('UPDATE search_progress SET version = $1, done = $2', [version, done ?? null]);
      });
    },
    async rebuilds() {
      const { rows } = await run('SELECT rebuilds FROM search_progress');
      return Number(rows[0]?.['rebuilds']);
    },
    async countRebuild() {
      await inTransaction(async (session) => {
        await session.run('UPDATE search_progress SET rebuilds = rebuilds + 1');
      });
    },
  };
}

async function rebuildSome(
  run: Run,
  ids: Ids,
  after: number,
  count: number,
  entryOf: EntryOf,
): Promise<RebuiltPart & { readonly termLetters: number }> {
  const { rows } = await run('SELECT id, urn FROM entity WHERE id > $1 ORDER BY id LIMIT $2', [
    after,
    count + 1,
  ]);
  const entities = rows
    .slice(0, count)
    .map((row) => ({ number: Number(row['id']), urn: String(row['urn']) as Urn }));
  const isEnd = rows.length <= count;
  const last = entities.at(-1)?.number ?? after;
  const { read, unreadable } = await readAll(
    run,
    entities.map(({ urn }) => urn),
  );
  const made = new Map<number, ReadonlyMap<string, SearchEntry>>();
  for (const { number, urn } of entities) {
    const aspects = read.get(urn);
    if (aspects === undefined) continue;
    try {
      made.set(number, entriesOf(urn, aspects, entryOf));
    } catch {
      unreadable.push(urn);
    }
  }
  const kept = entities.flatMap(({ number, urn }) => (unreadable.includes(urn) ? [number] : []));
  const end = isEnd ? entitiesEnd : last + 1;
  for (const [from, to] of rangesWithout(after + 1, end, kept)) {
    for (const table of ['search_bearer', 'search_few', 'search_entry']) {
      await run(`DELETE FROM ${table} WHERE entity >= $1::bigint AND entity < $2::bigint`, [from, to]);
    }
  }
  await ids.ensure(run, new Set(), new Set([...made.values()].flatMap((ofEntity) => [...ofEntity.keys()])));
  const rowsToPut = [...made].flatMap(([number, ofEntity]) =>
    [...ofEntity].map(([name, entry]) => [number * namesPerEntity + ids.name(name), entry] as const),
  );
  // All of them: what is made anew does not trust what was remembered.
  const words = nameWordsOf(rowsToPut.map(([, entry]) => entry));
  for (const step of await searchEntrySteps(run, new Map(rowsToPut), new Set(made.keys()), words)) {
    await runStep(run, step);
  }
  const termLetters = rowsToPut.reduce((sum, [, { terms }]) => sum + terms.length, 0);
  return {
    entities: entities.length,
    entries: rowsToPut.length,
    unreadable,
    last: isEnd ? undefined : last,
    termLetters,
  };
}

/** All at once; each by itself where one of them is damaged. */
async function readAll(
  run: Run,
  urns: readonly Urn[],
): Promise<{ readonly read: ReadonlyMap<Urn, EntityAspects>; readonly unreadable: Urn[] }> {
  const reader = createPostgresReader(run);
  try {
    return { read: await reader.readMany(urns), unreadable: [] };
  } catch {
    const read = new Map<Urn, EntityAspects>();
    const unreadable: Urn[] = [];
    for (const urn of urns) {
      try {
        read.set(urn, await reader.read(urn));
      } catch {
        unreadable.push(urn);
      }
    }
    return { read, unreadable };
  }
}
