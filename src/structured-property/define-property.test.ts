import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { orders, seedShop, unauthorized } from '../../test/sample-metadata.ts';
import {
  createStructuredProperty,
  type CreateStructuredPropertyInput,
} from './create-structured-property.ts';
import { deleteStructuredProperty } from './delete-structured-property.ts';
import {
  updateStructuredProperty,
  type UpdateStructuredPropertyInput,
} from './update-structured-property.ts';
import { upsertStructuredProperties } from './upsert-structured-properties.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:admin' };
const dataset = 'urn:li:entityType:datahub.dataset';
const column = 'urn:li:entityType:datahub.schemaField';
const retention = 'urn:li:structuredProperty:io.shop.retention';

const input: CreateStructuredPropertyInput = {
  id: 'io.shop.retention',
  displayName: 'Retention',
  valueType: 'urn:li:dataType:datahub.number',
  entityTypes: [dataset],
  allowedValues: [{ numberValue: 30, description: 'a month' }, { numberValue: 90 }],
};

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time, newId: () => 'random' });
  await seedShop(shop);
  return shop;
}

describe('createStructuredProperty', () => {
  it('stores the definition, with the settings where some were given', async () => {
    await using shop = await openShop();
    const settings = { showInSearchFilters: true };
    const urn = await shop.execute(createStructuredProperty, { ...input, settings }, shop.admin);
    assert.equal(urn, retention);
    assert.deepEqual(await shop.body(urn, 'propertyDefinition'), {
      qualifiedName: 'io.shop.retention',
      displayName: 'Retention',
      valueType: 'urn:li:dataType:datahub.number',
      allowedValues: [{ value: { double: 30 }, description: 'a month' }, { value: { double: 90 } }],
      cardinality: 'SINGLE',
      entityTypes: [dataset],
      immutable: false,
      created: stamp,
      lastModified: stamp,
    });
    assert.deepEqual(await shop.body(urn, 'structuredPropertySettings'), {
      isHidden: false,
      showInSearchFilters: true,
      showInAssetSummary: false,
      hideInAssetSummaryWhenEmpty: false,
      showAsAssetBadge: false,
      showInColumnsTable: false,
      lastModified: stamp,
    });
  });

  it('takes its id from the qualified name, or makes one up', async () => {
    await using shop = await openShop();
    const { id: _id, ...rest } = input;
    const named = await shop.execute(createStructuredProperty, { ...rest, qualifiedName: 'a.b' }, shop.admin);
    assert.equal(named, 'urn:li:structuredProperty:a.b');
    assert.equal(
      await shop.execute(createStructuredProperty, rest, shop.admin),
      'urn:li:structuredProperty:random',
    );
    assert.equal(
      (await shop.body('urn:li:structuredProperty:random', 'propertyDefinition'))?.['qualifiedName'],
      'random',
    );
  });

  const refused: readonly (readonly [string, Partial<CreateStructuredPropertyInput>, RegExp])[] = [
    ['two names that differ', { qualifiedName: 'other' }, /io\.shop\.retention.*other.*same/],
    ['a name with spaces', { id: 'a b' }, /"a b" must not contain spaces/],
    [
      'an unknown value type',
      { valueType: 'urn:li:dataType:datahub.numbr' },
      /numbr.*Did you mean.*datahub\.number/,
    ],
    ['what is no data type', { valueType: 'urn:li:tag:number' }, /Unknown value type "urn:li:tag:number"/],
    ['an unknown entity type', { entityTypes: ['urn:li:entityType:datahub.datset'] }, /datset.*looks like/],
    [
      'entities that cannot have properties',
      { entityTypes: ['urn:li:entityType:datahub.tag'] },
      /type tag cannot have/,
    ],
    ['no entity type', { entityTypes: [] }, /entityTypes is empty/],
    [
      'an allowed value of another type',
      { allowedValues: [{ stringValue: 'x' }] },
      /"x" cannot be an allowed value.*number/,
    ],
    [
      'an allowed value twice',
      { allowedValues: [{ numberValue: 1 }, { numberValue: 1 }] },
      /allowed value 1 is there already/,
    ],
    [
      'an allowed value that is two',
      { allowedValues: [{ numberValue: 1, stringValue: '1' }] },
      /either a stringValue or a numberValue/,
    ],
    [
      'a type qualifier for what are no urns',
      { typeQualifier: { allowedTypes: [dataset] } },
      /typeQualifier is for urns/,
    ],
    [
      'a hidden property that is shown',
      { settings: { isHidden: true, showInColumnsTable: true } },
      /isHidden.*showInColumnsTable/,
    ],
    [
      'hiding in a summary what is not in it',
      { settings: { hideInAssetSummaryWhenEmpty: true } },
      /needs showInAssetSummary/,
    ],
  ];
  for (const [what, change, message] of refused) {
    it(`refuses ${what}`, async () => {
      await using shop = await openShop();
      const refusal = { code: 'BAD_REQUEST', message } as const;
      await shop.refuses(createStructuredProperty, { ...input, ...change }, refusal, shop.admin);
    });
  }

  it('never overwrites a property', async () => {
    await using shop = await openShop();
    await shop.execute(createStructuredProperty, input, shop.admin);
    const refusal = { code: 'ALREADY_EXISTS', message: /already exists with this urn: .*retention/ } as const;
    await shop.refuses(createStructuredProperty, input, refusal, shop.admin);
  });

  it('is not for readers, whatever they send', async () => {
    await using shop = await openShop();
    await shop.refuses(createStructuredProperty, { ...input, entityTypes: [] }, unauthorized, shop.reader);
  });
});

describe('updateStructuredProperty', () => {
  it('shows a property differently and takes more values from then on', async () => {
    await using shop = await openShop();
    await shop.execute(createStructuredProperty, input, shop.admin);
    const change: UpdateStructuredPropertyInput = {
      urn: retention,
      displayName: 'How long',
      newAllowedValues: [{ numberValue: 365 }],
      setCardinalityAsMultiple: true,
      newEntityTypes: [column, dataset],
      settings: { showInColumnsTable: true },
    };
    assert.equal(await shop.execute(updateStructuredProperty, change, shop.admin), retention);
    const body = await shop.body(retention, 'propertyDefinition');
    assert.equal(body?.['displayName'], 'How long');
    assert.equal(body?.['cardinality'], 'MULTIPLE');
    assert.deepEqual(body?.['entityTypes'], [dataset, column]);
    assert.deepEqual(body?.['allowedValues'], [
      { value: { double: 30 }, description: 'a month' },
      { value: { double: 90 } },
      { value: { double: 365 } },
    ]);
    assert.equal((await shop.body(retention, 'structuredPropertySettings'))?.['showInColumnsTable'], true);
  });

  it('changes nothing when all is so already', async () => {
    await using shop = await openShop();
    await shop.execute(createStructuredProperty, { ...input, settings: { isHidden: true } }, shop.admin);
    const before = await shop.lastSequence();
    const same = {
      urn: retention,
      displayName: 'Retention',
      newEntityTypes: [dataset],
      settings: { isHidden: true },
    };
    await shop.execute(updateStructuredProperty, same, shop.admin);
    assert.equal(await shop.lastSequence(), before);
  });

  const urnProperty = { ...input, valueType: 'urn:li:dataType:datahub.urn', allowedValues: [] };
  const refused: readonly (readonly [
    string,
    CreateStructuredPropertyInput,
    Partial<UpdateStructuredPropertyInput>,
    RegExp,
  ])[] = [
    [
      'a value that is allowed already',
      input,
      { newAllowedValues: [{ numberValue: 90 }] },
      /allowed value 90 is there already/,
    ],
    [
      'to narrow what is allowed',
      { ...input, allowedValues: [] },
      { newAllowedValues: [{ numberValue: 1 }] },
      /allows every value.*cannot be narrowed/,
    ],
    [
      'to narrow what urns may be',
      urnProperty,
      { typeQualifier: { newAllowedTypes: [dataset] } },
      /allows all types.*cannot be narrowed/,
    ],
  ];
  for (const [what, property, change, message] of refused) {
    it(`refuses ${what}`, async () => {
      await using shop = await openShop();
      await shop.execute(createStructuredProperty, property, shop.admin);
      const refusal = { code: 'BAD_REQUEST', message } as const;
      await shop.refuses(updateStructuredProperty, { urn: retention, ...change }, refusal, shop.admin);
    });
  }

  it('widens the types that a urn may be of', async () => {
    await using shop = await openShop();
    const typeQualifier = { allowedTypes: [dataset] };
    await shop.execute(createStructuredProperty, { ...urnProperty, typeQualifier }, shop.admin);
    const change = { urn: retention, typeQualifier: { newAllowedTypes: [column] } };
    await shop.execute(updateStructuredProperty, change, shop.admin);
    const body = await shop.body(retention, 'propertyDefinition');
    assert.deepEqual(body?.['typeQualifier'], { allowedTypes: [dataset, column] });
  });

  it('refuses a property that is not defined', async () => {
    await using shop = await openShop();
    const refusal = {
      code: 'ENTITY_NOT_FOUND',
      message: /retention does not exist.*createStructuredProperty/,
    } as const;
    await shop.refuses(updateStructuredProperty, { urn: retention }, refusal, shop.admin);
  });
});

describe('deleteStructuredProperty', () => {
  it('takes every value of the property along and leaves those of others', async () => {
    await using shop = await openShop();
    const owner = { ...input, id: 'owner', entityTypes: [dataset, column] };
    await shop.execute(createStructuredProperty, { ...input, entityTypes: [dataset, column] }, shop.admin);
    await shop.execute(createStructuredProperty, owner, shop.admin);
    const assets = [orders, `urn:li:schemaField:(${orders},user_name)`];
    for (const assetUrn of assets) {
      await shop.execute(upsertStructuredProperties, {
        assetUrn,
        structuredPropertyInputParams: [
          { structuredPropertyUrn: retention, values: [{ numberValue: 30 }] },
          { structuredPropertyUrn: 'urn:li:structuredProperty:owner', values: [{ numberValue: 90 }] },
        ],
      });
    }
    assert.equal(await shop.execute(deleteStructuredProperty, { urn: retention }, shop.admin), true);
    assert.equal(await shop.body(retention, 'propertyDefinition'), undefined);
    for (const asset of assets) {
      const body = await shop.body(asset, 'structuredProperties');
      assert.deepEqual(Array.isArray(body?.['properties']) && body['properties'].length, 1, asset);
      assert.ok(JSON.stringify(body).includes('urn:li:structuredProperty:owner'));
    }
  });

  it('refuses what is not there, and readers before that', async () => {
    await using shop = await openShop();
    const refusal = { code: 'MISSING_FOR_DELETE', message: /does not exist/ } as const;
    await shop.refuses(deleteStructuredProperty, { urn: retention }, refusal, shop.admin);
    await shop.refuses(deleteStructuredProperty, { urn: retention }, unauthorized, shop.reader);
  });
});
