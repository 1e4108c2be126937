import type { Caller } from '../auth/caller.ts';
import { createWorkPace } from '../entity/work-pace.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { SearchField } from '../search-index/search-fields.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import {
  folded,
  nameWordQuery,
  queryWordsOf,
  wholeNameBeginning,
  wholeNameTerm,
} from '../search-index/search-terms.ts';
import { isUrn, type Urn, urnKey } from '../urn/urn.ts';
import { questionMsUsual } from './filter-evaluation.ts';
import { FirstOf } from './first-of.ts';
import type { Finder } from './found-set.ts';
import type { FurtherColumns } from './further-columns.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { createMisspellings } from './misspellings.ts';
import type { NameWords } from './name-words.ts';
import {
  bothOf,
  keepNumbers,
  membersOf,
  type NumberSet,
  numbersIn,
  sizeOfNumbers,
  takeNumbers,
} from './number-set.ts';
import { readQueryText } from './query-text.ts';
import type { Completion, CompletionQuery, SearchEngine } from './search-engine.ts';
import { requireSearchField } from './searched-field.ts';
import type { TermSets } from './term-sets.ts';
import { createUsage } from './usage.ts';
import type { WordBags } from './word-bags.ts';

const limitMax = 1_000;
/** Of each class, so many are looked at: the most used ones, and the first by number. */
const candidatesMax = 200;
/** So many values are looked at before others may have a turn. */
const valuesAtOnce = 1_000;
/** The same of names that were mistyped: what they are ordered by says less than how they are spelt. */
const mistypedMax = 50;

type Candidate = {
  readonly number: number;
  readonly urn: Urn;
  readonly name: string;
  readonly usage: number;
};

/** A value with what was typed in it, and the number of entities that have it. */
type CountedValue = { readonly value: string; readonly count: number; readonly isBeginning: boolean };

/** Completes what somebody types: names, or the values of a field. */
export function createCompletions(sources: {
  readonly index: Pick<SearchIndex, 'numbersOf'>;
  readonly entities: IndexedEntities;
  readonly terms: TermSets;
  readonly finder: Finder;
  readonly columns: FurtherColumns;
  readonly bags: WordBags;
  readonly nameWords: NameWords;
}): Pick<SearchEngine, 'complete'> {
  const { terms, finder, columns, bags, nameWords } = sources;
  const usage = createUsage(sources);
  const misspellings = createMisspellings({ terms, nameWords });

  async function completeNames(query: CompletionQuery, within: NumberSet): Promise<Completion> {
    const rest = within.slice();
    const found: Candidate[] = [];
    const isFull = (): boolean => new Set(found.map(({ name }) => name)).size >= query.limit;
    for await (const members of classesOf(query.text, within)) {
      keepNumbers(members, rest);
      takeNumbers(rest, members);
      found.push(...(await ordered(members, Math.max(candidatesMax, query.limit))));
      if (isFull()) break;
    }
    // Whoever is found as typed was not mistyped: what is only like it would stand in the way, and is dear to look for.
    if (found.length === 0) {
      const most = Math.max(mistypedMax, query.limit);
      for (const members of await misspellings.of(query.text, rest, most)) {
        found.push(...(await ordered(members, most)));
        if (isFull()) break;
      }
    }
    return completionOf(found, query.limit);
  }

  /** Exactly this name, names that begin with it, names with all of the words. */
  async function* classesOf(text: string, within: NumberSet): AsyncIterable<NumberSet> {
    const question = readQueryText(text);
    if (question.kind === 'everything') {
      yield within.slice();
      return;
    }
    const words = queryWordsOf(text);
    if (words.length === 0) return;
    const named = await Promise.all([
      terms.bearers({ term: wholeNameTerm(text), isPrefix: false }),
      terms.bearers(wholeNameBeginning(text)),
    ]);
    for (const bearers of named) yield bothOf(within, bearers);
    const inName = within.slice();
    const ended = await Promise.all(
      words.slice(0, -1).map((word) => terms.bearers(nameWordQuery(word, false))),
    );
    for (const bearers of ended) keepNumbers(inName, bearers);
    // Very many names have a word that begins with what was typed of the last one; the words before leave few of them.
    yield await terms.bearersAmong(nameWordQuery(words.at(-1) ?? '', true), inName);
  }

  async function ordered(members: NumberSet, most: number): Promise<readonly Candidate[]> {
    const first = [...numbersIn(members, -1, most)];
    const isCut = sizeOfNumbers(members) > first.length;
    const used = isCut ? await usage.mostUsed(members, most) : [];
    return candidatesOf([...new Set([...used, ...first])]);
  }

  /** The most used first, then the shorter name, then by number. */
  async function candidatesOf(numbers: readonly number[]): Promise<readonly Candidate[]> {
    const known = await bags.of(numbers);
    return numbers
      .flatMap((number) => {
        const bag = known.get(number);
        if (bag === undefined) return [];
        const { urn, names } = bag;
        return [{ number, urn, name: names[0] ?? urnKey(urn), usage: usage.of(urn) }];
      })
      .sort(
        (one, other) =>
          other.usage - one.usage || one.name.length - other.name.length || one.number - other.number,
      );
  }

  async function completeValues(
    query: CompletionQuery,
    field: SearchField,
    within: NumberSet,
  ): Promise<Completion> {
    const typed = folded(query.text.trim());
    const pace = createWorkPace(questionMsUsual);
    const first = new FirstOf<CountedValue>(query.limit, byBeginning);
    let looked = 0;
    for (const [value, count] of (await columns.ofField(field, pace)).eachCount(membersOf(within))) {
      if (looked % valuesAtOnce === 0) await pace.step();
      looked += 1;
      const place = folded(shownOf(value)).indexOf(typed);
      if (place !== -1) first.add({ value, count, isBeginning: place === 0 });
    }
    const found = first.sorted();
    const shown = found.filter(({ value }) => isUrn(value));
    return {
      suggestions: found.map(({ value }) => value),
      entities: shown.map(({ value }) => value).filter((value) => isUrn(value)),
      usage: shown.map(({ count }) => count),
    };
  }

  return {
    async complete(query: CompletionQuery, caller: Caller) {
      if (query.limit < 0 || query.limit > limitMax) {
        throw new PostilError('BAD_REQUEST', `limit must be from 0 to ${limitMax}, but is ${query.limit}.`);
      }
      const field = query.field === undefined ? undefined : requireSearchField(query.field);
      readQueryText(query.text);
      const within = await finder.within(query, caller);
      if (field === undefined || field.terms.includes('name')) return completeNames(query, within);
      return completeValues(query, field, within);
    },
  };
}

function byBeginning(one: CountedValue, other: CountedValue): number {
  return (
    Number(other.isBeginning) - Number(one.isBeginning) ||
    other.count - one.count ||
    (one.value < other.value ? -1 : 1)
  );
}

/** Each suggestion once, the entities in the same order, at most so many of both. */
function completionOf(found: readonly Candidate[], limit: number): Completion {
  const entities = found.slice(0, limit);
  return {
    suggestions: [...new Set(found.map(({ name }) => name))].slice(0, limit),
    entities: entities.map(({ urn }) => urn),
    usage: entities.map((each) => each.usage),
  };
}

/** What people see of a value: of a URN its key. */
function shownOf(value: string): string {
  return isUrn(value) ? urnKey(value) : value;
}
