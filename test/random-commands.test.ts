import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../src/aspect/json.ts';
import { isJsonObject, jsonEqual } from '../src/aspect/json.ts';
import type { Command } from '../src/command/command.ts';
import { columnsFragment } from '../src/dataset/columns-fragment.ts';
import { keyBodyOf, requireEntityType } from '../src/entity/entity-registry.ts';
import { deleteGlossaryEntity } from '../src/glossary/delete-glossary-entity.ts';
import { ingestProposals } from '../src/ingest/ingest-proposals.ts';
import type { Proposal } from '../src/ingest/proposal.ts';
import { verifyStore } from '../src/integrity/verify-store.ts';
import { addTerms } from '../src/term/add-terms.ts';
import { parseUrn, urnType, type Urn } from '../src/urn/urn.ts';
import { openTestCatalogue, type TestCatalogue } from './catalogue.ts';
import { schemaOf } from './sample-metadata.ts';

const terms = ['a', 'b', 'c'].map((name) => parseUrn(`urn:li:glossaryTerm:${name}`));
const nodes = ['m', 'n'].map((name) => parseUrn(`urn:li:glossaryNode:${name}`));
const datasets = ['x', 'y'].map((name) => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`));
const containers = ['p', 'q'].map((name) => parseUrn(`urn:li:container:${name}`));
const world: readonly Urn[] = [...terms, ...nodes, ...datasets, ...containers];

const stamp = { time: 0, actor: 'urn:li:corpuser:x' };
const name = fc.constantFrom('A', 'B');
const manyTerms = fc.array(fc.constantFrom(...terms), { maxLength: 3 });
const association = manyTerms.map((urns) => ({ terms: urns.map((urn) => ({ urn })), auditStamp: stamp }));
const column = fc.record(
  {
    fieldPath: fc.constantFrom('f', '[version=2.0].[type=int].g'),
    description: name,
    glossaryTerms: association,
  },
  { requiredKeys: ['fieldPath'] },
);
const columns = fc.uniqueArray(column, { selector: ({ fieldPath }) => fieldPath });
const optional = <T>(value: fc.Arbitrary<T>, member: string): fc.Arbitrary<JsonObject> =>
  fc
    .option(value, { nil: undefined })
    .map((given) => (given === undefined ? {} : { [member]: given as JsonValue }));

/** What may be written of each type of entity. */
const bodies: { readonly [type: string]: { readonly [aspect: string]: fc.Arbitrary<JsonObject> } } = {
  glossaryTerm: {
    glossaryTermInfo: fc
      .tuple(optional(name, 'name'), optional(fc.constantFrom(...nodes), 'parentNode'))
      .map(([named, placed]) => ({ definition: '', termSource: 'INTERNAL', ...named, ...placed })),
    glossaryRelatedTerms: fc.record({ isRelatedTerms: manyTerms, values: manyTerms }),
  },
  glossaryNode: {
    glossaryNodeInfo: fc
      .tuple(optional(name, 'name'), optional(fc.constantFrom(...nodes), 'parentNode'))
      .map(([named, placed]) => ({ definition: '', ...named, ...placed })),
  },
  dataset: {
    glossaryTerms: association,
    datasetProperties: fc.record({ description: name, customProperties: fc.constantFrom({}, { a: '1.0' }) }),
    schemaMetadata: columns.map(schemaOf),
    editableSchemaMetadata: columns.map((all) => ({ editableSchemaFieldInfo: all })),
    container: fc.record({ container: fc.constantFrom(...containers) }),
  },
  container: {
    containerProperties: fc.record({ name }),
    container: fc.record({ container: fc.constantFrom(...containers) }),
  },
};

const keyOf = (urn: Urn): string => requireEntityType(urnType(urn)).keyAspect;

const upsert = fc.constantFrom(...world).chain((urn): fc.Arbitrary<Proposal> => {
  const aspects = Object.entries(bodies[urnType(urn)] ?? {});
  return fc
    .constantFrom(...aspects)
    .chain(([aspect, body]) =>
      body.map((each): Proposal => ({ urn, aspect, changeType: 'UPSERT', body: each })),
    );
});
const deletion = fc.constantFrom(...world).chain((urn): fc.Arbitrary<Proposal> => {
  const aspects = [keyOf(urn), ...Object.keys(bodies[urnType(urn)] ?? {})];
  return fc.constantFrom(...aspects).map((aspect): Proposal => ({ urn, aspect, changeType: 'DELETE' }));
});
const proposal = fc.oneof({ weight: 3, arbitrary: upsert }, { weight: 1, arbitrary: deletion });

type Step =
  | { readonly kind: 'ingest'; readonly proposals: readonly Proposal[]; readonly isBad: boolean }
  | { readonly kind: 'delete'; readonly urn: Urn }
  | { readonly kind: 'add'; readonly urn: Urn; readonly term: Urn; readonly column: string | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('ingest' as const),
      proposals: fc.array(proposal, { minLength: 1, maxLength: 6 }),
      isBad: fc.integer({ max: 9, min: 0 }).map((number) => number === 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), urn: fc.constantFrom(...terms, ...nodes) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      urn: fc.constantFrom(...datasets),
      term: fc.constantFrom(...terms),
      column: fc.constantFrom(null, 'f', 'g'),
    }),
  },
);

/** The aspects of the world, each with its version; versions outlive what they count. */
class Model {
  readonly bodies = new Map<Urn, Map<string, JsonObject>>();
  readonly versions = new Map<string, number>();
  changes = 0;

  /** Applies one command's proposals, in their order. */
  apply(proposals: readonly Proposal[]): void {
    const before = new Map([...this.bodies].map(([urn, aspects]) => [urn, new Map(aspects)]));
    const gone = new Set<Urn>();
    for (const { urn, aspect, changeType, body } of proposals) {
      const aspects = this.bodies.get(urn) ?? new Map<string, JsonObject>();
      if (changeType !== 'DELETE') {
        if (!aspects.has(keyOf(urn)) && urnType(urn) === 'dataset') {
          aspects.set('dataPlatformInstance', { platform: 'urn:li:dataPlatform:hive' });
        }
        this.bodies.set(urn, aspects.set(keyOf(urn), keyBodyOf(urn)).set(aspect, body ?? {}));
        gone.delete(urn);
      } else if (aspect === keyOf(urn)) {
        this.bodies.delete(urn);
        gone.add(urn);
      } else aspects.delete(aspect);
    }
    for (const urn of gone) if (urnType(urn).startsWith('glossary')) this.#detach(urn);
    for (const urn of world) this.#count(urn, before.get(urn));
  }

  #detach(gone: Urn): void {
    for (const aspects of this.bodies.values()) {
      for (const [aspect, body] of aspects) {
        const rest = withoutUrn(body, gone);
        if (aspect !== keyOf(gone) && isJsonObject(rest)) aspects.set(aspect, rest);
      }
    }
  }

  #count(urn: Urn, before: ReadonlyMap<string, JsonObject> | undefined): void {
    const after = this.bodies.get(urn);
    for (const aspect of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      if (jsonEqual(before?.get(aspect), after?.get(aspect))) continue;
      const key = `${urn} ${aspect}`;
      this.versions.set(key, (this.versions.get(key) ?? 0) + 1);
      this.changes += 1;
    }
  }
}

/** Elements of lists that are the URN or bear it, and members that are it, taken out. */
function withoutUrn(value: JsonValue, gone: Urn): JsonValue {
  if (Array.isArray(value)) {
    return value
      .filter((each: JsonValue) => each !== gone && !(isJsonObject(each) && each['urn'] === gone))
      .map((each: JsonValue) => withoutUrn(each, gone));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]) =>
      inner === undefined || inner === gone ? [] : [[member, withoutUrn(inner, gone)]],
    ),
  );
}

/** A command whose last write cannot be stored, so that nothing of it may be. */
const badTail: Proposal = {
  urn: datasets[0] ?? parseUrn('urn:li:tag:x'),
  aspect: 'glossaryTerms',
  changeType: 'UPSERT',
  body: { terms: 'none' },
};

/** Runs the steps in one group, as far as that goes, and keeps the model in step. */
async function runGroup(catalogue: TestCatalogue, model: Model, steps: readonly Step[]): Promise<void> {
  const modelled = steps.filter((each) => each.kind !== 'add');
  const outcomes = await Promise.allSettled(modelled.map((each) => run(catalogue, each)));
  for (const [index, each] of modelled.entries()) {
    const outcome = outcomes[index];
    if (each.kind === 'ingest') {
      assert.equal(outcome?.status, each.isBad ? 'rejected' : 'fulfilled', JSON.stringify(outcome));
      if (!each.isBad) model.apply(each.proposals);
    } else {
      const exists = model.bodies.has(each.urn);
      assert.equal(outcome?.status, exists ? 'fulfilled' : 'rejected');
      if (exists) model.apply([{ urn: each.urn, aspect: keyOf(each.urn), changeType: 'DELETE' }]);
    }
  }
  await equalToModel(catalogue, model);
  // What people write on top is not modelled: whatever it stores is the model from here on.
  const added = steps.filter((each) => each.kind === 'add');
  await Promise.allSettled(added.map((each) => run(catalogue, each)));
  await resynchronise(catalogue, model);
}

async function run(catalogue: TestCatalogue, each: Step): Promise<unknown> {
  const execute = <Input>(command: Command<Input, unknown>, input: Input): Promise<unknown> =>
    catalogue.execute(command, input, catalogue.admin);
  if (each.kind === 'delete') return execute(deleteGlossaryEntity, { urn: each.urn });
  if (each.kind === 'ingest')
    return execute(ingestProposals, each.isBad ? [...each.proposals, badTail] : each.proposals);
  const target = { resourceUrn: each.urn, termUrns: [each.term] };
  if (each.column === null) return execute(addTerms, target);
  return execute(addTerms, { ...target, subResourceType: 'DATASET_FIELD', subResource: each.column });
}

async function equalToModel({ store }: TestCatalogue, model: Model): Promise<void> {
  for (const urn of world) {
    const stored = await store.read(urn);
    const expected = model.bodies.get(urn) ?? new Map<string, JsonObject>();
    assert.deepEqual([...stored.keys()].sort(), [...expected.keys()].sort(), urn);
    for (const [aspect, { body, version }] of stored) {
      assert.deepEqual(body, JSON.parse(JSON.stringify(expected.get(aspect))), `${urn} ${aspect}`);
      assert.equal(version, model.versions.get(`${urn} ${aspect}`), `version of ${urn} ${aspect}`);
    }
  }
  assert.equal(await store.lastSequence(), model.changes, 'one entry in the log for each change');
}

async function resynchronise({ store }: TestCatalogue, model: Model): Promise<void> {
  for (const urn of world) {
    const stored = await store.read(urn);
    if (stored.size === 0) continue;
    model.bodies.set(urn, new Map([...stored].map(([aspect, { body }]) => [aspect, body])));
    for (const [aspect, { version }] of stored) model.versions.set(`${urn} ${aspect}`, version);
  }
  model.changes = await store.lastSequence();
}

test('after any sequence of commands the store is what a model says, and everything derived is what the aspects say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (groups) => {
        await using catalogue = await openTestCatalogue({ fragments: [columnsFragment] });
        const model = new Model();
        for (const group of groups) await runGroup(catalogue, model, group);
        const { problems } = await verifyStore(catalogue.store, catalogue.projections, () => {});
        assert.deepEqual(problems, []);
      },
    ),
    { numRuns: 30 },
  );
});
