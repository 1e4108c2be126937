import type { AspectReader } from '../aspect/aspect-store.ts';
import { isJsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { Exemption } from './exemption/exemption.ts';
import { explainTest } from './explain-test.ts';
import type { Explanation } from './explanation.ts';
import { factsFor, resultEntriesOf } from './run-tests.ts';
import type { LibraryTest } from './test-library.ts';

/** An explanation of a stored test. */
export type ExplainedResult = Omit<Explanation, 'exemption'> & {
  readonly test: Urn;
  /** Of the definition that was explained. */
  readonly definitionMd5: string;
  /** Since when this verdict is stored, in milliseconds since the Unix epoch; `undefined` when it is not stored. */
  readonly since: number | undefined;
  /** Of EXEMPT: what excuses it. */
  readonly exemption?: Exemption;
};

/**
 * Explains what a stored test says about an entity, as of now; nothing is stored. Throws ENTITY_NOT_FOUND for an entity or a
 * test that does not exist, BAD_REQUEST for types that are not tested.
 */
export async function explainResult(
  reader: Pick<AspectReader, 'readMany' | 'existing' | 'relationships'>,
  tests: ReadonlyMap<Urn, LibraryTest>,
  input: { readonly urn: Urn; readonly test: Urn },
  now: number,
): Promise<ExplainedResult> {
  const test = tests.get(input.test);
  if (test === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${input.test} that can be evaluated.`);
  }
  const { entity, facts } = await factsFor(reader, test.compiled, input.urn);
  const { exemption: excusedBy, ...explanation } = explainTest(test.compiled, entity, facts, now);
  const exemption = test.exemptions.find(({ id }) => id === excusedBy);
  const stored = (await reader.readMany([input.urn], ['testResults'])).get(input.urn);
  const entry = resultEntriesOf(stored?.get('testResults')?.body).get(input.test);
  const isCurrent = entry?.['type'] === storedTypes[explanation.verdict];
  const stamp = isCurrent ? entry?.['lastComputed'] : undefined;
  const since = isJsonObject(stamp) && typeof stamp['time'] === 'number' ? stamp['time'] : undefined;
  return {
    ...explanation,
    test: input.test,
    definitionMd5: test.definitionMd5,
    since,
    ...(exemption === undefined ? {} : { exemption }),
  };
}

const storedTypes = { PASS: 'SUCCESS', FAIL: 'FAILURE', NONE: null, EXEMPT: null, ERROR: null } as const;
