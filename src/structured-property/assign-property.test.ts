import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  longOrderId,
  orders,
  pii,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import {
  createStructuredProperty,
  type CreateStructuredPropertyInput,
} from './create-structured-property.ts';
import type { PropertyValueInput } from './property-values.ts';
import { removeStructuredProperties } from './remove-structured-properties.ts';
import {
  upsertStructuredProperties,
  type UpsertStructuredPropertiesInput,
} from './upsert-structured-properties.ts';

const start = 1_790_000_000_000;
const actor = 'urn:li:corpuser:editor';
const types = ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField'];
const propertyOf = (id: string): string => `urn:li:structuredProperty:${id}`;
const columnOf = (path: string): string => `urn:li:schemaField:(${orders},${path})`;

const properties: readonly (Partial<CreateStructuredPropertyInput> & { readonly id: string })[] = [
  { id: 'text' },
  { id: 'texts', cardinality: 'MULTIPLE' },
  { id: 'number', valueType: 'urn:li:dataType:datahub.number' },
  { id: 'date', valueType: 'urn:li:dataType:datahub.date' },
  { id: 'rich', valueType: 'urn:li:dataType:datahub.rich_text' },
  { id: 'urn', valueType: 'urn:li:dataType:datahub.urn' },
  {
    id: 'owner',
    valueType: 'urn:li:dataType:datahub.urn',
    typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.corpuser'] },
  },
  { id: 'level', allowedValues: [{ stringValue: 'low' }, { stringValue: 'high' }] },
  { id: 'once', immutable: true },
  { id: 'terms', entityTypes: ['urn:li:entityType:datahub.glossaryTerm'] },
];

type Shop = TestCatalogue & { tick(): number };

async function openShop(): Promise<Shop> {
  let time = start;
  const shop = await openTestCatalogue({ now: () => time });
  await seedShop(shop);
  for (const property of properties) {
    const input = {
      displayName: property.id,
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: types,
      ...property,
    };
    await shop.execute(createStructuredProperty, input, shop.admin);
  }
  return { ...shop, tick: () => (time += 1000) };
}

const assign = (
  assetUrn: string,
  given: Readonly<Record<string, readonly PropertyValueInput[]>>,
): UpsertStructuredPropertiesInput => ({
  assetUrn,
  structuredPropertyInputParams: Object.entries(given).map(([id, values]) => ({
    structuredPropertyUrn: propertyOf(id),
    values,
  })),
});

describe('upsertStructuredProperties', () => {
  it('gives an entity values, each property with stamps of its own, and keeps the other properties', async () => {
    await using shop = await openShop();
    const both = assign(orders, { text: [{ stringValue: 'a' }], number: [{ numberValue: 1.5 }] });
    assert.equal(await shop.execute(upsertStructuredProperties, both), orders);
    const time = shop.tick();
    await shop.execute(upsertStructuredProperties, assign(orders, { text: [{ stringValue: 'b' }] }));
    const first = { time: start, actor };
    assert.deepEqual((await shop.body(orders, 'structuredProperties'))?.['properties'], [
      {
        propertyUrn: propertyOf('text'),
        values: [{ string: 'b' }],
        created: first,
        lastModified: { time, actor },
      },
      { propertyUrn: propertyOf('number'), values: [{ double: 1.5 }], created: first, lastModified: first },
    ]);
  });

  it('changes nothing when the values are there already', async () => {
    await using shop = await openShop();
    const input = assign(orders, {
      texts: [{ stringValue: 'a' }, { stringValue: 'b' }, { stringValue: 'a' }],
    });
    await shop.execute(upsertStructuredProperties, input);
    shop.tick();
    await shop.changesNothing(upsertStructuredProperties, input);
  });

  it('gives a column values that the dataset has, stored or not, under the path of its schema', async () => {
    await using shop = await openShop();
    const given = { level: [{ stringValue: 'high' }] };
    const urn = columnOf(longOrderId);
    assert.equal(await shop.execute(upsertStructuredProperties, assign(columnOf('order_id'), given)), urn);
    assert.equal(await shop.changesNothing(upsertStructuredProperties, assign(urn, given)), urn);
    assert.ok(await shop.body(urn, 'structuredProperties'));
  });

  const refused: readonly (readonly [string, string, readonly PropertyValueInput[], RegExp])[] = [
    ['a number for a text', 'text', [{ numberValue: 5 }], /text cannot be 5: its values have to be a text/],
    [
      'a text for a number',
      'number',
      [{ stringValue: '5' }],
      /number cannot be "5": its values have to be a number/,
    ],
    [
      'a day that no calendar has',
      'date',
      [{ stringValue: '2026-02-30' }],
      /"2026-02-30".*a day like 2026-11-22/,
    ],
    ['a day in another format', 'date', [{ stringValue: '22.11.2026' }], /"22\.11\.2026".*a day like/],
    ['a text for a urn', 'urn', [{ stringValue: 'ana' }], /"ana": its values have to be a urn/],
    ['a urn of another type', 'owner', [{ stringValue: pii }], /tag:pii.*urns of type corpuser/],
    [
      'a value that is not allowed',
      'level',
      [{ stringValue: 'middle' }],
      /"middle": the allowed values are "low", "high"/,
    ],
    [
      'several values of a single one',
      'text',
      [{ stringValue: 'a' }, { stringValue: 'b' }],
      /takes one value, but 2.*"a", "b"/,
    ],
    ['no values', 'text', [], /No value was given.*removeStructuredProperties/],
    ['an empty value', 'text', [{}], /either a stringValue or a numberValue/],
    [
      'a property for other entities',
      'terms',
      [{ stringValue: 'a' }],
      /is for entities of type glossaryTerm, not dataset/,
    ],
  ];
  for (const [what, id, values, message] of refused) {
    it(`refuses ${what}, and changes nothing of the rest`, async () => {
      await using shop = await openShop();
      const input = assign(orders, { texts: [{ stringValue: 'fine' }], [id]: values });
      await shop.refuses(upsertStructuredProperties, input, { code: 'BAD_REQUEST', message });
    });
  }

  it('takes what fits each type', async () => {
    await using shop = await openShop();
    const given = {
      date: [{ stringValue: '2024-02-29' }],
      rich: [{ stringValue: '**a**' }],
      urn: [{ stringValue: pii }],
      owner: [{ stringValue: 'urn:li:corpuser:ana' }],
      level: [{ stringValue: 'low' }],
    };
    await shop.execute(upsertStructuredProperties, assign(customers, given));
    const body = await shop.body(customers, 'structuredProperties');
    assert.equal(Array.isArray(body?.['properties']) && body['properties'].length, 5);
  });

  it('refuses what does not exist: a property, an entity, a column', async () => {
    await using shop = await openShop();
    const values = [{ stringValue: 'a' }];
    const missing = (message: RegExp): { code: 'ENTITY_NOT_FOUND'; message: RegExp } => ({
      code: 'ENTITY_NOT_FOUND',
      message,
    });
    await shop.refuses(
      upsertStructuredProperties,
      assign(orders, { nothing: values }),
      missing(/nothing does not exist/),
    );
    await shop.refuses(
      upsertStructuredProperties,
      assign(unknownDataset, { text: values }),
      missing(/nothing.* does not exist/),
    );
    await shop.refuses(upsertStructuredProperties, assign(columnOf('no'), { text: values }), {
      code: 'COLUMN_NOT_FOUND',
      message: /Field no does not exist/,
    });
    await shop.refuses(upsertStructuredProperties, assign(pii, { text: values }), {
      code: 'UNKNOWN_ASPECT',
      message: /tag have no aspect "structuredProperties"/,
    });
    await shop.refuses(
      upsertStructuredProperties,
      { assetUrn: orders, structuredPropertyInputParams: [{ structuredPropertyUrn: pii, values }] },
      { code: 'BAD_REQUEST', message: /tag:pii is not the urn of a structured property/ },
    );
  });

  it('refuses a property that is named twice', async () => {
    await using shop = await openShop();
    const [param] = assign(orders, { texts: [{ stringValue: 'a' }] }).structuredPropertyInputParams;
    assert.ok(param);
    await shop.refuses(
      upsertStructuredProperties,
      { assetUrn: orders, structuredPropertyInputParams: [param, param] },
      { code: 'BAD_REQUEST', message: /texts is given twice/ },
    );
  });

  it('lets an immutable property be set once, and neither changed nor removed', async () => {
    await using shop = await openShop();
    await shop.execute(upsertStructuredProperties, assign(orders, { once: [{ stringValue: 'a' }] }));
    await shop.changesNothing(upsertStructuredProperties, assign(orders, { once: [{ stringValue: 'a' }] }));
    const refusal = { code: 'BAD_REQUEST', message: /once is immutable/ } as const;
    await shop.refuses(upsertStructuredProperties, assign(orders, { once: [{ stringValue: 'b' }] }), refusal);
    const removal = { assetUrn: orders, structuredPropertyUrns: [propertyOf('once')] };
    await shop.refuses(removeStructuredProperties, removal, refusal);
  });

  it('asks for rights before it looks at anything, of a column on its dataset', async () => {
    await using shop = await openShop();
    const input = assign(columnOf('no'), { nothing: [] });
    await shop.refuses(upsertStructuredProperties, input, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_PROPERTIES'] as const) };
    await shop.execute(upsertStructuredProperties, assign(orders, { text: [{ stringValue: 'a' }] }), caller);
    const asked = upsertStructuredProperties.demands(input, caller).map(({ on }) => on);
    assert.deepEqual(asked, [orders]);
  });

  it('after any sequence of upserts and removals, an entity has exactly what was last said', async () => {
    const text = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({
      id: fc.constantFrom('text', 'texts', 'rich'),
      value: fc.option(text, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await using shop = await openShop();
        const said = new Map<string, string>();
        for (const { id, value } of steps) {
          if (value === undefined) {
            said.delete(id);
            const removal = { assetUrn: orders, structuredPropertyUrns: [propertyOf(id)] };
            await shop.execute(removeStructuredProperties, removal);
          } else {
            said.set(id, value);
            await shop.execute(
              upsertStructuredProperties,
              assign(orders, { [id]: [{ stringValue: value }] }),
            );
          }
        }
        const stored = (await shop.body(orders, 'structuredProperties'))?.['properties'] ?? [];
        assert.ok(Array.isArray(stored));
        const found = stored.map((each: { propertyUrn: string; values: { string: string }[] }) => [
          each.propertyUrn,
          each.values[0]?.string,
        ]);
        const expected = [...said].map(([id, value]) => [propertyOf(id), value]);
        assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
        assert.equal(found.length, expected.length);
      }),
      { numRuns: 10 },
    );
  });
});

describe('removeStructuredProperties', () => {
  it('takes properties away, also of a column, and is done when they are not there', async () => {
    await using shop = await openShop();
    for (const asset of [orders, columnOf('user_name')]) {
      await shop.execute(
        upsertStructuredProperties,
        assign(asset, { text: [{ stringValue: 'a' }], level: [{ stringValue: 'low' }] }),
      );
      const input = { assetUrn: asset, structuredPropertyUrns: [propertyOf('text'), propertyOf('never')] };
      await shop.execute(removeStructuredProperties, input);
      const body = await shop.body(asset, 'structuredProperties');
      assert.equal(Array.isArray(body?.['properties']) && body['properties'].length, 1);
      await shop.changesNothing(removeStructuredProperties, input);
    }
  });

  it('refuses what is no property, what does not exist, and who may not', async () => {
    await using shop = await openShop();
    const input = { assetUrn: orders, structuredPropertyUrns: [pii] };
    const refusal = { code: 'BAD_REQUEST', message: /tag:pii is not the urn/ } as const;
    await shop.refuses(removeStructuredProperties, input, refusal);
    await shop.refuses(
      removeStructuredProperties,
      { assetUrn: unknownDataset, structuredPropertyUrns: [] },
      { code: 'ENTITY_NOT_FOUND', message: /does not exist/ },
    );
    await shop.refuses(removeStructuredProperties, input, unauthorized, shop.reader);
  });
});
