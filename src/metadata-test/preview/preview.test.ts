import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { text } from '../definition.fixture.ts';
import { createTestExemption } from '../exemption/change-exemptions.ts';
import type { PreviewInput } from './preview.ts';
import { admitPreview } from './preview-admission.ts';
import { previewed, type Previewer } from './previewed.fixture.ts';

const now = Date.now();
const dataset = (name: string): Urn => parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`);
const on = { types: ['dataset'] };
const hasOwner = { id: 'owned', property: 'ownership.owners.owner', operator: 'exists' };
const hasTag = { id: 'tagged', property: 'globalTags.tags.tag', operator: 'exists' };
/** Rows do not have it. */
const hasTeam = {
  id: 'team',
  property: 'datasetProperties.customProperties',
  operator: 'contains_any',
  values: ['a'],
};
const ownership = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };

describe('a preview', () => {
  let catalogue: TestCatalogue;
  let preview: Previewer;
  before(async () => {
    catalogue = await openTestCatalogue();
    preview = await previewed(catalogue);
    for (let index = 0; index < 12; index += 1) {
      await catalogue.seed(dataset(`t${index}`), {
        ...(index < 4 ? { ownership } : {}),
        ...(index < 8 ? { globalTags: { tags: [{ tag: 'urn:li:tag:Tier1' }] } } : {}),
      });
    }
    await catalogue.seed('urn:li:chart:(looker,c)', {});
  });
  after(async () => {
    await preview[Symbol.asyncDispose]();
    await catalogue.close();
  });

  const refused = async (input: PreviewInput, code: string, words: RegExp): Promise<PostilError> => {
    try {
      await preview(input, now);
    } catch (error) {
      assert.ok(error instanceof PostilError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, words);
      return error;
    }
    return assert.fail('it was not refused');
  };

  it('tells of each rule whom it fails, and whom it alone fails', async () => {
    const { rules, counts } = await preview({ json: text({ on, rules: [hasOwner, hasTag] }) }, now);
    assert.deepEqual(counts, { inScope: 12, passing: 4, failing: 8, exempt: 0, undecided: 0 });
    assert.deepEqual(rules, [
      { id: 'owned', pointer: '/rules/0', failing: 8, failingAlone: 4 },
      { id: 'tagged', pointer: '/rules/1', failing: 4, failingAlone: 0 },
    ]);
  });

  it('shows entities that are one leaf away from passing, and none that are two', async () => {
    const two = { id: 'both', and: [hasOwner, hasTag].map(({ id: _id, ...leaf }) => leaf) };
    const { samples } = await preview({ json: text({ on, rules: [two] }) }, now);
    assert.deepEqual(
      samples.nearlyPassing.map(({ entity }) => entity),
      ['t4', 't5', 't6', 't7'].map(dataset),
    );
    assert.equal(samples.failing.length, 8);
    assert.deepEqual(samples.nearlyPassing[0]?.toPass, ['Set an owner.']);
  });

  it('shows as many entities as were asked for', async () => {
    const { samples } = await preview({ json: text({ on, rules: [hasOwner] }), sampleSize: 3 }, now);
    assert.deepEqual(
      [samples.failing.length, samples.passing.length, samples.nearlyPassing.length],
      [3, 3, 2],
    );
    const none = await preview({ json: text({ on, rules: [hasOwner] }), sampleSize: 0 }, now);
    assert.deepEqual(none.samples, { failing: [], passing: [], nearlyPassing: [] });
  });

  it('says how many entities it did not look at when there is more to evaluate than it may', async () => {
    const json = text({ on, rules: [hasTeam] });
    const all = await preview({ json }, now);
    assert.deepEqual([all.cost.plan, all.cost.evaluated, all.cost.beyondRows], ['CLOSURE', 12, ['/rules/0']]);
    const some = await preview({ json }, now, { limits: { entitiesMax: 5, milliseconds: 60_000 } });
    assert.deepEqual([some.isComplete, some.notLookedAt, some.counts.inScope], [false, 7, 5]);
    const late = await preview({ json }, now, { limits: { entitiesMax: 5_000, milliseconds: 0 } });
    assert.deepEqual([late.isComplete, late.notLookedAt, late.counts.inScope], [false, 12, 0]);
  });

  it('counts entities that the caller may not see, and does not name them', async () => {
    const testUrn = await preview.save('all-pass', text({ on, rules: [] }));
    const hidden = dataset('t5');
    const input = { json: text({ on, rules: [hasOwner] }), testUrn };
    const seen = await preview(input, now, { canSee: (urn) => urn !== hidden });
    assert.deepEqual([seen.counts.failing, seen.samples.failing.length], [8, 7]);
    assert.deepEqual(
      [seen.difference?.newlyFailing.count, seen.difference?.newlyFailing.urns.length],
      [8, 7],
    );
    assert.ok(!JSON.stringify(seen).includes(hidden));
    assert.ok(JSON.stringify(await preview(input, now)).includes(hidden));
    const few = { json: input.json, sampleSize: 2 };
    const all = (await preview(few, now)).samples.failing.map(({ entity }) => entity);
    const others = await preview(few, now, { canSee: (urn) => !all.includes(urn) && urn !== hidden });
    assert.equal(others.samples.failing.length, 2);
    assert.ok(others.samples.failing.every(({ entity }) => !all.includes(entity) && entity !== hidden));
    const tagless = {
      json: text({ on, rules: [{ property: 'globalTags.tags.tag', operator: 'is_empty' }] }),
    };
    const masked = await preview(tagless, now, { canSee: (urn) => urn !== 'urn:li:tag:Tier1' });
    assert.deepEqual([masked.counts.failing, masked.samples.failing.length], [8, 8]);
    assert.ok(!JSON.stringify(masked).includes('urn:li:tag:Tier1'));
  });

  it('counts exempt entities apart, in groups as well', async () => {
    const json = text({ on, rules: [hasOwner, hasTag] });
    const testUrn = await preview.save('with-exemptions', json);
    for (const [entityUrn, rule] of [
      [dataset('t5'), 'owned'],
      [dataset('t9'), 'owned'],
      [dataset('t10'), undefined],
    ] as const) {
      await catalogue.execute(
        createTestExemption,
        {
          testUrn,
          entityUrn,
          reason: 'Agreed.',
          expires: now + 1_000_000,
          ...(rule === undefined ? {} : { rule }),
        },
        catalogue.admin,
      );
    }
    for (const definition of [json, text({ on, rules: [hasOwner, hasTag, hasTeam] })]) {
      const { counts, groups, rules } = await preview({ json: definition, testUrn }, Date.now());
      const isFirst = definition === json;
      assert.deepEqual(counts, {
        inScope: 12,
        passing: isFirst ? 4 : 0,
        failing: isFirst ? 6 : 11,
        exempt: isFirst ? 2 : 1,
        undecided: 0,
      });
      assert.equal(groups.platforms[0]?.failing, counts.failing);
      assert.equal(rules[0]?.failing, 8);
    }
  });

  it('looks at the entity types that were asked for only', async () => {
    const json = text({ on: { types: ['dataset', 'chart'] }, rules: [hasOwner] });
    const testUrn = await preview.save('two-types', json);
    assert.equal((await preview({ json }, now)).counts.inScope, 13);
    const { counts, difference } = await preview({ json, testUrn, types: ['chart'] }, now);
    assert.deepEqual([counts.inScope, difference?.leaving.count], [1, 0]);
    await refused({ json, types: ['charts'] }, 'BAD_REQUEST', /not for charts. Did you mean chart\?/);
  });

  it('refuses a definition that is not valid with all its findings, and what it does not know', async () => {
    const error = await refused(
      { json: text({ on, rules: [{ property: 'urn', operator: 'equal' }] }) },
      'INVALID_TEST_DEFINITION',
      /Did you mean 'equals'/,
    );
    assert.deepEqual((error.details as readonly { code: string }[])[0]?.code, 'MT103');
    await refused({}, 'BAD_REQUEST', /send a definition, or name a stored test/);
    await refused({ testUrn: parseUrn('urn:li:test:none') }, 'ENTITY_NOT_FOUND', /no test urn:li:test:none/);
    await refused({ json: text({ on, rules: [] }), sampleSize: 21 }, 'BAD_REQUEST', /0 to 20/);
  });

  it('stores nothing', async () => {
    const testUrn = await preview.save('kept', text({ on, rules: [hasOwner] }));
    await preview({ testUrn }, now);
    const before = [await catalogue.lastSequence(), await catalogue.store.verdicts.counts(testUrn)];
    await preview({ json: text({ on, rules: [hasTag] }), testUrn }, now);
    assert.deepEqual(
      [await catalogue.lastSequence(), await catalogue.store.verdicts.counts(testUrn)],
      before,
    );
  });

  it('does not wait for ever until there is something to count', async () => {
    await using waiting = await previewed(catalogue, { isStarted: false });
    await assert.rejects(
      waiting({ json: text({ on, rules: [] }) }, now, { limits: { waitMilliseconds: 10 } }),
      (error) =>
        error instanceof PostilError &&
        error.code === 'OVERLOADED' &&
        /not up to date yet/.test(error.message),
    );
  });

  it('says when the catalogue was changed while it was counted', async () => {
    const json = text({ on, rules: [hasOwner] });
    const meanwhile = async (): Promise<void> => {
      await catalogue.seed('urn:li:tag:meanwhile');
    };
    const busy = await preview({ json }, now, { meanwhile });
    assert.equal(busy.isOfOneMoment, false);
    assert.equal((await preview({ json }, now)).isOfOneMoment, true);
  });

  it('counts what was stored before it was asked for', async () => {
    const json = text({ on, rules: [hasOwner] });
    const { counts } = await preview({ json }, now);
    await catalogue.seed(dataset('late'), { ownership });
    const later = await preview({ json }, now);
    assert.equal(later.counts.passing, counts.passing + 1);
    assert.equal(later.sequence, await catalogue.lastSequence());
  });
});

it('of one caller a single preview runs at a time, and two of all callers', async () => {
  const shared = {};
  const ends: (() => void)[] = [];
  const begin = (caller: string): Promise<string> =>
    admitPreview(
      shared,
      caller,
      () => new Promise((resolve) => void ends.push(() => resolve(`answer to ${caller}`))),
    );
  const isRefused = (words: RegExp) => (error: unknown) =>
    error instanceof PostilError && error.code === 'TOO_MANY_REQUESTS' && words.test(error.message);
  const first = begin('ana');
  await assert.rejects(begin('ana'), isRefused(/yours/));
  const second = begin('ben');
  await assert.rejects(begin('eve'), isRefused(/2 previews are running/));
  ends[0]?.();
  assert.equal(await first, 'answer to ana');
  const third = begin('ana');
  ends[1]?.();
  ends[2]?.();
  assert.deepEqual([await second, await third], ['answer to ben', 'answer to ana']);
  const failing = admitPreview(shared, 'ana', () => Promise.reject(new Error('broken')));
  await assert.rejects(failing, /broken/);
  assert.equal(await admitPreview(shared, 'ana', () => Promise.resolve('again')), 'again');
});
