import type { FactSource } from '../facts.ts';
import type { Urn } from '../../urn/urn.ts';
import { runTests } from '../run-tests.ts';
import type { LibraryTest } from '../test-library.ts';
import { levelOf, type TestLevel, testLevels, weightOf } from './score-keys.ts';

export type EntityScore = {
  /** The share of the weights of tests that pass among those that pass or fail, 0 to 1; null when there are none. */
  readonly score: number | null;
  readonly passing: number;
  readonly failing: number;
  readonly exempt: number;
  /** Tests that could not decide. */
  readonly undecided: number;
  /** The highest level that is reached; null for none. */
  readonly level: TestLevel | null;
  readonly levels: readonly LevelProgress[];
};

export type LevelProgress = {
  readonly level: TestLevel;
  /** Tests of this level that apply, and those of them that pass or are excused. */
  readonly applicable: number;
  readonly satisfied: number;
  /** Some test of the level applies, and those of it and of all levels below pass or are excused. */
  readonly isReached: boolean;
};

/**
 * The score of an entity over all active tests, evaluated as of now; nothing is stored. Throws ENTITY_NOT_FOUND, BAD_REQUEST
 * for types that are not tested.
 */
export async function entityScore(
  reader: FactSource,
  tests: ReadonlyMap<Urn, LibraryTest>,
  urn: Urn,
  now: number,
): Promise<EntityScore> {
  const outcome = (await runTests(reader, tests, { urns: [urn], testUrns: undefined }, now)).get(urn);
  const { passing = [], failing = [], exempt = [], errors = [] } = outcome ?? {};
  const weight = (urns: readonly Urn[]): number => {
    let sum = 0;
    for (const test of urns) {
      const definition = tests.get(test)?.compiled.definition;
      if (definition !== undefined) sum += weightOf(definition);
    }
    return sum;
  };
  const undecided = errors.map((error) => error.urn);
  const counted = weight(passing) + weight(failing);
  const levels = levelsOf(tests, [...passing, ...exempt], [...failing, ...undecided]);
  return {
    score: counted === 0 ? null : weight(passing) / counted,
    passing: passing.length,
    failing: failing.length,
    exempt: exempt.length,
    undecided: undecided.length,
    level: levels.findLast(({ isReached }) => isReached)?.level ?? null,
    levels,
  };
}

function levelsOf(
  tests: ReadonlyMap<Urn, LibraryTest>,
  satisfied: readonly Urn[],
  unsatisfied: readonly Urn[],
): readonly LevelProgress[] {
  const countAt = (urns: readonly Urn[], level: TestLevel): number =>
    urns.filter((urn) => {
      const definition = tests.get(urn)?.compiled.definition;
      return definition !== undefined && levelOf(definition) === level;
    }).length;
  let isOpen = true;
  return testLevels.map((level) => {
    const met = countAt(satisfied, level);
    const missed = countAt(unsatisfied, level);
    isOpen &&= missed === 0;
    return { level, applicable: met + missed, satisfied: met, isReached: isOpen && met > 0 };
  });
}
