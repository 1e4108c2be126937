import { jsonEqual } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { type CompiledTest, compileTest, evaluationBudget, type Verdict } from './compile-test.ts';
import { compileExplainer } from './explain-predicate.ts';
import type { ExplainedNode } from './explanation.ts';
import { explainTest } from './explain-test.ts';
import { type LoadedEntity, type LoadedFacts, runOn } from './facts.ts';
import { loadFacts } from './load-facts.ts';
import { type Predicate, predicatesOf, type TestDefinition } from './predicate.ts';
import { type HistoryReader, readerAsOf } from './reader-as-of.ts';
import { subjectOf } from './siblings.ts';
import { readTestDefinition } from './test-definition.ts';

/** What a test said of an entity at one point in time. */
export type TestMoment = {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly verdict: Verdict;
  readonly why: string;
};

/** A leaf, or a `forEach` as a whole, of which the outcome or the values changed. */
export type ChangedNode = {
  /** JSON pointer into the later definition. */
  readonly pointer: string;
  /** Whether it held; `undefined` where it could not be decided. */
  readonly before: NodeState;
  readonly after: NodeState;
  /** What was written between the two points in time, of what it looks at. */
  readonly writes: readonly AspectWriteBetween[];
};

export type NodeState = {
  readonly outcome: boolean | undefined;
  /** Of a leaf its values, of a `forEach` the elements that decide; at most five of them. */
  readonly observed: readonly string[];
  readonly observedCount: number;
};

export type AspectWriteBetween = {
  readonly entity: string;
  readonly aspect: string;
  /** 0: there was none, or there is none. */
  readonly versionBefore: number;
  readonly versionAfter: number;
  /** Who wrote the later version, and when; `undefined` when the aspect was removed. */
  readonly changedBy: string | undefined;
  readonly changedAt: number | undefined;
};

export type TestChange = {
  readonly entity: string;
  readonly test: Urn;
  readonly from: TestMoment;
  readonly to: TestMoment;
  /** Whether the definition is another one; nodes are compared by the later one. */
  readonly definitionChanged: boolean;
  readonly nodes: readonly ChangedNode[];
};

type View = { readonly entity: LoadedEntity; readonly facts: LoadedFacts; readonly time: number };

type Moment = { readonly compiled: CompiledTest; readonly text: string; readonly view: View };

/**
 * Explains why a stored test says something else of an entity at one time than at another: the leaves whose outcome or
 * values changed, and who wrote what they look at (metadata-tests specification 3.9, explain diff). Exemptions are left aside.
 * Throws ENTITY_NOT_FOUND when the entity or the test did not exist at one of them, BAD_REQUEST for times in the wrong order,
 * LIMIT_EXCEEDED when the past cannot be found out.
 */
export async function explainChange(
  reader: HistoryReader,
  input: { readonly urn: Urn; readonly test: Urn; readonly from: number; readonly to: number },
  canSee: (urn: string) => boolean,
): Promise<TestChange> {
  if (!(input.from < input.to)) {
    throw new PostilError('BAD_REQUEST', 'The first of the two points in time has to be the earlier one.');
  }
  const after = await momentOf(reader, input, input.to);
  const before = await momentOf(reader, input, input.from);
  const definitionChanged = before.text !== after.text;
  const { definition } = after.compiled;
  // What the later definition looks at may be something else.
  const then = definitionChanged ? await viewAt(reader, input.urn, after.compiled, input.from) : before.view;
  const nodes = predicatesOf(definition).flatMap((predicate) =>
    decisiveNodes(predicate).flatMap((node) => changedNode(node, definition, then, after.view, canSee)),
  );
  return {
    entity: input.urn,
    test: input.test,
    from: momentIn(before, canSee),
    to: momentIn(after, canSee),
    definitionChanged,
    nodes,
  };
}

async function momentOf(
  reader: HistoryReader,
  { urn, test }: { readonly urn: Urn; readonly test: Urn },
  time: number,
): Promise<Moment> {
  const source = readerAsOf(reader, time);
  const when = new Date(time).toISOString();
  const info = (await source.readMany([test], ['testInfo'])).get(test)?.get('testInfo')?.body;
  const stored = info?.['definition'];
  const text = typeof stored === 'object' && stored !== null && 'json' in stored ? stored['json'] : undefined;
  const read = typeof text === 'string' ? readTestDefinition(text) : undefined;
  if (typeof text !== 'string' || read?.valid !== true) {
    throw new PostilError('ENTITY_NOT_FOUND', `There was no test ${test} that can be evaluated at ${when}.`);
  }
  const compiled = compileTest(read.definition);
  return { compiled, text, view: await viewAt(reader, urn, compiled, time) };
}

async function viewAt(
  reader: HistoryReader,
  urn: Urn,
  { readSet }: CompiledTest,
  time: number,
): Promise<View> {
  const source = readerAsOf(reader, time);
  const entity = (await source.existing([urn])).has(urn);
  const facts = entity ? await loadFacts(source, urn, readSet) : undefined;
  const found = facts?.get(urn);
  if (facts === undefined || found === undefined) {
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `There was no entity ${urn} at ${new Date(time).toISOString()}.`,
    );
  }
  return { entity: found, facts, time };
}

function momentIn(
  { compiled, view: { entity, facts, time } }: Moment,
  canSee: (urn: string) => boolean,
): TestMoment {
  const { verdict, why } = explainTest(compiled, entity, facts, time, canSee);
  return { time, verdict, why };
}

/** Leaves, and `forEach` without what is inside them: elements come and go. */
function decisiveNodes(predicate: Predicate): readonly Predicate[] {
  if (predicate.kind === 'Leaf' || predicate.kind === 'ForEach') return [predicate];
  return predicate.operands.flatMap(decisiveNodes);
}

type Seen = { readonly state: NodeState; readonly looked: ReadonlyMap<string, Version> };
type Version = {
  readonly entity: string;
  readonly aspect: string;
  readonly version: number;
  readonly actor: string;
  readonly time: number;
};

function changedNode(
  node: Predicate,
  definition: TestDefinition,
  before: View,
  after: View,
  canSee: (urn: string) => boolean,
): readonly ChangedNode[] {
  const [then, now] = [seenAt(node, before, definition, canSee), seenAt(node, after, definition, canSee)];
  if (jsonEqual({ ...then.state }, { ...now.state })) return [];
  const keys = [...new Set([...then.looked.keys(), ...now.looked.keys()])];
  const writes = keys.flatMap((key): readonly AspectWriteBetween[] => {
    const [old, current] = [then.looked.get(key), now.looked.get(key)];
    const known = current ?? old;
    if (known === undefined || old?.version === current?.version) return [];
    return [
      {
        entity: known.entity,
        aspect: known.aspect,
        versionBefore: old?.version ?? 0,
        versionAfter: current?.version ?? 0,
        changedBy: current?.actor,
        changedAt: current?.time,
      },
    ];
  });
  return [{ pointer: node.pointer, before: then.state, after: now.state, writes }];
}

function seenAt(
  node: Predicate,
  { entity, facts, time }: View,
  definition: TestDefinition,
  canSee: (urn: string) => boolean,
): Seen {
  const looked = new Map<string, Version>();
  try {
    const run = runOn(entity, facts, time, evaluationBudget);
    const subject = subjectOf(definition, entity, facts, run);
    const look = (found: LoadedEntity, name: string): void => {
      for (const holder of found.siblings ?? [found]) {
        const aspect = holder.aspects.get(name);
        if (aspect === undefined || !canSee(holder.urn)) continue;
        const { version, stamp } = aspect;
        const written = { entity: holder.urn, aspect: name, version, actor: stamp.actor, time: stamp.time };
        looked.set(`${holder.urn} ${name}`, written);
      }
    };
    const own = subject === entity ? run : runOn(subject, facts, time, run.budget);
    return { state: stateOf(compileExplainer(node)(subject, own, look, canSee)), looked };
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    return { state: { outcome: undefined, observed: [], observedCount: 0 }, looked };
  }
}

function stateOf({ outcome, leaf, elements }: ExplainedNode): NodeState {
  const observed = leaf?.observed ?? elements?.shown.map(({ element }) => element) ?? [];
  return { outcome, observed, observedCount: leaf?.observedCount ?? elements?.deciding ?? 0 };
}
