import { usuallySearchedTypes } from './searched-types.ts';
import { canSee } from '../auth/can-see.ts';
import type { Caller } from '../auth/caller.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import {
  isShortBeginning,
  nameWordQuery,
  wholeNameBeginning,
  wholeNameTerm,
} from '../search-index/search-terms.ts';
import { isUrn, parseUrn } from '../urn/urn.ts';
import { checkFilter, type FilterEvaluation } from './filter-evaluation.ts';
import type { IndexedEntities } from './indexed-entities.ts';
import { nameClasses, nameClassOf } from './name-classes.ts';
import {
  addNumber,
  bothOf,
  emptyNumberSet,
  hasNumber,
  keepNumbers,
  type NumberSet,
  numberSetOf,
  numbersIn,
  putNumbers,
  sizeOfNumbers,
  takeNumbers,
  withRoomFor,
} from './number-set.ts';
import { readQueryText, type TextQuestion } from './query-text.ts';
import type { SearchScope } from './search-engine.ts';
import type { TermSets } from './term-sets.ts';
import type { WordBags } from './word-bags.ts';

/** So few are told apart by their names, which ranking needs anyway; of more it is asked who bears the terms of the name. */
const toldByNamesMax = 250;
/** A list that takes longer to come, in milliseconds, is long. */
const longListMs = 5;
const none = emptyNumberSet(0);

type WordsAsked = TextQuestion & { readonly kind: 'words' };

/** Everything that a question finds. */
export type Found = {
  readonly numbers: NumberSet;
  readonly question: TextQuestion;
  /** The same in classes of which every entity is in one, the best first (decision 26). */
  classes(): Promise<readonly NumberSet[]>;
  /** How many entities bear each word of the question. */
  readonly frequencies: readonly number[];
};

/** Finds what a scope asks for. Throws BAD_REQUEST for texts that are too long and for filters that cannot be read. */
export type Finder = {
  find(scope: SearchScope, caller: Caller): Promise<Found>;
  /** The same without regard to the text. */
  within(scope: SearchScope, caller: Caller): Promise<NumberSet>;
};

export function createFinder(sources: {
  readonly index: Pick<SearchIndex, 'numbersOf'>;
  readonly entities: IndexedEntities;
  readonly terms: TermSets;
  readonly filters: FilterEvaluation;
  readonly bags: WordBags;
  /** So many of a class are ordered by relevance. */
  readonly rankedMax: number;
  catchUp(): Promise<void>;
}): Finder {
  const { index, entities, terms, filters, bags, rankedMax, catchUp } = sources;

  function visibleTypes(types: readonly string[] | undefined, caller: Caller): readonly string[] {
    return (types ?? usuallySearchedTypes()).filter((type) => canSee(caller, parseUrn(`urn:li:${type}:any`)));
  }

  /** What may be found at all, before the filter and the text. */
  async function searched(scope: SearchScope, caller: Caller): Promise<NumberSet> {
    const numbers = entities.ofTypes(visibleTypes(scope.types, caller));
    if (scope.among !== undefined) {
      const known = await index.numbersOf(scope.among);
      keepNumbers(numbers, numberSetOf([...known.values()], entities.bound));
    }
    return numbers;
  }

  /** Those of them that meet the filter, the soft-deleted ones only where they are asked for. */
  const filtered = (scope: SearchScope, numbers: NumberSet): Promise<NumberSet> =>
    filters.matching(
      scope.filter ?? [],
      numbers,
      scope.includeSoftDeleted === true ? emptyNumberSet(0) : entities.removed(),
    );

  /** The one of these entities whose URN the text is: whoever pastes a URN looks for what it names. */
  async function namedBy(text: string, among: NumberSet): Promise<NumberSet> {
    if (!isUrn(text)) return emptyNumberSet(entities.bound);
    const known = await index.numbersOf([text]);
    return bothOf(numberSetOf([...known.values()], entities.bound), among);
  }

  const bearers = ({ words, isLastPrefix }: WordsAsked): Promise<NumberSet[]> =>
    Promise.all(
      words.map((word, place) => {
        const isPrefix = isLastPrefix && place === words.length - 1;
        return isPrefix && isShortBeginning(word)
          ? bearersOfShort(word)
          : terms.bearers({ term: word, isPrefix });
      }),
    );

  /** Of a word of few letters: so begin words of nearly all texts, but only those of names are looked for. */
  async function bearersOfShort(word: string): Promise<NumberSet> {
    const [whole, inNames] = await Promise.all([
      terms.bearers({ term: word, isPrefix: false }),
      terms.bearers(nameWordQuery(word, true)),
    ]);
    const either = withRoomFor(whole.slice(), inNames.length * 32);
    putNumbers(either, inNames);
    return either;
  }

  /** Which names have the words, or are the text, or begin so: in this order the name, the beginning, each word. */
  const namesOf = ({ text, words, isLastPrefix }: WordsAsked): Promise<NumberSet[]> =>
    Promise.all([
      terms.bearers({ term: wholeNameTerm(text), isPrefix: false }),
      terms.bearers(wholeNameBeginning(text)),
      ...words.map((word, place) =>
        terms.bearers(nameWordQuery(word, isLastPrefix && place === words.length - 1)),
      ),
    ]);

  /** The bearers of the words. Where they are so many that it takes long, names will be asked for next: that begins already. */
  async function withNamesMeanwhile(question: WordsAsked): Promise<NumberSet[]> {
    // Whoever needs them asks for them again, and is told what fails.
    const timer = setTimeout(() => void namesOf(question).catch(() => undefined), longListMs);
    try {
      return await bearers(question);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async within(scope, caller) {
      checkFilter(scope.filter ?? []);
      await catchUp();
      return filtered(scope, await searched(scope, caller));
    },
    async find(scope, caller) {
      const question = readQueryText(scope.text);
      checkFilter(scope.filter ?? []);
      await catchUp();
      const numbers = await searched(scope, caller);
      if (question.kind === 'everything') {
        const found = await filtered(scope, numbers);
        return { numbers: found, question, classes: async () => [found], frequencies: [] };
      }
      if (question.words.length === 0) numbers.fill(0);
      const named = await namedBy(question.text, numbers);
      const sets = await withNamesMeanwhile(question);
      for (const set of sets) keepNumbers(numbers, set);
      putNumbers(numbers, named);
      const found = await filtered(scope, numbers);
      return {
        numbers: found,
        question,
        classes: () => classesOf(found, named, question),
        frequencies: sets.map(sizeOfNumbers),
      };
    },
  };

  /** Exactly this name, names that begin with it, names with all of the words, all others. */
  async function classesOf(
    found: NumberSet,
    named: NumberSet,
    question: WordsAsked,
  ): Promise<readonly NumberSet[]> {
    const size = sizeOfNumbers(found);
    if (size < 2) return [found];
    return size <= Math.min(toldByNamesMax, rankedMax)
      ? classesByNames(found, named, question)
      : classesByTerms(found, named, question);
  }

  async function classesByNames(
    found: NumberSet,
    named: NumberSet,
    question: WordsAsked,
  ): Promise<readonly NumberSet[]> {
    const classes = Object.values(nameClasses).map(() => emptyNumberSet(found.length * 32));
    const numbers = numbersIn(found);
    const known = await bags.of([...numbers]);
    for (const number of numbers) {
      const isNamed = hasNumber(named, number);
      const place = isNamed ? nameClasses.exact : nameClassOf(known.get(number)?.names ?? [], question);
      const members = classes[place];
      if (members !== undefined) addNumber(members, number);
    }
    return classes;
  }

  async function classesByTerms(
    found: NumberSet,
    named: NumberSet,
    question: WordsAsked,
  ): Promise<readonly NumberSet[]> {
    const [exact = none, begins = none, ...inName] = await namesOf(question);
    const hasAllWords = found.slice();
    for (const set of inName) keepNumbers(hasAllWords, set);
    const best = exact.slice();
    putNumbers(best, named);
    const classes: NumberSet[] = [];
    const rest = found.slice();
    for (const set of [best, begins, hasAllWords]) {
      const members = bothOf(rest, set);
      takeNumbers(rest, members);
      classes.push(members);
    }
    return [...classes, rest];
  }
}
