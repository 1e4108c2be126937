import { termsOf } from '../aspect/search-entry.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { combinedSeparator, type SearchField, searchFieldNamed } from '../search-index/search-fields.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { folded, isShortBeginning, nameWordTerm, wholeNameTerm } from '../search-index/search-terms.ts';
import type { CatalogueStore } from '../storage/catalogue-store.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { readQueryText } from './query-text.ts';
import type { SearchCriterion, SearchScope, SearchSort } from './search-engine.ts';

/** An entity as it is found: everything follows from its aspects alone. */
type PlainEntity = {
  readonly urn: Urn;
  readonly terms: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, readonly string[]>;
};

/** Searches by going through all aspects of all entities: slow, and too simple to be wrong. */
export class PlainSearch {
  readonly entities: readonly PlainEntity[];

  constructor(entities: readonly PlainEntity[]) {
    this.entities = entities;
  }

  static async over(store: CatalogueStore, types: readonly string[]): Promise<PlainSearch> {
    const entities: PlainEntity[] = [];
    for (const type of types) {
      const { items } = await store.entities({ type, start: 0, count: 100_000 });
      for (const [urn, aspects] of await store.readMany(items)) {
        if (!aspects.has(requireEntityType(type).keyAspect)) continue;
        const terms = new Set<string>();
        const fields = new Map<string, string[]>();
        for (const [name, { body }] of aspects) {
          const entry = searchEntryOf(urn, name, body);
          for (const term of entry === undefined ? [] : termsOf(entry)) terms.add(term);
          for (const [field, values] of Object.entries(entry?.fields ?? {})) {
            fields.set(field, [...new Set([...(fields.get(field) ?? []), ...values])]);
          }
        }
        entities.push({ urn, terms, fields });
      }
    }
    return new PlainSearch(entities);
  }

  find(scope: SearchScope): readonly PlainEntity[] {
    return this.entities.filter((entity) => {
      if (scope.types !== undefined && !scope.types.includes(urnType(entity.urn))) return false;
      const isHidden =
        scope.includeSoftDeleted !== true && entity.fields.get('removed')?.includes('true') === true;
      if (!bearsText(entity, scope.text)) return false;
      const filter = scope.filter ?? [];
      if (filter.length === 0) return !isHidden;
      return filter.some(
        (all) =>
          (!isHidden || all.some(({ field }) => field === 'removed')) &&
          all.every((criterion) => this.meets(entity, criterion) !== criterion.negated),
      );
    });
  }

  meets(entity: PlainEntity, { field: asked, condition, values }: SearchCriterion): boolean {
    const field = fieldNamed(asked);
    if (condition !== 'EXISTS' && values.length === 0) return false;
    const fields = [field, ...(field.alsoFilters ?? []).map(fieldNamed)];
    const own = fields.flatMap((each) => valuesOf(entity, each));
    const wanted =
      condition === 'DESCENDANTS_INCL'
        ? values.flatMap((value) => this.below(value))
        : condition === 'ANCESTORS_INCL'
          ? values.flatMap((value) => this.above(value))
          : values;
    return own.some((value) => {
      if (condition === 'EXISTS') return true;
      if (asked === '_entityType' && (condition === 'EQUAL' || condition === 'IN' || condition === 'IEQUAL'))
        return wanted.some((each) => each.replaceAll('_', '').toLowerCase() === value.toLowerCase());
      return wanted.some((each) => holds(value, condition, each));
    });
  }

  counts(found: readonly PlainEntity[], asked: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const entity of found) {
      const type = urnType(entity.urn);
      const values =
        asked === `_entityType${combinedSeparator}typeNames`
          ? [type, ...(entity.fields.get('typeNames') ?? []).map((each) => type + combinedSeparator + each)]
          : valuesOf(entity, fieldNamed(asked));
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }

  /** By the least value of each field (descending: the greatest), who has none last; then by number. */
  sorted(
    found: readonly PlainEntity[],
    sort: readonly SearchSort[],
    numbers: ReadonlyMap<Urn, number>,
  ): readonly PlainEntity[] {
    return found.toSorted((one, other) => {
      for (const { field: asked, descending } of sort) {
        const field = fieldNamed(asked);
        const [left, right] = [one, other].map((each) => {
          const values = valuesOf(each, field).map((value) => (asked === 'name' ? folded(value) : value));
          return values.toSorted().at(descending ? -1 : 0);
        });
        if (left === right) continue;
        if (left === undefined) return 1;
        if (right === undefined) return -1;
        return left < right === descending ? 1 : -1;
      }
      return (numbers.get(one.urn) ?? 0) - (numbers.get(other.urn) ?? 0);
    });
  }

  private below(start: string): string[] {
    const found = [start];
    for (const parent of found) {
      for (const { urn, fields } of this.entities) {
        if (parentsIn(urn, fields).includes(parent) && !found.includes(urn)) found.push(urn);
      }
    }
    return found;
  }

  private above(start: string): string[] {
    const found = [start];
    for (const child of found) {
      const entity = this.entities.find(({ urn }) => urn === child);
      for (const parent of entity === undefined ? [] : parentsIn(entity.urn, entity.fields)) {
        if (!found.includes(parent)) found.push(parent);
      }
    }
    return found;
  }
}

/** The class of an entity that is found by a text: 0 is the best. */
export function classOf({ terms }: PlainEntity, text: string): number {
  const question = readQueryText(text);
  if (question.kind === 'everything') return 0;
  const wholeName = wholeNameTerm(question.text);
  if (terms.has(wholeName)) return 0;
  if (hasPrefix(terms, wholeName)) return 1;
  const { words, isLastPrefix } = question;
  const hasAll = words.every((word, place) =>
    bears(terms, nameWordTerm(word), isLastPrefix && place === words.length - 1),
  );
  return hasAll ? 2 : 3;
}

function bearsText({ terms }: PlainEntity, text: string): boolean {
  const question = readQueryText(text);
  if (question.kind === 'everything') return true;
  const { words, isLastPrefix } = question;
  if (words.length === 0) return false;
  return words.every((word, place) => {
    const isPrefix = isLastPrefix && place === words.length - 1;
    if (!isPrefix || !isShortBeginning(word)) return bears(terms, word, isPrefix);
    return terms.has(word) || hasPrefix(terms, nameWordTerm(word));
  });
}

function bears(terms: ReadonlySet<string>, term: string, isPrefix: boolean): boolean {
  return isPrefix ? hasPrefix(terms, term) : terms.has(term);
}

function hasPrefix(terms: ReadonlySet<string>, prefix: string): boolean {
  return [...terms].some((term) => term.startsWith(prefix));
}

function valuesOf({ urn, fields }: PlainEntity, field: SearchField): readonly string[] {
  if (field.name === 'urn') return [urn];
  if (field.name === '_entityType') return [urnType(urn)];
  const own = fields.get(field.name) ?? [];
  if (own.length > 0) return own;
  if (field.orElse !== undefined) return fields.get(field.orElse) ?? [];
  if (field.absentTypes !== undefined && !field.absentTypes.has(urnType(urn))) return [];
  return field.absent === undefined ? [] : [field.absent];
}

function parentsIn(urn: Urn, fields: PlainEntity['fields']): readonly string[] {
  const type = urnType(urn);
  if (type === 'domain') return fields.get('parentDomain') ?? [];
  return type.startsWith('glossary') ? (fields.get('parentNode') ?? []) : [];
}

function holds(value: string, condition: SearchCriterion['condition'], wanted: string): boolean {
  const [own, other] = [value.toLowerCase(), wanted.toLowerCase()];
  switch (condition) {
    case 'IEQUAL':
      return own === other;
    case 'CONTAIN':
      return own.includes(other);
    case 'START_WITH':
      return own.startsWith(other);
    case 'END_WITH':
      return own.endsWith(other);
    case 'GREATER_THAN':
      return value > wanted;
    case 'LESS_THAN_OR_EQUAL_TO':
      return value <= wanted;
    default:
      return value === wanted;
  }
}

function fieldNamed(asked: string): SearchField {
  const field = searchFieldNamed(asked);
  if (field === undefined) throw new Error(`There is no field ${asked}`);
  return field;
}
