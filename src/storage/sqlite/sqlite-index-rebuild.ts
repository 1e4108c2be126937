import type { DatabaseSync } from 'node:sqlite';
import type { SearchEntry } from '../../aspect/search-entry.ts';
import type { IndexProgress, RebuiltPart, SearchIndex } from '../../search-index/search-index.ts';
import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity } from '../aspect-key.ts';
import { entriesOf, rangesWithout, rebuiltAtATime } from '../rebuilt-entries.ts';
import type { Names } from './sqlite-names.ts';
import { guard, type SqliteReader } from './sqlite-reader.ts';
import { createSqliteSearchWriter } from './sqlite-search-writer.ts';
import { prepareWrite } from './sqlite-connection.ts';

/** Keys stay below this number. */
const keysEnd = Number.MAX_SAFE_INTEGER;

export type SqliteIndexRebuild = Pick<
  SearchIndex,
  'rebuild' | 'clear' | 'progress' | 'setProgress' | 'rebuilds' | 'countRebuild'
>;

/** Makes entries anew on the writing connection; `inTransaction` runs work alone in a transaction of its own. */
export function createSqliteIndexRebuild(
  database: DatabaseSync,
  names: Names,
  reader: SqliteReader,
  inTransaction: <T>(work: () => Promise<T>) => Promise<T>,
): SqliteIndexRebuild {
  const writer = createSqliteSearchWriter(database);
  const selectNext = database.prepare('SELECT id, urn FROM entity WHERE id > ? ORDER BY id LIMIT ?');
  const selectProgress = database.prepare('SELECT version, done FROM search_progress');
  const updateProgress = prepareWrite(database, 'UPDATE search_progress SET version = ?, done = ?');
  const selectRebuilds = database.prepare('SELECT rebuilds FROM search_progress');
  const updateRebuilds = prepareWrite(database, 'UPDATE search_progress SET rebuilds = rebuilds + 1');

  async function rebuildSome(
    after: number,
    count: number,
    entryOf: Parameters<SearchIndex['rebuild']>[0]['entryOf'],
  ): Promise<RebuiltPart> {
    const rows = selectNext.all(after, count + 1);
    const entities = rows
      .slice(0, count)
      .map((row) => ({ number: Number(row['id']), urn: String(row['urn']) as Urn }));
    const isEnd = rows.length <= count;
    const last = entities.at(-1)?.number ?? after;
    const made = new Map<number, ReadonlyMap<string, SearchEntry>>();
    const unreadable: typeof entities = [];
    for (const entity of entities) {
      try {
        made.set(entity.number, entriesOf(entity.urn, await reader.read(entity.urn), entryOf));
      } catch {
        unreadable.push(entity);
      }
    }
    const kept = unreadable.map(({ number }) => number);
    const end = isEnd ? keysEnd / namesPerEntity : last + 1;
    for (const [from, to] of rangesWithout(after + 1, end, kept)) {
      writer.remove(from * namesPerEntity, to * namesPerEntity);
    }
    let entries = 0;
    for (const [number, ofEntity] of made) {
      entries += ofEntity.size;
      for (const [name, entry] of ofEntity) writer.put(number * namesPerEntity + names.ensure(name), entry);
    }
    writer.keep();
    writer.finish();
    return {
      entities: entities.length,
      entries,
      unreadable: unreadable.map(({ urn }) => urn),
      last: isEnd ? undefined : last,
    };
  }

  return {
    async rebuild({ after, count = Number.MAX_SAFE_INTEGER, milliseconds, entryOf }) {
      return inTransaction(async () => {
        writer.forget();
        const end = performance.now() + milliseconds;
        let [entities, entries] = [0, 0];
        const unreadable: Urn[] = [];
        for (let last: number | undefined = after; ;) {
          const part = await rebuildSome(last, Math.min(rebuiltAtATime, count - entities), entryOf);
          entities += part.entities;
          entries += part.entries;
          unreadable.push(...part.unreadable);
          last = part.last;
          if (last === undefined || entities >= count || performance.now() >= end) {
            return { entities, entries, unreadable, last };
          }
        }
      });
    },
    async clear() {
      await inTransaction(async () => writer.clear());
    },
    async progress(): Promise<IndexProgress> {
      return guard(() => {
        const row = selectProgress.get();
        const done = row?.['done'] ?? null;
        return { version: Number(row?.['version']), done: done === null ? undefined : Number(done) };
      });
    },
    async setProgress({ version, done }) {
      await inTransaction(async () => void updateProgress.run(version, done ?? null));
    },
    async rebuilds() {
      return guard(() => Number(selectRebuilds.get()?.['rebuilds']));
    },
    async countRebuild() {
      await inTransaction(async () => void updateRebuilds.run());
    },
  };
}
