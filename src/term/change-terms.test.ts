import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customer,
  customers,
  longOrderId,
  orders,
  pii,
  revenue,
  schemaOf,
  seedShop,
  unauthorized,
  unknownDataset,
  unknownStamp,
  unknownTerm,
} from '../../test/sample-metadata.ts';
import { addTerms, type AddTermsInput } from './add-terms.ts';
import { batchAddTerms } from './batch-add-terms.ts';
import { batchRemoveTerms } from './batch-remove-terms.ts';
import { removeTerm } from './remove-term.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const column = (subResource: string): { subResourceType: 'DATASET_FIELD'; subResource: string } => ({
  subResourceType: 'DATASET_FIELD',
  subResource,
});

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time });
  await seedShop(shop);
  return shop;
}

describe('addTerms', () => {
  it('attaches terms to a dataset in the order given, each once, and stamps who did it', async () => {
    await using shop = await openShop();
    const input = { termUrns: [customer, revenue, customer], resourceUrn: orders };
    assert.equal(await shop.execute(addTerms, input), true);
    const expected = { terms: [{ urn: customer }, { urn: revenue }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), expected);
    assert.equal(await shop.changesNothing(addTerms, input), true);
  });

  it('keeps the associations that are there with all that is said about them', async () => {
    await using shop = await openShop();
    const ingested = { urn: revenue, actor: 'urn:li:corpuser:ana', context: 'from dbt' };
    await shop.seed(orders, { glossaryTerms: { terms: [ingested], auditStamp: unknownStamp } });
    await shop.execute(addTerms, { termUrns: [revenue, customer], resourceUrn: orders });
    const stored = await shop.body(orders, 'glossaryTerms');
    assert.deepEqual(stored?.['terms'], [ingested, { urn: customer }]);
  });

  it('attaches terms to a column, in editableSchemaMetadata and nowhere else', async () => {
    await using shop = await openShop();
    const before = await shop.lastSequence();
    await shop.execute(addTerms, { termUrns: [revenue], resourceUrn: orders, ...column('user_name') });
    const glossaryTerms = { terms: [{ urn: revenue }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: 'user_name', glossaryTerms }],
    });
    const changes = await shop.store.changes({ after: before, count: 10 });
    assert.deepEqual(
      changes.map(({ urn, aspect }) => [urn, aspect]),
      [[orders, 'editableSchemaMetadata']],
    );
  });

  it('finds a column by its simple path and stores it under the path of the schema', async () => {
    await using shop = await openShop();
    await shop.execute(addTerms, { termUrns: [revenue], resourceUrn: orders, ...column('order_id') });
    const glossaryTerms = { terms: [{ urn: revenue }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: longOrderId, glossaryTerms }],
    });
    assert.equal(
      await shop.changesNothing(addTerms, {
        termUrns: [revenue],
        resourceUrn: orders,
        ...column('[version=2.0].[type=string].order_id'),
      }),
      true,
    );
  });

  it('makes one record of several spellings of a column and keeps what each said', async () => {
    await using shop = await openShop();
    const terms = (urn: string): object => ({ terms: [{ urn }], auditStamp: unknownStamp });
    await shop.seed(orders, {
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: 'vanished', description: 'kept' },
          { fieldPath: 'order_id', description: 'the id', glossaryTerms: { ...terms(customer) } },
          { fieldPath: longOrderId, globalTags: { tags: [{ tag: pii }] } },
        ],
      },
    });
    await shop.execute(addTerms, { termUrns: [revenue], resourceUrn: orders, ...column('order_id') });
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        { fieldPath: 'vanished', description: 'kept' },
        {
          fieldPath: longOrderId,
          description: 'the id',
          globalTags: { tags: [{ tag: pii }] },
          glossaryTerms: { terms: [{ urn: customer }, { urn: revenue }], auditStamp: stamp },
        },
      ],
    });
  });

  it('validates the resource and changes nothing when no terms are given', async () => {
    await using shop = await openShop();
    assert.equal(await shop.changesNothing(addTerms, { termUrns: [], resourceUrn: orders }), true);
    await shop.refuses(
      addTerms,
      { termUrns: [], resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
  });

  const start = `Failed to update ${orders} & field`;
  const refused: readonly (readonly [
    string,
    Partial<AddTermsInput>,
    Parameters<TestCatalogue['refuses']>[2],
  ])[] = [
    [
      'a malformed urn',
      { termUrns: ['Revenue'] },
      { code: 'INVALID_URN', message: /^Invalid urn "Revenue": a urn looks like/ },
    ],
    [
      'a urn of another type, with the two full stops of the original',
      { termUrns: [pii] },
      {
        code: 'BAD_REQUEST',
        message: `Failed to validate label with urn ${pii}. Urn type does not match entity type glossaryTerm..`,
      },
    ],
    [
      'an unknown term, also behind one that exists',
      { termUrns: [revenue, unknownTerm] },
      {
        code: 'TERM_NOT_FOUND',
        message: `Failed to validate label with urn ${unknownTerm}. Urn does not exist.`,
      },
    ],
    [
      'an unknown dataset before the second term',
      { termUrns: [revenue, unknownTerm], resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    ],
    [
      'the first term before an unknown dataset',
      { termUrns: [unknownTerm], resourceUrn: unknownDataset },
      {
        code: 'TERM_NOT_FOUND',
        message: `Failed to validate label with urn ${unknownTerm}. Urn does not exist.`,
      },
    ],
    [
      'a sub-resource type without a sub-resource',
      { subResourceType: 'DATASET_FIELD' },
      {
        code: 'BAD_REQUEST',
        message:
          `Failed to update resource with urn ${orders}. ` +
          'SubResourceType (DATASET_FIELD) provided without a subResource.',
      },
    ],
    [
      'a sub-resource without its type',
      { subResource: 'user_name' },
      {
        code: 'BAD_REQUEST',
        message:
          `Failed to updates resource with urn ${orders}. ` +
          'SubResource (user_name) provided without a subResourceType.',
      },
    ],
    [
      'a column of an entity without a schema',
      { resourceUrn: customers, ...column('id') },
      {
        code: 'COLUMN_NOT_FOUND',
        message: `Failed to update ${customers} & field id. ${customers} has no schema.`,
      },
    ],
    [
      'an unknown column, with the nearest one',
      column('user_nam'),
      {
        code: 'COLUMN_NOT_FOUND',
        message:
          `${start} user_nam. Field user_nam does not exist in the datasets schema. ` +
          'Did you mean "user_name"?',
      },
    ],
    [
      'a path that several columns could mean',
      column('twice'),
      {
        code: 'AMBIGUOUS_COLUMN',
        message:
          `${start} twice. Field twice means 2 columns of the datasets schema: ` +
          '[version=2.0].[type=int].twice, [version=2.0].[type=string].twice. ' +
          'Send the full path of one of them.',
      },
    ],
    [
      'an entity of a kind that bears no terms',
      { resourceUrn: pii },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type tag have no aspect "glossaryTerms"/ },
    ],
  ];
  for (const [what, input, refusal] of refused) {
    it(`refuses ${what}`, async () => {
      await using shop = await openShop();
      await shop.refuses(addTerms, { termUrns: [revenue], resourceUrn: orders, ...input }, refusal);
    });
  }

  it('refuses a caller without the privilege before it looks at anything', async () => {
    await using shop = await openShop();
    const input = { termUrns: [unknownTerm], resourceUrn: unknownDataset };
    await shop.refuses(addTerms, input, unauthorized, shop.reader);
    await shop.refuses(addTerms, { ...input, ...column('x') }, unauthorized, {
      ...shop.reader,
      privileges: new Set(['EDIT_ENTITY_GLOSSARY_TERMS']),
    });
  });

  it('lets whoever may change only the terms of columns do so', async () => {
    await using shop = await openShop();
    const caller = { ...shop.reader, privileges: new Set(['EDIT_DATASET_COL_GLOSSARY_TERMS'] as const) };
    const input = { termUrns: [revenue], resourceUrn: orders };
    await shop.refuses(addTerms, input, unauthorized, caller);
    assert.equal(await shop.execute(addTerms, { ...input, ...column('user_name') }, caller), true);
  });
});

describe('batchAddTerms', () => {
  it('keeps every change: several columns of one dataset, the dataset itself and another one', async () => {
    await using shop = await openShop();
    const resources = [
      { resourceUrn: orders, ...column('user_name') },
      { resourceUrn: orders, ...column('order_id') },
      { resourceUrn: orders },
      { resourceUrn: customers },
      { resourceUrn: orders, ...column('user_name') },
    ];
    assert.equal(await shop.execute(batchAddTerms, { termUrns: [revenue, customer], resources }), true);
    const both = { terms: [{ urn: revenue }, { urn: customer }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        { fieldPath: 'user_name', glossaryTerms: both },
        { fieldPath: longOrderId, glossaryTerms: both },
      ],
    });
    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), both);
    assert.deepEqual(await shop.body(customers, 'glossaryTerms'), both);
  });

  it('changes nothing when one of two datasets is missing', async () => {
    await using shop = await openShop();
    const resources = [{ resourceUrn: orders }, { resourceUrn: unknownDataset }];
    await shop.refuses(
      batchAddTerms,
      { termUrns: [revenue], resources },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
  });

  it('refuses an unknown term before any resource, and a null among the resources', async () => {
    await using shop = await openShop();
    await shop.refuses(
      batchAddTerms,
      { termUrns: [revenue, unknownTerm], resources: [{ resourceUrn: unknownDataset }] },
      {
        code: 'TERM_NOT_FOUND',
        message: `Failed to validate label with urn ${unknownTerm}. Urn does not exist.`,
      },
    );
    await shop.refuses(
      batchAddTerms,
      { termUrns: [revenue], resources: [{ resourceUrn: orders }, null] },
      { code: 'BAD_REQUEST', message: 'resources[1] is null. Send an object with a resourceUrn.' },
    );
  });

  it('demands the privilege on every resource', async () => {
    await using shop = await openShop();
    const caller = { ...shop.reader, privileges: new Set(['EDIT_ENTITY_GLOSSARY_TERMS'] as const) };
    const resources = [{ resourceUrn: orders }, { resourceUrn: orders, ...column('user_name') }];
    await shop.refuses(batchAddTerms, { termUrns: [revenue], resources }, unauthorized, caller);
  });
});

describe('removeTerm', () => {
  it('detaches a term from a dataset and leaves an empty list behind', async () => {
    await using shop = await openShop();
    await shop.execute(addTerms, { termUrns: [revenue], resourceUrn: orders });
    assert.equal(await shop.execute(removeTerm, { termUrn: revenue, resourceUrn: orders }), true);
    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), { terms: [], auditStamp: stamp });
  });

  it('answers true for a term that is not attached, or no longer exists, and writes nothing', async () => {
    await using shop = await openShop();
    for (const termUrn of [revenue, unknownTerm]) {
      const input = { termUrn, resourceUrn: orders };
      assert.equal(await shop.changesNothing(removeTerm, input), true);
      assert.equal(await shop.changesNothing(removeTerm, { ...input, ...column('user_name') }), true);
    }
  });

  it('detaches a term that was deleted long ago', async () => {
    await using shop = await openShop();
    await shop.seed(orders, { glossaryTerms: { terms: [{ urn: unknownTerm }], auditStamp: unknownStamp } });
    assert.equal(await shop.execute(removeTerm, { termUrn: unknownTerm, resourceUrn: orders }), true);
    assert.deepEqual((await shop.body(orders, 'glossaryTerms'))?.['terms'], []);
  });

  it('answers false for the urn of anything but a term, but only where the resource is there', async () => {
    await using shop = await openShop();
    assert.equal(await shop.changesNothing(removeTerm, { termUrn: pii, resourceUrn: orders }), false);
    await shop.refuses(
      removeTerm,
      { termUrn: pii, resourceUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
  });

  it('detaches a term from a column, wherever it came from, and keeps the rest of the column', async () => {
    await using shop = await openShop();
    const glossaryTerms = { terms: [{ urn: revenue }, { urn: customer }], auditStamp: unknownStamp };
    await shop.seed(orders, {
      schemaMetadata: schemaOf([{ fieldPath: 'user_name', glossaryTerms }, 'other']),
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [{ fieldPath: 'user_name', description: 'edited', glossaryTerms }],
      },
    });
    await shop.execute(removeTerm, { termUrn: revenue, resourceUrn: orders, ...column('user_name') });
    const left = { terms: [{ urn: customer }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [{ fieldPath: 'user_name', description: 'edited', glossaryTerms: left }],
    });
    assert.deepEqual(
      await shop.body(orders, 'schemaMetadata'),
      schemaOf([{ fieldPath: 'user_name', glossaryTerms: left }, 'other']),
    );
    const { items } = await shop.store.relationships({
      urn: await shop.seed(orders),
      direction: 'OUTGOING',
      kinds: ['TermedWith'],
      start: 0,
      count: 10,
      distinct: false,
    });
    assert.deepEqual(items, [{ kind: 'TermedWith', urn: customer, path: 'user_name' }]);
  });

  it('refuses unknown columns, and callers without the privilege', async () => {
    await using shop = await openShop();
    const input = { termUrn: revenue, resourceUrn: orders, ...column('nothing_like_it') };
    await shop.refuses(removeTerm, input, {
      code: 'COLUMN_NOT_FOUND',
      message:
        `Failed to update ${orders} & field nothing_like_it. ` +
        'Field nothing_like_it does not exist in the datasets schema.',
    });
    await shop.refuses(removeTerm, input, unauthorized, shop.reader);
  });
});

describe('batchRemoveTerms', () => {
  it('detaches terms from several datasets and columns; unknown and wrong ones are nothing to detach', async () => {
    await using shop = await openShop();
    const resources = [
      { resourceUrn: orders },
      { resourceUrn: customers },
      { resourceUrn: orders, ...column('user_name') },
      { resourceUrn: orders, ...column('customer.id') },
    ];
    await shop.execute(batchAddTerms, { termUrns: [revenue, customer], resources });
    const input = { termUrns: [revenue, unknownTerm, pii], resources };
    assert.equal(await shop.execute(batchRemoveTerms, input), true);
    const left = { terms: [{ urn: customer }], auditStamp: stamp };
    assert.deepEqual(await shop.body(orders, 'glossaryTerms'), left);
    assert.deepEqual(await shop.body(customers, 'glossaryTerms'), left);
    assert.deepEqual(await shop.body(orders, 'editableSchemaMetadata'), {
      editableSchemaFieldInfo: [
        { fieldPath: 'user_name', glossaryTerms: left },
        { fieldPath: 'customer.id', glossaryTerms: left },
      ],
    });
    assert.equal(await shop.changesNothing(batchRemoveTerms, input), true);
  });

  it('changes nothing when one of two datasets is missing', async () => {
    await using shop = await openShop();
    await shop.execute(addTerms, { termUrns: [revenue], resourceUrn: orders });
    const resources = [{ resourceUrn: orders }, { resourceUrn: unknownDataset }];
    await shop.refuses(
      batchRemoveTerms,
      { termUrns: [revenue], resources },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
  });

  it('refuses a malformed urn and callers without the privilege', async () => {
    await using shop = await openShop();
    const resources = [{ resourceUrn: orders }];
    await shop.refuses(
      batchRemoveTerms,
      { termUrns: ['urn:li:glossaryTerm'], resources },
      { code: 'INVALID_URN', message: /^Invalid urn "urn:li:glossaryTerm"/ },
    );
    await shop.refuses(batchRemoveTerms, { termUrns: [revenue], resources }, unauthorized, shop.reader);
  });
});
