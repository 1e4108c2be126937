import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import { postgresUnavailable, startPostgres } from '../../../test/postgres-server.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { openStore } from '../../storage/open-store.ts';
import type { Urn } from '../../urn/urn.ts';
import { type CompiledTest, compilePredicate, compileTest } from '../compile-test.ts';
import { definitionOf, text } from '../definition.fixture.ts';
import { evaluationBudget } from '../compile-test.ts';
import { runOn } from '../facts.ts';
import { loadFacts } from '../load-facts.ts';
import { subjectOf } from '../siblings.ts';
import type { Preview, PreviewGroup } from './preview.ts';
import { randomDefinition, randomOf, seedRandomly } from './preview.fixture.ts';
import { previewed } from './previewed.fixture.ts';

const seed = 20_261;
const now = Date.UTC(2026, 0, 1);

/** The same facts, found by asking the closure of each entity. */
type Counted = Pick<Preview, 'counts' | 'rules' | 'groups'> & { readonly verdicts: ReadonlyMap<Urn, string> };

async function countOneByOne(
  { store }: TestCatalogue,
  compiled: CompiledTest,
  urns: readonly Urn[],
): Promise<Counted> {
  const deciding = compiled.definition.rules.filter(({ severity }) => severity === 'error');
  const rules = deciding.map(({ id, pointer }) => ({ id, pointer, failing: 0, failingAlone: 0 }));
  const groups = { platforms: new Map(), domains: new Map(), owners: new Map() };
  const verdicts = new Map<Urn, string>();
  for (const urn of urns) {
    const facts = await loadFacts(store, urn, compiled.readSet);
    const entity = facts.get(urn);
    assert.ok(entity !== undefined);
    const { verdict } = compiled.evaluate(entity, facts, now);
    verdicts.set(urn, verdict);
    if (verdict === 'NONE') continue;
    const subject = subjectOf(compiled.definition, entity, facts, { budget: evaluationBudget });
    const failing = deciding.filter(
      ({ predicate }) => !compilePredicate(predicate)(subject, runOn(subject, facts, now, evaluationBudget)),
    );
    for (const rule of rules) {
      if (!failing.some(({ id }) => id === rule.id)) continue;
      rule.failing += 1;
      if (failing.length === 1) rule.failingAlone += 1;
    }
    const aspects = await store.read(urn, ['dataPlatformInstance', 'domains', 'ownership']);
    const body = (name: string): JsonObject => aspects.get(name)?.body ?? {};
    const owners = (body('ownership')['owners'] ?? []) as readonly { readonly owner: string }[];
    add(groups.platforms, [body('dataPlatformInstance')['platform'] as string], verdict);
    add(groups.domains, (body('domains')['domains'] ?? []) as readonly string[], verdict);
    add(
      groups.owners,
      owners.map(({ owner }) => owner),
      verdict,
    );
  }
  const count = (wanted: string): number => [...verdicts.values()].filter((each) => each === wanted).length;
  const [passing, failing] = [count('PASS'), count('FAIL')];
  return {
    counts: { inScope: passing + failing, passing, failing, exempt: 0, undecided: count('ERROR') },
    rules,
    groups: {
      platforms: sorted(groups.platforms),
      domains: sorted(groups.domains),
      owners: sorted(groups.owners),
    },
    verdicts,
  };
}

type Sums = Map<string | undefined, { passing: number; failing: number }>;

function add(sums: Sums, urns: readonly (string | undefined)[], verdict: string): void {
  for (const urn of urns.length === 0 ? [undefined] : urns) {
    const sum = sums.get(urn) ?? { passing: 0, failing: 0 };
    sums.set(urn, sum);
    if (verdict === 'PASS') sum.passing += 1;
    else sum.failing += 1;
  }
}

function sorted(sums: Sums): readonly PreviewGroup[] {
  return byUrn([...sums].map(([urn, sum]) => ({ urn, ...sum })));
}

const byUrn = (groups: readonly PreviewGroup[]): readonly PreviewGroup[] =>
  groups.toSorted((left, right) => ((left.urn ?? '') < (right.urn ?? '') ? -1 : 1));

const stores = [
  { name: 'SQLite', skip: false as const, definitions: 40, openStore: undefined },
  { name: 'PostgreSQL', skip: postgresUnavailable(), definitions: 10, openStore: startPostgres },
];

for (const { name, skip, definitions, openStore: startServer } of stores) {
  describe(`a preview on ${name}`, { skip }, () => {
    let catalogue: TestCatalogue;
    let urns: readonly Urn[] = [];
    const random = randomOf(seed);
    const stops: (() => Promise<void>)[] = [];
    before(async () => {
      const server = await startServer?.();
      if (server !== undefined) stops.push(server.stop);
      catalogue = await openTestCatalogue(server === undefined ? {} : { store: await openStore(server.url) });
      stops.unshift(() => catalogue.close());
      urns = await seedRandomly(catalogue, random, 150);
    });
    after(async () => {
      for (const stop of stops) await stop();
    });

    it(`counts what asking entity by entity counts, for random definitions (seed ${seed})`, async () => {
      await using preview = await previewed(catalogue);
      const plans = new Set<string>();
      for (let round = 0; round < definitions; round += 1) {
        const definition = randomDefinition(random);
        const compiled = compileTest(definitionOf(definition));
        const expected = await countOneByOne(catalogue, compiled, urns);
        const found = await preview({ json: text(definition) }, now);
        const about = `round ${round}: ${text(definition)}`;
        assert.deepEqual(found.counts, expected.counts, about);
        assert.deepEqual(found.rules, expected.rules, about);
        assert.deepEqual(byUrn(found.groups.platforms), expected.groups.platforms, about);
        assert.deepEqual(byUrn(found.groups.domains), expected.groups.domains, about);
        assert.deepEqual(byUrn(found.groups.owners), expected.groups.owners, about);
        assert.deepEqual([found.isComplete, found.notLookedAt, found.isOfOneMoment], [true, 0, true]);
        assertSamples(found, expected, about);
        plans.add(found.cost.plan);
        if (found.cost.plan !== 'CLOSURE')
          assert.deepEqual([found.cost.evaluated, found.cost.beyondRows], [0, []]);
      }
      assert.ok(plans.has('CLOSURE') && plans.has('SCAN'), [...plans].join());
    });

    it('says how it was found, and what rows cannot tell', async () => {
      await using preview = await previewed(catalogue);
      const tagged = {
        property: 'globalTags.tags.tag',
        operator: 'contains_any',
        values: ['urn:li:tag:tag0'],
      };
      const named = { property: 'urn', operator: 'contains_str', values: ['d1'] };
      const planOf = async (conditions: object, rule: object): Promise<readonly unknown[]> => {
        const definition = { on: { types: ['dataset'], conditions }, rules: [rule] };
        const { cost } = await preview({ json: text(definition), sampleSize: 0 }, now);
        return [cost.plan, cost.beyondRows, cost.evaluated > 0];
      };
      assert.deepEqual(await planOf([tagged], tagged), ['ANCHOR', [], false]);
      assert.deepEqual(await planOf([{ or: [tagged, { not: tagged }] }], tagged), ['SCAN', [], false]);
      assert.deepEqual(await planOf([], { and: [tagged, named] }), ['CLOSURE', ['/rules/0/and/1'], true]);
    });

    it('tells what changes against the verdicts of a stored definition', async () => {
      await using preview = await previewed(catalogue);
      for (let round = 0; round < 8; round += 1) {
        const [before, later] = [randomDefinition(random), randomDefinition(random)];
        const testUrn = await preview.save(`t${round}`, text(before));
        const was = (await countOneByOne(catalogue, compileTest(definitionOf(before)), urns)).verdicts;
        const is = (await countOneByOne(catalogue, compileTest(definitionOf(later)), urns)).verdicts;
        const { difference } = await preview({ json: text(later), testUrn }, now);
        assert.ok(difference !== undefined);
        const moved = (from: readonly string[], to: readonly string[]): readonly Urn[] =>
          urns.filter((urn) => from.includes(was.get(urn) ?? '') && to.includes(is.get(urn) ?? ''));
        for (const [move, expected] of [
          [difference.newlyFailing, moved(['PASS'], ['FAIL'])],
          [difference.newlyPassing, moved(['FAIL'], ['PASS'])],
          [difference.entering, moved(['NONE'], ['PASS', 'FAIL'])],
          [difference.leaving, moved(['PASS', 'FAIL'], ['NONE'])],
        ] as const) {
          assert.equal(move.count, expected.length);
          assert.equal(move.urns.length, Math.min(20, expected.length));
          assert.ok(move.urns.every((urn) => expected.includes(urn)));
        }
        const same = await preview({ testUrn }, now);
        assert.deepEqual(
          Object.values(same.difference ?? {}).map(({ count }) => count),
          [0, 0, 0, 0],
        );
      }
    });
  });
}

function assertSamples({ samples, counts }: Preview, { verdicts }: Counted, about: string): void {
  assert.equal(samples.failing.length, Math.min(20, counts.failing), about);
  assert.equal(samples.passing.length, Math.min(20, counts.passing), about);
  for (const [shown, verdict] of [
    [samples.failing, 'FAIL'],
    [samples.nearlyPassing, 'FAIL'],
    [samples.passing, 'PASS'],
  ] as const) {
    for (const each of shown) {
      assert.equal(each.verdict, verdict, about);
      assert.equal(verdicts.get(each.entity as Urn), verdict, about);
    }
  }
  for (const { rules } of samples.nearlyPassing) {
    assert.equal(rules.filter(({ severity }) => severity === 'error').length, 1, about);
  }
}
