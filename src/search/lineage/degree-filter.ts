import { PostilError } from '../../errors/postil-error.ts';
import type { SearchCriterion, SearchFilter } from '../search-engine.ts';

/** One alternative of a filter: which degrees it is about, and what else has to hold. */
export type DegreeAlternative = {
  readonly hasDegree: (degree: number) => boolean;
  readonly criteria: readonly SearchCriterion[];
};

const farValue = '3+';
const degreeField = 'degree';

/**
 * Takes the field `degree` out of a filter: it is no field of entities, but how many steps away they are, "1", "2" and "3+" for
 * all others; other whole numbers mean themselves. Without a filter, there is one alternative, which is about everything.
 * Throws BAD_REQUEST for other values, and for conditions but EQUAL and IN.
 */
export function degreeAlternatives(filter: SearchFilter | undefined): readonly DegreeAlternative[] {
  if (filter === undefined || filter.length === 0) return [{ hasDegree: () => true, criteria: [] }];
  return filter.map((criteria) => {
    const tests = criteria.filter(({ field }) => field === degreeField).map(degreeTest);
    return {
      hasDegree: (degree) => tests.every((test) => test(degree)),
      criteria: criteria.filter(({ field }) => field !== degreeField),
    };
  });
}

/** How far an exploration has to go for some alternative: 1 or 2 steps, or to the end. */
export function degreeMaxOf(alternatives: readonly DegreeAlternative[]): number {
  const isNeeded = (degree: number): boolean => alternatives.some(({ hasDegree }) => hasDegree(degree));
  // Beyond two, a filter speaks of single degrees at most as far as this.
  for (let degree = degreeNamedMax; degree > 0; degree -= 1) {
    if (isNeeded(degree)) return degree === degreeNamedMax ? Infinity : degree;
  }
  return 0;
}

const degreeNamedMax = 1_000;

/** The value of the facet `degree`. */
export function degreeValue(degree: number): string {
  return degree < 3 ? String(degree) : farValue;
}

function degreeTest({ condition, values, negated }: SearchCriterion): (degree: number) => boolean {
  if (condition !== 'EQUAL' && condition !== 'IN') {
    throw new PostilError(
      'BAD_REQUEST',
      `The field degree is compared with EQUAL or IN, not with ${condition}.`,
    );
  }
  const exact = new Set<number>();
  for (const value of values) {
    if (value === farValue) continue;
    const degree = /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (degree === 0) {
      throw new PostilError(
        'BAD_REQUEST',
        `The field degree has the values 1, 2 and 3+, or a number below 1000, but not ${JSON.stringify(value)}.`,
      );
    }
    exact.add(degree);
  }
  const isFar = values.includes(farValue);
  return (degree) => (exact.has(degree) || (isFar && degree >= 3)) !== negated;
}
