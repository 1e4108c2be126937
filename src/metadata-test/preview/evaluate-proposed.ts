import type { AspectReader } from '../../aspect/aspect-store.ts';
import { Aspect, type EntityAspects } from '../../aspect/aspect.ts';
import {
  isJsonObject,
  isNestedDeeper,
  jsonDepthMax,
  type JsonObject,
  type JsonValue,
} from '../../aspect/json.ts';
import { checkedText } from '../../command/plan-changes.ts';
import { defaultAspectsOf } from '../../entity/default-aspects.ts';
import {
  type EntityType,
  keyBodyOf,
  requireAspect,
  requireEntityType,
} from '../../entity/entity-registry.ts';
import { normaliseAspect } from '../../entity/normalise-aspect.ts';
import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { isUrn, type Urn, urnType } from '../../urn/urn.ts';
import type { Verdict } from '../compile-test.ts';
import { explainTest } from '../explain-test.ts';
import type { Explanation } from '../explanation.ts';
import type { FactSource, LoadedFacts } from '../facts.ts';
import { loadFacts } from '../load-facts.ts';
import { isTestable } from '../property-catalogue.ts';
import { emptyReadSet, mergeReadSet } from '../read-set.ts';
import type { LibraryTest } from '../test-library.ts';
import { proposedFacts } from './proposed-facts.ts';

/** Aspects that one question may propose. */
const aspectsMax = 100;

export type ProposedAspect = {
  readonly aspectName: string;
  /** The body as JSON text, whole: what is left out is no longer there. */
  readonly json: string;
};

export type ProposedInput = { readonly urn: Urn; readonly aspects: readonly ProposedAspect[] };

/** Who asks: the author of the proposed aspects, and what explanations may show. */
export type Proposer = { readonly actor: string; canSee(urn: Urn): boolean };

/** What a test would say of the entity. */
export type ProposedVerdict = {
  readonly test: Urn;
  /** As of now; NONE for an entity that does not exist. */
  readonly before: Verdict;
  /** What the verdict would be, and why. */
  readonly explanation: Explanation;
};

export type ProposedEvaluation = {
  readonly entity: Urn;
  /** Whether the entity is stored now. */
  readonly exists: boolean;
  /** No test fails. */
  readonly passes: boolean;
  /** Tests that would fail and do not fail now. */
  readonly newlyFailing: readonly Urn[];
  /** Tests that would pass and do not pass now. */
  readonly newlyPassing: readonly Urn[];
  /** Every active test that applies, now or then, by test URN. */
  readonly results: readonly ProposedVerdict[];
};

/**
 * Says what all active tests would say of an entity if these aspects were stored (metadata-tests specification 3.11): they
 * are checked as those of a proposal are, and nothing is stored. The entity need not exist yet. Throws BAD_REQUEST for types
 * that are not tested and for bodies that are no JSON, UNKNOWN_ASPECT, INVALID_ASPECT, LIMIT_EXCEEDED.
 */
export async function evaluateProposed(
  reader: Pick<AspectReader, 'readMany' | 'existing' | 'relationships'>,
  tests: ReadonlyMap<Urn, LibraryTest>,
  { urn, aspects }: ProposedInput,
  caller: Proposer,
  now: number,
): Promise<ProposedEvaluation> {
  const type = requireEntityType(urnType(urn));
  if (!isTestable(type.name)) {
    throw new PostilError('BAD_REQUEST', `Entities of type ${type.name} are not tested (${urn}).`);
  }
  if (aspects.length > aspectsMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `${aspects.length} aspects were proposed; ${aspectsMax} are the limit.`,
    );
  }
  const bodies = bodiesOf(type, urn, aspects);
  const exists = (await reader.existing([urn])).has(urn);
  const stored = (await reader.readMany([urn], [...bodies.keys()])).get(urn) ?? new Map<string, Aspect>();
  const proposed = proposedAspects(type, urn, bodies, exists ? stored : undefined, {
    time: now,
    actor: caller.actor,
  });
  const candidates = [...tests.values()]
    .filter(({ compiled, isActive }) => isActive && compiled.definition.types.includes(type.name))
    .toSorted((left, right) => (left.urn < right.urn ? -1 : 1));
  const before = exists ? await factsOf(reader, urn, candidates) : undefined;
  const after = await factsOf(proposedFacts(reader, urn, proposed), urn, candidates);
  const sees = (text: string): boolean => !isUrn(text) || caller.canSee(text);
  const results = candidates.flatMap(({ urn: test, compiled }): readonly ProposedVerdict[] => {
    const entity = after.get(urn);
    const earlier = before?.get(urn);
    if (entity === undefined) return [];
    const verdict =
      before === undefined || earlier === undefined
        ? 'NONE'
        : compiled.evaluate(earlier, before, now).verdict;
    const explanation = explainTest(compiled, entity, after, now, sees);
    if (verdict === 'NONE' && explanation.verdict === 'NONE') return [];
    return [{ test, before: verdict, explanation }];
  });
  const becoming = (wanted: Verdict): readonly Urn[] =>
    results
      .filter((result) => result.explanation.verdict === wanted && result.before !== wanted)
      .map(({ test }) => test);
  return {
    entity: urn,
    exists,
    passes: results.every(({ explanation }) => explanation.verdict !== 'FAIL'),
    newlyFailing: becoming('FAIL'),
    newlyPassing: becoming('PASS'),
    results,
  };
}

function bodiesOf(
  type: EntityType,
  urn: Urn,
  aspects: readonly ProposedAspect[],
): ReadonlyMap<string, JsonObject> {
  const bodies = new Map<string, JsonObject>();
  for (const { aspectName, json } of aspects) {
    requireAspect(type.name, aspectName);
    let value: JsonValue;
    try {
      value = JSON.parse(json) as JsonValue;
    } catch (error) {
      const why = errorText(error);
      throw new PostilError('BAD_REQUEST', `The aspect ${aspectName} of ${urn} is not valid JSON: ${why}`);
    }
    // Before anything walks through it level by level.
    if (isNestedDeeper(value)) {
      const what = `The aspect ${aspectName} of ${urn}`;
      throw new PostilError('INVALID_ASPECT', `${what} is nested more than ${jsonDepthMax} levels deep`);
    }
    const body = normaliseAspect(aspectName, value);
    if (!isJsonObject(body)) {
      throw new PostilError('INVALID_ASPECT', `The aspect ${aspectName} of ${urn} must be a JSON object`);
    }
    checkedText(urn, aspectName, body, json);
    // A key that a client sends is replaced by the one that the URN says, as it is when it is stored.
    if (aspectName !== type.keyAspect) bodies.set(aspectName, body);
  }
  return bodies;
}

/** The proposed aspects, and of an entity that is new what it has from the beginning. */
function proposedAspects(
  type: EntityType,
  urn: Urn,
  bodies: ReadonlyMap<string, JsonObject>,
  stored: EntityAspects | undefined,
  stamp: Aspect['stamp'],
): EntityAspects {
  const all = new Map<string, JsonObject>();
  if (stored === undefined) {
    all.set(type.keyAspect, keyBodyOf(urn));
    for (const [name, body] of defaultAspectsOf(type, urn)) all.set(name, body);
  }
  for (const [name, body] of bodies) all.set(name, body);
  return new Map(
    [...all].map(([name, body]) => {
      const version = (stored?.get(name)?.version ?? 0) + 1;
      return [name, new Aspect(name, version, JSON.stringify(body), stamp, null, body)];
    }),
  );
}

async function factsOf(source: FactSource, urn: Urn, tests: readonly LibraryTest[]): Promise<LoadedFacts> {
  const readSet = emptyReadSet();
  for (const { compiled } of tests) mergeReadSet(readSet, compiled.readSet);
  return loadFacts(source, urn, readSet);
}
