import type { Urn } from '../../urn/urn.ts';
import { namesPerEntity, tooManyNames } from '../aspect-key.ts';
import type { Run } from './postgres-connection.ts';

/** Remembered URN to id pairs; ids never change once committed, so only memory bounds it. */
const rememberedIds = 20_000;
/** Name words that are in the dictionary. */
const rememberedWords = 50_000;

/** Ids that were given and rows that have to be inserted for them. */
export type NewIds = {
  readonly entities: readonly { readonly id: number; readonly urn: Urn }[];
  readonly names: readonly { readonly id: number; readonly text: string }[];
};

/**
 * Numbers of entities and names, and which name words have one. Those of entities and names are given by the one writer as the next free ones: checksums are bound to them, so they have
 * to be known before anything is inserted. What a rollback took back must be forgotten.
 */
export type Ids = {
  /** What the database says at the beginning of a transaction. */
  begin(stored: { readonly lastEntity: number; readonly lastName: number; readonly firstWord: number }): void;
  remember(urn: Urn, id: number): void;
  /** Looks up all of these, with one statement for what is not remembered, and gives ids to those that are new. */
  ensure(run: Run, urns: ReadonlySet<Urn>, names: ReadonlySet<string>): Promise<NewIds>;
  entity(urn: Urn): number;
  name(text: string): number;
  /** Those of the words, each once, that the dictionary may lack; they have to be added. */
  newWords(words: readonly string[]): readonly string[];
  /** Where the numbering stands, to return to when a batch is rolled back. */
  mark(): readonly [number, number];
  forget(mark?: readonly [number, number]): void;
};

export function createIds(): Ids {
  const idByUrn = new Map<Urn, number>();
  const idByName = new Map<string, number>();
  let lastEntity = 0;
  let lastName = 0;
  const storedWords = new Set<string>();
  let firstWord = 0;

  async function findEntities(run: Run, urns: ReadonlySet<Urn>): Promise<NewIds['entities']> {
    const unknown = [...urns].filter((urn) => !idByUrn.has(urn));
    if (unknown.length === 0) return [];
    const { rows } = await run('SELECT id, urn FROM entity WHERE urn = ANY ($1::text[])', [unknown]);
    for (const row of rows) idByUrn.set(String(row['urn']) as Urn, Number(row['id']));
    return unknown
      .filter((urn) => !idByUrn.has(urn))
      .map((urn) => {
        lastEntity += 1;
        idByUrn.set(urn, lastEntity);
        return { id: lastEntity, urn };
      });
  }

  async function findNames(run: Run, names: ReadonlySet<string>): Promise<NewIds['names']> {
    const unknown = [...names].filter((name) => !idByName.has(name));
    if (unknown.length === 0) return [];
    const { rows } = await run('SELECT id, text FROM name');
    for (const row of rows) idByName.set(String(row['text']), Number(row['id']));
    return unknown
      .filter((name) => !idByName.has(name))
      .map((text) => {
        if (lastName + 1 >= namesPerEntity) throw tooManyNames(text);
        lastName += 1;
        idByName.set(text, lastName);
        return { id: lastName, text };
      });
  }

  function known<Key>(ids: ReadonlyMap<Key, number>, key: Key): number {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`No id was looked up for ${String(key)}`);
    return id;
  }

  return {
    begin(stored) {
      ({ lastEntity, lastName } = stored);
      // Another node may have cleared the dictionary; numbers are never given twice.
      if (stored.firstWord !== firstWord) storedWords.clear();
      ({ firstWord } = stored);
      if (storedWords.size > rememberedWords) storedWords.clear();
      // Between transactions only: a batch needs all of its ids at once.
      if (idByUrn.size > rememberedIds) idByUrn.clear();
    },
    remember: (urn, id) => void idByUrn.set(urn, id),
    async ensure(run, urns, names) {
      return { entities: await findEntities(run, urns), names: await findNames(run, names) };
    },
    entity: (urn) => known(idByUrn, urn),
    name: (text) => known(idByName, text),
    newWords(words) {
      const added = [...new Set(words)].filter((word) => !storedWords.has(word));
      for (const word of added) storedWords.add(word);
      return added;
    },
    mark: () => [lastEntity, lastName],
    forget(mark) {
      idByUrn.clear();
      idByName.clear();
      storedWords.clear();
      if (mark !== undefined) [lastEntity, lastName] = mark;
    },
  };
}
