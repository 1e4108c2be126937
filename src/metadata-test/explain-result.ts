import type { AspectReader } from '../aspect/aspect-store.ts';
import { isJsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { VerdictReader } from '../verdict/verdict-store.ts';
import type { Verdict } from './compile-test.ts';
import type { Exemption } from './exemption/exemption.ts';
import type { CanSee } from './explain-predicate.ts';
import { explainTest } from './explain-test.ts';
import type { Explanation } from './explanation.ts';
import { entityVerdict } from './history/entity-verdict.ts';
import { graceMsOf, pendingOf, type ResultEntity } from './history/result-entities.ts';
import { factsFor, resultEntriesOf } from './run-tests.ts';
import type { LibraryTest } from './test-library.ts';

type KeptReader = Pick<VerdictReader, 'numbersOf' | 'verdictsIn' | 'verdictChanges'>;

/** An explanation of a stored test. */
export type ExplainedResult = Omit<Explanation, 'exemption'> & {
  readonly test: Urn;
  /** Of the definition that was explained. */
  readonly definitionMd5: string;
  /** Since when it has this verdict, in milliseconds since the Unix epoch; `undefined` when it is not kept or stored. */
  readonly since: number | undefined;
  /** Of EXEMPT: what excuses it. */
  readonly exemption?: Exemption;
} & Pick<ResultEntity, 'pending' | 'pendingUntil'>;

/**
 * Explains what a stored test says about an entity, as of now; nothing is stored. `verdicts` tells since when. Throws ENTITY_NOT_FOUND for an entity or a
 * test that does not exist, BAD_REQUEST for types that are not tested.
 */
export async function explainResult(
  reader: Pick<AspectReader, 'readMany' | 'existing' | 'relationships'>,
  tests: ReadonlyMap<Urn, LibraryTest>,
  input: { readonly urn: Urn; readonly test: Urn },
  now: number,
  verdicts?: KeptReader,
  canSee?: CanSee,
): Promise<ExplainedResult> {
  const test = tests.get(input.test);
  if (test === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${input.test} that can be evaluated.`);
  }
  const { entity, facts } = await factsFor(reader, test.compiled, input.urn);
  const { exemption: excusedBy, ...explanation } = explainTest(test.compiled, entity, facts, now, canSee);
  const exemption = test.exemptions.find(({ id }) => id === excusedBy);
  const kept = verdicts === undefined ? undefined : await entityVerdict(verdicts, input.test, input.urn);
  const since =
    kept?.verdict === explanation.verdict && kept.since !== null
      ? kept.since
      : await storedSince(reader, input, explanation.verdict);
  const graceMs = explanation.verdict === 'FAIL' ? graceMsOf(test.compiled.definition) : 0;
  return {
    ...explanation,
    test: input.test,
    definitionMd5: test.definitionMd5,
    since,
    ...pendingOf(since ?? null, graceMs, now),
    ...(exemption === undefined ? {} : { exemption }),
  };
}

const storedTypes = { PASS: 'SUCCESS', FAIL: 'FAILURE', NONE: null, EXEMPT: null, ERROR: null } as const;

async function storedSince(
  reader: Pick<AspectReader, 'readMany'>,
  { urn, test }: { readonly urn: Urn; readonly test: Urn },
  verdict: Verdict,
): Promise<number | undefined> {
  const stored = (await reader.readMany([urn], ['testResults'])).get(urn);
  const entry = resultEntriesOf(stored?.get('testResults')?.body).get(test);
  const stamp = entry?.['type'] === storedTypes[verdict] ? entry?.['lastComputed'] : undefined;
  return isJsonObject(stamp) && typeof stamp['time'] === 'number' ? stamp['time'] : undefined;
}
