import { Aspect } from '../../aspect/aspect.ts';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RowPredicate } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { evaluationBudget } from '../compile-test.ts';
import { type EntityTest, type FactSource, type LoadedEntity, type LoadedFacts, runOn } from '../facts.ts';
import { loadFactsBehind } from '../load-facts.ts';
import type { Predicate } from '../predicate.ts';
import { type ReadSet, readSetOf } from '../read-set.ts';
import { columnAspectsOf } from './column-profile.ts';
import { listSources } from './list-sources.ts';
import { all, anyOf, either, unknown } from './row-answers.ts';

/** The texts of a list column with their numbers, as the store has them. */
export type Dictionary = readonly { readonly id: number; readonly text: string }[];

/** Texts of one column beyond which a node about them is left to the closures. */
export const maxTexts = 50_000;

/** Texts whose facts are loaded together. */
const batchSize = 500;

/** The texts of a column as entities that have nothing else, with the facts that one node asks about them. */
export type TextJudge = {
  readonly column: ListColumn;
  readonly ids: readonly number[];
  /** The row has a text for which the closure answers true; unknown where it cannot decide. */
  readonly anyWhere: (test: EntityTest) => RowPredicate;
  /** What the closure answers for each text, in the order of `ids`; `undefined` where it cannot decide. */
  readonly each: <T>(test: (entity: LoadedEntity, facts: LoadedFacts) => T) => readonly (T | undefined)[];
};

type JudgedText = { readonly entity: LoadedEntity; readonly facts: LoadedFacts };

/**
 * Prepares judging the texts of a column by what a predicate asks. `undefined` when it asks about other entities and there is
 * no source, or when there are more texts than `maxTexts`.
 */
export async function judgeOf(
  column: ListColumn,
  entities: readonly LoadedEntity[],
  ids: readonly number[],
  predicate: Predicate,
  source: FactSource | undefined,
): Promise<TextJudge | undefined> {
  if (entities.length > maxTexts) return undefined;
  const judged = await withFacts(entities, readSetOf([predicate]), source);
  if (judged === undefined) return undefined;
  const each = <T>(test: (entity: LoadedEntity, facts: LoadedFacts) => T): readonly (T | undefined)[] =>
    judged.map(({ entity, facts }) => decided(() => test(entity, facts)));
  return {
    column,
    ids,
    each,
    anyWhere(test) {
      const answers = each((entity, facts) => test(entity, runOn(entity, facts, 0, evaluationBudget)));
      const holding = ids.filter((_, index) => answers[index] === true);
      const undecided = ids.filter((_, index) => answers[index] === undefined);
      return either(anyOf(column, holding, ids), all(anyOf(column, undecided, ids), unknown));
    },
  };
}

/** What `test` answers; `undefined` when it takes more steps than a test may take. */
export function decided<T>(test: () => T): T | undefined {
  try {
    return test();
  } catch (error) {
    if (error instanceof PostilError) return undefined;
    throw error;
  }
}

async function withFacts(
  entities: readonly LoadedEntity[],
  readSet: ReadSet,
  source: FactSource | undefined,
): Promise<readonly JudgedText[] | undefined> {
  const nothing: LoadedFacts = new Map();
  if (readSet.hops.size === 0 && readSet.climbs.size === 0) {
    return entities.map((entity) => ({ entity, facts: nothing }));
  }
  if (source === undefined) return undefined;
  const judged: JudgedText[] = [];
  for (let start = 0; start < entities.length; start += batchSize) {
    const batch = entities.slice(start, start + batchSize);
    const facts = await loadFactsBehind(source, batch, readSet);
    for (const entity of batch) judged.push({ entity, facts });
  }
  return judged;
}

const stamp = { time: 0, actor: '' };

/** An entity of the type that exists and has these aspects. */
export function entityWith(
  type: string,
  name: string | undefined,
  aspects: readonly { readonly name: string; readonly body: JsonObject }[],
): LoadedEntity {
  return {
    urn: name ?? '',
    type,
    aspects: new Map(
      aspects.map((each) => [each.name, new Aspect(each.name, 1, '', stamp, null, each.body)]),
    ),
    exists: true,
    removed: false,
  };
}

/** The texts of a column as entities of the type, in their order. */
export function entitiesOf(
  column: ListColumn,
  type: string,
  dictionary: Dictionary,
): readonly LoadedEntity[] {
  const source = listSources.find((each) => each.column === column);
  return dictionary.map(({ id, text }) => {
    const kept = JSON.parse(text) as JsonValue;
    const aspects =
      source === undefined ? columnAspectsOf(kept) : [{ name: source.aspect, body: source.bodyOf(kept) }];
    return entityWith(type, `${column} ${id}`, aspects);
  });
}
