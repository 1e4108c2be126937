import type { DatabaseSync } from 'node:sqlite';
import { prepareWrite } from './sqlite-connection.ts';

/** So many words that are in the table are remembered. */
const rememberedMax = 50_000;

/** The dictionary of name words, on the writing connection. The caller owns the surrounding transaction. */
export type SqliteNameWords = {
  /** Adds those that the table lacks. */
  add(words: readonly string[]): void;
  /** To be called when something was rolled back: which words are in the table is not known any more. */
  forget(): void;
  clear(): void;
};

export function createSqliteNameWords(database: DatabaseSync): SqliteNameWords {
  const insert = prepareWrite(database, 'INSERT INTO search_word (word) VALUES (?) ON CONFLICT DO NOTHING');
  const remembered = new Set<string>();
  return {
    add(words) {
      for (const word of words) {
        if (remembered.has(word)) continue;
        insert.run(word);
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.add(word);
      }
    },
    forget() {
      remembered.clear();
    },
    clear() {
      database.exec('DELETE FROM search_word');
      remembered.clear();
    },
  };
}
