import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { Aspect } from '../aspect/aspect.ts';
import { systemCaller } from '../auth/system-caller.ts';
import { isUrn, type Urn, urnType } from '../urn/urn.ts';
import type { VerdictReader } from '../verdict/verdict-store.ts';
import { keptVerdicts, type SettledVerdict } from './history/kept-verdicts.ts';
import { sinceOf } from './history/verdict-changes.ts';
import { freshVerdicts } from './keeping/fresh-verdicts.ts';
import { readTestStates, type TestState } from './keeping/test-state.ts';
import { resultEntriesOf } from './run-tests.ts';
import type { TestLibrary } from './test-library.ts';
import type { TestServices } from './test-services.ts';

export type OverlaySources = {
  readonly library: TestLibrary;
  /** Absent: verdicts are taken as they are. */
  readonly keeper?: TestServices['keeper'];
  readonly verdicts: Pick<
    VerdictReader,
    'numbersOf' | 'verdictsIn' | 'record' | 'records' | 'verdictChanges'
  >;
};

const resultTypes = { PASS: 'SUCCESS', FAIL: 'FAILURE' } as const;

/** Verdicts follow a write within seconds; what was stored longer ago than this, they know of. */
const followingMs = 60_000;

/**
 * The aspects `testResults` of entities as readers get them (decision 24): of tests whose verdicts are kept, the kept
 * verdict; entries of other tests as they were stored. Entities with neither are left out. Nothing is stored. Whoever has
 * just had results stored reads them back, although the verdicts follow a little later.
 */
export async function overlaidResults(
  { library, verdicts, keeper }: OverlaySources,
  stored: ReadonlyMap<Urn, Aspect | undefined>,
  now: number,
): Promise<ReadonlyMap<Urn, Aspect>> {
  await freshVerdicts(keeper);
  const types = new Set([...stored.keys()].map(urnType));
  const kept = await keptTests({ library, verdicts }, types);
  const byEntity = await keptVerdicts(verdicts, [...stored.keys()], [...kept.keys()]);
  const overlaid = new Map<Urn, Aspect>();
  for (const [urn, aspect] of stored) {
    const own = new Map(byEntity.get(urn) ?? []);
    const fresh = aspect === undefined || aspect.stamp.time + followingMs < now ? [] : storedWith(aspect);
    for (const { test, type, testDefinitionMd5 } of fresh) {
      const verdict = type === 'SUCCESS' ? 'PASS' : 'FAIL';
      const state = kept.get(test);
      if (state === undefined || own.get(test) === verdict || state.definitionMd5 !== testDefinitionMd5)
        continue;
      const number = (await verdicts.numbersOf([urn])).get(urn);
      const since = number === undefined ? undefined : await sinceOf(verdicts, test, number);
      if (since === undefined || since < (aspect?.stamp.time ?? 0)) own.set(test, verdict);
    }
    const results = kept.size === 0 ? aspect : laidOver(aspect, kept, own);
    if (results !== undefined) overlaid.set(urn, results);
  }
  return overlaid;
}

/** Tests for one of these types whose verdicts are kept, and all that cannot be read any more: theirs stay (3.2). */
async function keptTests(
  { library, verdicts }: OverlaySources,
  types: ReadonlySet<string>,
): Promise<ReadonlyMap<Urn, TestState>> {
  const kept = new Map<Urn, TestState>();
  const { tests, unreadable } = await library.shelves();
  const readable = [...tests.values()].filter(({ compiled }) =>
    compiled.definition.types.some((type) => types.has(type)),
  );
  const urns = [...readable.map(({ urn }) => urn), ...unreadable];
  if (urns.length === 0) return kept;
  const states = await readTestStates(verdicts);
  for (const urn of urns) {
    const state = states.get(urn);
    if (state?.isActive === true) kept.set(urn, state);
  }
  return kept;
}

/** Entries that were computed when the aspect was stored. */
function storedWith(aspect: Aspect): readonly {
  readonly test: Urn;
  readonly type: JsonValue | undefined;
  readonly testDefinitionMd5: JsonValue | undefined;
}[] {
  return [...resultEntriesOf(aspect.body).values()].flatMap(
    ({ test, type, testDefinitionMd5, lastComputed }) =>
      isUrn(test) && timeIn(lastComputed) >= aspect.stamp.time ? [{ test, type, testDefinitionMd5 }] : [],
  );
}

type Entry = JsonObject & { readonly test: string };

function laidOver(
  stored: Aspect | undefined,
  kept: ReadonlyMap<Urn, TestState>,
  own: ReadonlyMap<Urn, SettledVerdict>,
): Aspect | undefined {
  const before = resultEntriesOf(stored?.body);
  // Until the first evaluation of a test has ended, who has no verdict may only have to wait for one.
  const waiting = new Set<string>(
    [...kept].filter(([test, state]) => isFirst(state) && !own.has(test)).map(([test]) => test),
  );
  const decided = new Set<string>([...kept.keys()].filter((test) => !waiting.has(test)));
  const entries: Entry[] = [...before.values()].filter(({ test }) => !decided.has(test));
  for (const [test, verdict] of own) {
    const state = kept.get(test);
    if (state === undefined || verdict === 'EXEMPT') continue;
    entries.push(entryOf(test, resultTypes[verdict], state, before.get(test)));
  }
  if (stored === undefined && entries.length === 0) return undefined;
  const listOf = (type: 'SUCCESS' | 'FAILURE'): readonly Entry[] =>
    entries
      .filter((entry) => entry['type'] === type)
      .toSorted((left, right) => (left.test < right.test ? -1 : 1));
  const body = { failing: listOf('FAILURE'), passing: listOf('SUCCESS') };
  return new Aspect(
    'testResults',
    stored?.version ?? 0,
    JSON.stringify(body),
    stored?.stamp ?? { time: latestOf(kept.values()), actor: systemCaller.actor },
    stored?.systemText ?? null,
    body,
  );
}

function isFirst({ revision, completedAt }: TestState): boolean {
  return revision <= 1 && completedAt === null;
}

/** What was stored later than the verdicts were last confirmed says the same with a better time. */
function entryOf(test: Urn, type: 'SUCCESS' | 'FAILURE', state: TestState, before: Entry | undefined): Entry {
  const time = timeOf(state);
  const { definitionMd5: testDefinitionMd5 } = state;
  const isSame = before?.['type'] === type && before['testDefinitionMd5'] === testDefinitionMd5;
  if (isSame && timeIn(before['lastComputed']) > time) return before;
  return { test, type, testDefinitionMd5, lastComputed: { time, actor: systemCaller.actor } };
}

function timeIn(stamp: JsonValue | undefined): number {
  return isJsonObject(stamp) && typeof stamp['time'] === 'number' ? stamp['time'] : 0;
}

function timeOf({ startedAt, completedAt, confirmedAt }: TestState): number {
  return Math.max(confirmedAt ?? 0, completedAt ?? 0, startedAt);
}

function latestOf(states: Iterable<TestState>): number {
  let latest = 0;
  for (const state of states) latest = Math.max(latest, timeOf(state));
  return latest;
}
