import type { IntegrityProblem, ScrubbedAspect } from '../aspect/aspect-store.ts';
import { errorText } from '../errors/error-text.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Projections } from '../command/projection.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import { entriesVersion } from '../search-index/entries-version.ts';
import type { SearchableStore } from '../search-index/search-index.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { type DerivedEdge, derivedOf, edgesWithout, isSamePlacement } from './derived-of.ts';
import {
  createNameWordCheck,
  type EntrySum,
  type NameWordCheck,
  searchEntryProblems,
  sumProblems,
} from './search-entry-problems.ts';

export type Verification = {
  readonly aspectsRead: number;
  readonly entitiesRead: number;
  /** `unfinished`: the entries are yet to be made anew, as the next start does; then they were not compared. */
  readonly searchIndex: 'compared' | 'unfinished';
  readonly problems: readonly IntegrityProblem[];
};

/** More problems than anybody reads; the count goes on. */
const problemsListedMax = 1_000;

/**
 * Proves a store: every stored version matches its checksum and is JSON, everything derived equals what the aspects say
 * when it is derived again, the change log has no gap, and the store's own structures are sound.
 */
export async function verifyStore(
  store: SearchableStore,
  projections: Projections,
  onProgress: (aspectsRead: number) => void,
): Promise<Verification> {
  const problems: IntegrityProblem[] = [];
  const report = (problem: IntegrityProblem): void => {
    if (problems.length < problemsListedMax) problems.push(problem);
  };
  let aspectsRead = 0;
  let entitiesRead = 0;
  let group: ScrubbedAspect[] = [];
  const { version, done } = await store.search.progress().catch((error: unknown) => {
    report({ what: 'search index', where: 'progress', problem: `cannot be read: ${errorText(error)}` });
    return { version: entriesVersion, done: undefined };
  });
  const isOfThisVersion = version === entriesVersion;
  const compared: Compared | undefined =
    isOfThisVersion && done === undefined
      ? { sum: { entries: 0 }, nameWords: createNameWordCheck(store.search) }
      : undefined;

  async function endGroup(): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    entitiesRead += 1;
    try {
      for (const problem of await entityProblems(
        store,
        projections,
        first.urn,
        group,
        isOfThisVersion,
        compared,
      ))
        report(problem);
    } catch (error) {
      // Damage can keep its own traces from being read; the check names what it stumbled over and goes on.
      report({ what: 'entity', where: first.urn, problem: `cannot be read: ${errorText(error)}` });
    }
    group = [];
  }

  for await (const aspect of store.scrub()) {
    aspectsRead += 1;
    if (aspectsRead % 10_000 === 0) onProgress(aspectsRead);
    const where = `${aspect.urn} ${aspect.aspect} version ${aspect.version}`;
    if (!aspect.intact) report({ what: 'aspect', where, problem: 'does not match its checksum' });
    if (!aspect.latest) {
      await endGroup();
      continue;
    }
    if (group[0]?.urn !== aspect.urn) await endGroup();
    group.push(aspect);
  }
  await endGroup();
  for (const problem of (await compared?.nameWords.problems()) ?? []) report(problem);
  // What could not be compared cannot be counted either.
  if (compared !== undefined && problems.length === 0) {
    for (const problem of await sumProblems(store.search, compared.sum)) report(problem);
  }
  for (const problem of await store.integrityProblems()) report(problem);
  const searchIndex = compared === undefined ? 'unfinished' : 'compared';
  return { aspectsRead, entitiesRead, searchIndex, problems };
}

/** What entries are compared with. */
type Compared = {
  /** Of all expected entries. */
  readonly sum: EntrySum;
  readonly nameWords: NameWordCheck;
};

async function entityProblems(
  store: SearchableStore,
  projections: Projections,
  urn: Urn,
  aspects: readonly ScrubbedAspect[],
  /** Whether what is derived is what this version derives; else the next start makes it so. */
  isDerivedNow: boolean,
  /** `undefined` when entries are not to be compared. */
  compared: Compared | undefined,
): Promise<readonly IntegrityProblem[]> {
  const type = entityTypeOf(urnType(urn));
  if (type === undefined)
    return [{ what: 'entity', where: urn, problem: 'is of a type that the registry lacks' }];
  const bodies: Record<string, JsonObject> = {};
  const entries = new Map<string, SearchEntry>();
  const problems: IntegrityProblem[] = [];
  for (const { aspect, value } of aspects) {
    if (value === undefined) continue;
    try {
      bodies[aspect] = value.body;
    } catch {
      problems.push({ what: 'aspect', where: `${urn} ${aspect}`, problem: 'is not JSON' });
      continue;
    }
    const entry = projections.searchEntryOf(urn, aspect, value.body);
    if (entry !== undefined) entries.set(aspect, entry);
  }
  if (aspects.some((aspect) => !aspect.intact)) return problems;
  const stored = await store.projectionsOf(urn);
  const differ = (what: string, problem: string): number => problems.push({ what, where: urn, problem });
  if (isDerivedNow) {
    const expected = derivedOf(projections, type, urn, bodies);
    for (const edge of edgesWithout(expected.relationships, stored.relationships))
      differ('relationship', `lacks ${textOf(edge)}`);
    for (const edge of edgesWithout(stored.relationships, expected.relationships))
      differ('relationship', `has ${textOf(edge)}, which the aspect does not say`);
    for (const { name } of projections.fragments) {
      if (stored.fragments.get(name) !== expected.fragments.get(name))
        differ('fragment', `${name} differs from the aspects`);
    }
    if (!isSamePlacement(stored.placement, expected.placement))
      differ('placement', 'differs from the aspects');
  }
  if (compared !== undefined) {
    problems.push(...searchEntryProblems(urn, await store.searchEntriesOf(urn), entries));
    await compared.nameWords.add(urn, entries);
    compared.sum.entries += entries.size;
  }
  const exists = (await store.existing([urn])).has(urn);
  if (exists !== Object.hasOwn(bodies, type.keyAspect))
    differ('entity', 'exists without its key aspect, or the reverse');
  return problems;
}

function textOf({ aspect, kind, destination, path }: DerivedEdge): string {
  return `${kind} ${destination}${path === '' ? '' : ` of ${path}`} of ${aspect}`;
}
