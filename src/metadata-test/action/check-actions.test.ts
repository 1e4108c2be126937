import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue } from '../../../test/catalogue.ts';
import { createTest } from '../create-test.ts';
import { updateTest } from '../update-test.ts';
import { validateDefinition } from '../validate.ts';
import {
  acting,
  addTags,
  gold,
  type Parts,
  removeTags,
  silver,
  tagged,
  tagPath,
  tier1,
  untagged,
  written,
} from './action.fixture.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { actionFindings } from './check-actions.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const owned = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }] };
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };

const found = (subject: Parts, ...others: readonly Parts[]): readonly string[] =>
  actionFindings(
    acting('subject', subject),
    others.map((other, index) => acting(`other${index}`, other)),
  ).map(({ code, pointer }) => `${code} ${pointer}`);

const leaf = (property: string, operator: string, ...values: readonly string[]): object => ({
  property,
  operator,
  ...(values.length > 0 ? { values } : {}),
});

describe('A6: actions that come back to themselves', () => {
  it('A6: refuses what its own action undoes, and names the leaf', () => {
    const [finding] = actionFindings(
      acting('subject', { rules: [untagged(gold)], passing: [addTags(gold)] }),
      [],
    );
    assert.equal(finding?.code, 'MT134');
    assert.equal(finding.pointer, '/actions/passing/0');
    assert.match(finding.message, /urn:li:test:subject/);
    assert.match(finding.message, /\/rules\/0\/not\/0/);
  });

  const undoing: Readonly<Record<string, Parts>> = {
    'a value that leaves the scope': { conditions: [untagged(gold)], passing: [addTags(gold)] },
    'a removed value that the rules ask for': { rules: [tagged(gold)], passing: [removeTags(gold)] },
    emptiness: { rules: [leaf(tagPath, 'is_empty')], passing: [addTags(gold)] },
    'a count': { rules: [leaf(tagPath, 'count_at_most', '2')], passing: [addTags(gold)] },
    'a pattern': { rules: [{ not: [leaf(tagPath, 'regex_match', '.*Gold.*')] }], passing: [addTags(gold)] },
    'a quantifier': {
      rules: [{ forEach: tagPath, satisfies: leaf('tagProperties.name', 'exists') }],
      passing: [addTags(gold)],
    },
    'a path that goes on': {
      rules: [{ not: [leaf('glossaryTerms.terms.urn.glossaryTermInfo.parentNode', 'exists')] }],
      passing: [{ type: 'add_glossary_terms', values: ['urn:li:glossaryTerm:a'] }],
    },
    'a domain of its own': {
      conditions: [leaf('domains.domains', 'equals', 'urn:li:domain:a')],
      passing: [{ type: 'set_domain', values: ['urn:li:domain:b'] }],
    },
    'a deprecation': {
      conditions: [leaf('deprecation.deprecated', 'is_false')],
      passing: [{ type: 'deprecate' }],
    },
    'a structured property': {
      conditions: [leaf('structuredProperties.urn:li:structuredProperty:a.b', 'is_empty')],
      passing: [{ type: 'set_structured_property', values: ['urn:li:structuredProperty:a.b', '1'] }],
    },
    'a kind of owner': {
      rules: [leaf('ownership.ownerTypes.urn:li:ownershipType:__system__technical_owner', 'is_empty')],
      passing: [{ type: 'add_owners', values: ['urn:li:corpuser:ana'] }],
    },
    'a repair that passing undoes': {
      rules: [tagged(gold)],
      passing: [removeTags(gold)],
      failing: [addTags(gold)],
    },
    'a container that is read through a path': {
      types: ['dataset', 'container'],
      conditions: [leaf('container.container.globalTags.tags.tag', 'not_equals', gold)],
      passing: [addTags(gold)],
    },
  };
  for (const [what, parts] of Object.entries(undoing)) {
    it(`A6: refuses ${what}`, () => {
      assert.ok(
        found(parts).some((line) => line.startsWith('MT134')),
        JSON.stringify(parts),
      );
    });
  }

  const stable: Readonly<Record<string, Parts>> = {
    'another value on the same path': {
      conditions: [tagged(tier1)],
      passing: [addTags(gold)],
      failing: [removeTags(gold)],
    },
    'what reinforces the verdict': { rules: [tagged(gold)], passing: [addTags(gold, silver)] },
    'a repair': {
      rules: [leaf('ownership.owners.owner', 'exists')],
      failing: [{ type: 'add_owners', values: ['urn:li:corpuser:ana'] }],
    },
    'a rule that decides nothing': {
      rules: [{ ...untagged(gold), severity: 'warn' }],
      passing: [addTags(gold)],
    },
    'another kind of owner': {
      rules: [leaf('ownership.ownerTypes.urn:li:ownershipType:__system__data_steward', 'is_empty')],
      passing: [{ type: 'add_owners', values: ['urn:li:corpuser:ana'] }],
    },
    'another structured property': {
      conditions: [leaf('structuredProperties.urn:li:structuredProperty:a.c', 'is_empty')],
      passing: [{ type: 'set_structured_property', values: ['urn:li:structuredProperty:a.b', '1'] }],
    },
    'aspects that no action writes': {
      conditions: [leaf('status.removed', 'is_false'), leaf('schemaFields.length', 'greater_than', '1')],
      passing: [addTags(gold)],
    },
  };
  for (const [what, parts] of Object.entries(stable)) {
    it(`A6: accepts ${what}`, () => {
      assert.deepEqual(found(parts), []);
    });
  }

  it('A6: refuses an oscillation of two tests, whichever is saved last, and names both', () => {
    const first: Parts = { rules: [untagged(silver)], passing: [addTags(gold)] };
    const second: Parts = { conditions: [tagged(gold)], passing: [addTags(silver)] };
    assert.deepEqual(found(first), []);
    assert.deepEqual(found(second), []);
    assert.deepEqual(found(second, first), ['MT134 /actions/passing/0']);
    assert.deepEqual(found(first, second), ['MT134 /actions/passing/0']);
    const [finding] = actionFindings(acting('a', first), [acting('b', second)]);
    assert.match(finding?.message ?? '', /urn:li:test:a.*urn:li:test:b/);
  });

  it('A6: two tests of types apart do not touch each other, unless one leads to the other', () => {
    const first: Parts = { types: ['chart'], rules: [untagged(silver)], passing: [addTags(gold)] };
    const second: Parts = { conditions: [tagged(gold)], passing: [addTags(silver)] };
    assert.deepEqual(found(second, first), []);
    const reading: Parts = {
      conditions: [leaf('container.container.globalTags.tags.tag', 'equals', gold)],
      passing: [addTags(silver)],
    };
    const contained: Parts = {
      types: ['container'],
      rules: [{ forEach: 'lineage.downstream', onEmpty: 'pass', satisfies: untagged(silver) }],
      passing: [addTags(gold)],
    };
    assert.deepEqual(found(reading, contained), ['MT134 /actions/passing/0']);
  });

  it('A6: a cycle of three tests is one, and one among others is not blamed on the saved test', () => {
    const silverToTier: Parts = { conditions: [tagged(silver)], passing: [addTags(tier1)] };
    const goldToSilver: Parts = { conditions: [tagged(gold)], passing: [addTags(silver)] };
    const untieredToGold: Parts = { rules: [untagged(tier1)], passing: [addTags(gold)] };
    assert.deepEqual(found(untieredToGold, silverToTier, goldToSilver), ['MT134 /actions/passing/0']);
    assert.deepEqual(
      found({ passing: [addTags('urn:li:tag:x')] }, silverToTier, goldToSilver, untieredToGold),
      [],
    );
  });
});

describe('A7: actions against those of another test', () => {
  const adds: Parts = { passing: [addTags(gold)] };
  const removes: Parts = { failing: [removeTags(gold)], rules: [leaf('ownership.owners.owner', 'exists')] };

  it('A7: refuses to add what another test removes', () => {
    assert.deepEqual(found(adds, removes), ['MT135 /actions/passing/0']);
    assert.deepEqual(found(removes, adds), ['MT135 /actions/failing/0']);
  });

  it('A7: refuses different values where there is room for one', () => {
    const domain = (id: string): Parts => ({
      passing: [{ type: 'set_domain', values: [`urn:li:domain:${id}`] }],
    });
    assert.deepEqual(found(domain('a'), domain('b')), ['MT135 /actions/passing/0']);
    assert.deepEqual(found(domain('a'), domain('a')), []);
    assert.deepEqual(
      found(
        { passing: [{ type: 'deprecate' }] },
        { rules: [tagged(gold)], failing: [{ type: 'un_deprecate' }] },
      ),
      ['MT135 /actions/passing/0'],
    );
    const property = (id: string, value: string): Parts => ({
      passing: [{ type: 'set_structured_property', values: [`urn:li:structuredProperty:${id}`, value] }],
    });
    assert.deepEqual(found(property('a', '1'), property('a', '2')), ['MT135 /actions/passing/0']);
    assert.deepEqual(found(property('a', '1'), property('b', '2')), []);
  });

  it('A7: one list that adds and removes the same is refused without any other test', () => {
    assert.deepEqual(found({ passing: [addTags(gold), removeTags(gold)] }), ['MT135 /actions/passing/1']);
    assert.deepEqual(found({ passing: [addTags(gold)], failing: [removeTags(gold)] }), []);
  });

  it('A7: accepts scopes that no entity is in together', () => {
    const platform = (id: string): object =>
      leaf('dataPlatformInstance.platform', 'equals', `urn:li:dataPlatform:${id}`);
    assert.deepEqual(
      found(
        { conditions: [platform('hive')], passing: [addTags(gold)] },
        { conditions: [platform('s3')], passing: [removeTags(gold)] },
      ),
      [],
    );
    assert.deepEqual(
      found({ types: ['chart'], passing: [addTags(gold)] }, { passing: [removeTags(gold)] }),
      [],
    );
    const owned = leaf('ownership.owners.owner', 'exists');
    assert.deepEqual(found({ rules: [owned, tagged(tier1)], passing: [addTags(gold)] }, removes), []);
  });

  it('A6, A7: of two tests that are saved at the same time and contradict each other, one is refused', async () => {
    await using catalogue = await openTestCatalogue();
    const save = (id: string, parts: Parts): Promise<string> =>
      catalogue.execute(createTest, { id, name: id, category: 'c', definition: { json: written(parts) } });
    const outcomes = await Promise.allSettled([save('adds', adds), save('removes', removes)]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    await catalogue.refuses(
      createTest,
      {
        id: 'loop',
        name: 'n',
        category: 'c',
        definition: { json: written({ rules: [untagged(silver)], passing: [addTags(silver)] }) },
      },
      { code: 'INVALID_TEST_DEFINITION', message: /\/actions\/passing\/0: Actions form a cycle.*\[MT134\]/ },
    );
  });

  it('A6: an update is checked as well, and one that leaves the definition is not', async () => {
    await using catalogue = await openTestCatalogue();
    const input = { name: 'n', category: 'c', definition: { json: written(adds) } };
    const urn = await catalogue.execute(createTest, { id: 'a', ...input });
    await catalogue.seed('urn:li:test:b', {
      testInfo: { name: 'b', category: 'c', definition: { type: 'JSON', json: written(removes) } },
    });
    assert.equal(await catalogue.execute(updateTest, { urn, input: { ...input, name: 'm' } }), urn);
    const changed = { ...input, definition: { json: written({ passing: [addTags(gold, silver)] }) } };
    await catalogue.refuses(
      updateTest,
      { urn, input: changed },
      { code: 'INVALID_TEST_DEFINITION', message: /MT135/ },
    );
    const validation = await validateDefinition(changed.definition.json, catalogue.store);
    assert.equal(validation.valid, false);
    assert.deepEqual(
      validation.issues.filter(({ severity }) => severity === 'error').map(({ code, line }) => [code, line]),
      [['MT135', 1]],
    );
  });
});

describe('A7: what is said of a contradiction', () => {
  it('A7: shows entities that both tests are for, and does not compare a test with itself', async () => {
    await using acting = await openActingCatalogue();
    const { catalogue, store } = acting;
    await catalogue.seed(orders, { ownership: owned });
    await catalogue.seed(orders.replace('orders', 'other'));
    const urn = await acting.save('adds', { passing: [addTags(gold)] }, false);
    const text = written({ conditions: [hasOwner], passing: [removeTags(gold)] });
    const sampling = { verdicts: store.verdicts, now: Date.now(), canSee: () => true };
    const { valid, issues } = await validateDefinition(text, store, { sampling });
    assert.equal(valid, false);
    const [message = ''] = issues.filter(({ code }) => code === 'MT135').map((issue) => issue.message);
    assert.ok(message.includes(orders), message);
    assert.ok(!message.includes('other'), message);
    assert.equal((await validateDefinition(text, store, { sampling, urn })).valid, true);
  });
});
