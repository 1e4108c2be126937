import type { AspectReader } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { Urn } from '../../urn/urn.ts';
import { definitionMd5 } from '../canonical-text.ts';
import { sequenceAt } from '../changed-entities.ts';
import { compileTest, type Verdict } from '../compile-test.ts';
import type { FactSource } from '../facts.ts';
import { leavesOf, predicatesOf, type TestDefinition } from '../predicate.ts';
import { readerAsOf } from '../reader-as-of.ts';
import { readTests } from '../test-entity.ts';
import { requireValidDefinition } from '../require-valid.ts';
import { decideEntities } from './decide-entities.ts';

/** Entities that one question may name. */
const entitiesMax = 1_000;

export type AsOfInput = {
  /** The JSON text of the definition; without it, that of the test as it is now. */
  readonly json?: string;
  readonly testUrn?: Urn;
  readonly urns: readonly Urn[];
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
};

/** What a definition says of one entity: then and now. NONE for an entity that was not there. */
export type AsOfVerdict = { readonly entity: Urn; readonly verdict: Verdict; readonly verdictNow: Verdict };

export type AsOfEvaluation = {
  readonly definitionMd5: string;
  readonly time: number;
  /** The last change that counts. */
  readonly sequence: number;
  /** In the order of the question, each entity once. */
  readonly verdicts: readonly AsOfVerdict[];
};

/**
 * Evaluates a definition as it is now against entities as they were at a moment, and, to compare, as they are (metadata-tests
 * specification 3.11); nothing is stored. Exemptions do not count. Throws INVALID_TEST_DEFINITION, ENTITY_NOT_FOUND for an
 * unknown test, LIMIT_EXCEEDED for too many entities or too much that changed since then, BAD_REQUEST for moments to come
 * and for what no version keeps.
 */
export async function evaluateAsOf(
  reader: AspectReader,
  input: AsOfInput,
  now: number,
): Promise<AsOfEvaluation> {
  const urns = [...new Set(input.urns)];
  if (urns.length > entitiesMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `${urns.length} entities were named; ${entitiesMax} are the limit.`,
    );
  }
  if (!Number.isSafeInteger(input.time) || input.time < 0 || input.time > now) {
    throw new PostilError(
      'BAD_REQUEST',
      `'time' is a moment that is over, in milliseconds, not ${input.time}.`,
    );
  }
  const text = await textOf(reader, input);
  const definition = requireValidDefinition(text);
  requireVersioned(definition);
  // What happened in that millisecond counts.
  const sequence = await sequenceAt(reader, input.time + 1, await reader.lastSequence());
  const past = { ...readerAsOf(reader, input.time), relationships: refuseEdges };
  const then = await verdictsOf(past, definition, urns, input.time);
  const today = await verdictsOf(reader, definition, urns, now);
  return {
    definitionMd5: definitionMd5(text),
    time: input.time,
    sequence,
    verdicts: urns.map((entity) => ({
      entity,
      verdict: then.get(entity) ?? 'NONE',
      verdictNow: today.get(entity) ?? 'NONE',
    })),
  };
}

async function textOf(reader: AspectReader, { json, testUrn }: AsOfInput): Promise<string> {
  if (json !== undefined) return json;
  const saved = (await readTests(reader)).find(({ urn }) => urn === testUrn);
  if (saved !== undefined) return saved.json ?? '';
  if (testUrn !== undefined) throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${testUrn}.`);
  throw new PostilError('BAD_REQUEST', 'Nothing to evaluate: send a definition, or name a stored test.');
}

/** Edges in the other direction are kept of the present only. */
function refuseEdges(): Promise<never> {
  const message = 'Which entities referred to one in the past is not kept, and the test asks for it.';
  return Promise.reject(new PostilError('BAD_REQUEST', message));
}

/** When something was last observed is kept without a version. */
function requireVersioned(definition: TestDefinition): void {
  for (const { path, pointer } of predicatesOf(definition).flatMap((each) => [...leavesOf(each)])) {
    if (!path.steps.some((step) => step.kind === 'Virtual' && step.name === '__lastObserved')) continue;
    throw new PostilError(
      'BAD_REQUEST',
      `${pointer}: when an entity was last observed is known of the present only.`,
    );
  }
}

async function verdictsOf(
  source: FactSource,
  definition: TestDefinition,
  urns: readonly Urn[],
  time: number,
): Promise<ReadonlyMap<Urn, Verdict>> {
  const existing = await source.existing(urns);
  const verdicts = new Map<Urn, Verdict>();
  const stored = urns.filter((urn) => existing.has(urn));
  for await (const { urn, verdict } of decideEntities(source, compileTest(definition), stored, time)) {
    verdicts.set(urn, verdict);
  }
  return verdicts;
}
