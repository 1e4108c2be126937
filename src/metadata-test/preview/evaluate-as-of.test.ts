import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ingestProposals } from '../../ingest/ingest-proposals.ts';
import { openTestCatalogue } from '../../../test/catalogue.ts';
import { type ErrorCode, PostilError } from '../../errors/postil-error.ts';
import { requireEntityType } from '../../entity/entity-registry.ts';
import { parseUrn, type Urn, urnType } from '../../urn/urn.ts';
import { text } from '../definition.fixture.ts';
import { runDefinition } from '../run-tests.ts';
import { evaluateAsOf } from './evaluate-as-of.ts';
import { randomAspects, randomDefinition, randomOf, seedRandomly, termUrns } from './preview.fixture.ts';

it('verdicts as of a moment are those that an evaluation gave at that moment, for random changes (seed 11)', async () => {
  const random = randomOf(11);
  let now = 1_000_000;
  await using catalogue = await openTestCatalogue({ now: () => now });
  const urns = await seedRandomly(catalogue, random, 30);
  const late = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,late,PROD)');
  const definitions = Array.from({ length: 12 }, () => text(randomDefinition(random)));
  const all: readonly Urn[] = [...urns, late];
  const moments: { readonly time: number; readonly verdicts: ReadonlyMap<string, readonly string[]> }[] = [];
  for (let step = 0; step < 6; step += 1) {
    const verdicts = new Map<string, readonly string[]>();
    for (const json of definitions) {
      const existing = await catalogue.store.existing(all);
      const each: string[] = [];
      for (const urn of all) {
        each.push(
          existing.has(urn) ? (await runDefinition(catalogue.store, json, urn, now)).verdict : 'NONE',
        );
      }
      verdicts.set(json, each);
    }
    moments.push({ time: now, verdicts });
    now += 1_000;
    for (let change = 0; change < 10; change += 1) {
      const urn = all[random(all.length)] ?? late;
      if (random(5) === 0) {
        const aspect = requireEntityType(urnType(urn)).keyAspect;
        await catalogue.execute(ingestProposals, [{ urn, aspect, changeType: 'DELETE' }], catalogue.admin);
      } else await catalogue.seed(urn, randomAspects(random, urn.startsWith('urn:li:dataset')));
    }
    const term = termUrns[random(termUrns.length)] ?? '';
    await catalogue.seed(term, { glossaryTermInfo: { definition: 'x', termSource: 'INTERNAL' } });
  }
  for (const { time, verdicts } of moments) {
    for (const [json, expected] of verdicts) {
      const found = await evaluateAsOf(catalogue.store, { json, urns: all, time: time + 500 }, now);
      assert.deepEqual(
        found.verdicts.map(({ verdict }) => verdict),
        expected,
        json,
      );
    }
  }
});

it('what no version keeps, and moments to come, are refused as of a moment', async () => {
  await using catalogue = await openTestCatalogue();
  const urn = await catalogue.seed('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
  const now = Date.now();
  const refused = async (rules: object, time: number, code: ErrorCode, words: RegExp): Promise<void> => {
    const input = { json: text({ on: { types: ['dataset'] }, rules: [rules] }), urns: [urn], time };
    await assert.rejects(evaluateAsOf(catalogue.store, input, now), (error) => {
      assert.ok(error instanceof PostilError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, words);
      return true;
    });
  };
  const exists = { property: 'ownership.owners.owner', operator: 'exists' };
  await refused(exists, now + 1, 'BAD_REQUEST', /a moment that is over/);
  const observed = { property: '__lastObserved', operator: 'exists' };
  await refused(observed, now, 'BAD_REQUEST', /rules\/0: when an entity was last observed/);
  const downstream = { forEach: 'lineage.downstream', satisfies: exists };
  await refused(downstream, now, 'BAD_REQUEST', /in the past is not kept/);
});
