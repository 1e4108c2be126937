import type { FactSource } from '../facts.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { compilePredicate, evaluationBudget } from '../compile-test.ts';
import { runOn } from '../facts.ts';
import { loadFacts } from '../load-facts.ts';
import type { Predicate } from '../predicate.ts';
import { mergeReadSet, emptyReadSet, readSetOf } from '../read-set.ts';
import type { LibraryTest } from '../test-library.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Exemption } from './exemption.ts';
import { readFilter } from './read-filter.ts';

export type ExemptionOf = { readonly test: Urn; readonly exemption: Exemption };

/**
 * The exemptions of all tests that name the entity, or whose filter selects it; in whatever state. A filter that cannot be
 * read, or takes more steps than a test may take, selects nothing. One read for all filters.
 */
export async function exemptionsOfEntity(
  source: FactSource,
  tests: ReadonlyMap<Urn, LibraryTest>,
  urn: Urn,
  now: number,
): Promise<readonly ExemptionOf[]> {
  const found: ExemptionOf[] = [];
  const filtered: (ExemptionOf & { readonly predicate: Predicate })[] = [];
  for (const { urn: test, compiled, exemptions } of tests.values()) {
    const { types } = compiled.definition;
    if (!types.includes(urnType(urn))) continue;
    for (const exemption of exemptions) {
      if (exemption.entity === urn) found.push({ test, exemption });
      const predicate = exemption.entity === undefined ? filterOf(exemption, types) : undefined;
      if (predicate !== undefined) filtered.push({ test, exemption, predicate });
    }
  }
  if (filtered.length === 0) return found;
  const readSet = emptyReadSet();
  mergeReadSet(readSet, readSetOf(filtered.map(({ predicate }) => predicate)));
  const facts = await loadFacts(source, urn, readSet);
  const entity = facts.get(urn);
  if (entity === undefined) return found;
  for (const { test, exemption, predicate } of filtered) {
    const run = runOn(entity, facts, now, evaluationBudget);
    if (attempt(() => compilePredicate(predicate)(entity, run)) === true) found.push({ test, exemption });
  }
  return found;
}

/** Read once as long as the library keeps the exemption; it belongs to one test as it is. */
const filters = new WeakMap<Exemption, Predicate | null>();

function filterOf(exemption: Exemption, types: readonly string[]): Predicate | undefined {
  const { filter } = exemption;
  if (filter === undefined) return undefined;
  let predicate = filters.get(exemption);
  if (predicate === undefined) {
    predicate = attempt(() => readFilter(filter, types)) ?? null;
    filters.set(exemption, predicate);
  }
  return predicate ?? undefined;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PostilError) return undefined;
    throw error;
  }
}
