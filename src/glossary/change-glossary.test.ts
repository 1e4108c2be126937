import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customer,
  orders,
  pii,
  revenue,
  seedShop,
  termInfo,
  unauthorized,
  unknownTerm,
} from '../../test/sample-metadata.ts';
import { addRelatedTerms } from './add-related-terms.ts';
import { createGlossaryNode } from './create-glossary-node.ts';
import { createGlossaryTerm } from './create-glossary-term.ts';
import { removeRelatedTerms } from './remove-related-terms.ts';
import { updateName } from './update-name.ts';
import { updateParentNode } from './update-parent-node.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const finance = 'urn:li:glossaryNode:Finance';
const risk = 'urn:li:glossaryNode:Finance.Risk';
const unknownNode = 'urn:li:glossaryNode:Nobody';
const domain = 'urn:li:domain:sales';
const chart = 'urn:li:chart:(looker,sales)';
const rate = { name: 'Rate of Return', id: 'rateofreturn', description: 'What an investment brings' };

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time, newId: () => 'a-new-id' });
  await seedShop(shop);
  await shop.seed(finance, { glossaryNodeInfo: { name: 'Finance', definition: '' } });
  await shop.seed(risk, { glossaryNodeInfo: { name: 'Risk', definition: '', parentNode: finance } });
  return shop;
}

const owned = {
  owners: [
    {
      owner: stamp.actor,
      type: 'TECHNICAL_OWNER',
      typeUrn: 'urn:li:ownershipType:__system__technical_owner',
      source: { type: 'MANUAL' },
    },
  ],
  ownerTypes: { 'urn:li:ownershipType:__system__technical_owner': [stamp.actor] },
  lastModified: stamp,
};

describe('createGlossaryTerm', () => {
  it('stores name, definition and source, makes the caller its technical owner, and answers the urn', async () => {
    await using shop = await openShop();
    const urn = await shop.execute(createGlossaryTerm, rate);
    assert.equal(urn, 'urn:li:glossaryTerm:rateofreturn');
    assert.deepEqual(await shop.body(urn, 'glossaryTermInfo'), {
      definition: 'What an investment brings',
      name: 'Rate of Return',
      termSource: 'INTERNAL',
    });
    assert.deepEqual(await shop.body(urn, 'ownership'), owned);
    assert.deepEqual(await shop.body(urn, 'glossaryTermKey'), { name: 'rateofreturn' });
  });

  it('makes up an id, and takes an empty description and the root, where nothing is said', async () => {
    await using shop = await openShop();
    const urn = await shop.execute(createGlossaryTerm, { name: 'Alone' });
    assert.equal(urn, 'urn:li:glossaryTerm:a-new-id');
    const expected = { definition: '', name: 'Alone', termSource: 'INTERNAL' };
    assert.deepEqual(await shop.body(urn, 'glossaryTermInfo'), expected);
    const nothing = { name: 'Nothing said', id: 'x', description: null, parentNode: null };
    await shop.execute(createGlossaryTerm, nothing);
    assert.deepEqual(await shop.body('urn:li:glossaryTerm:x', 'glossaryTermInfo'), {
      ...expected,
      name: 'Nothing said',
    });
  });

  it('never overwrites: it refuses a name that is taken at its place, then an id that is taken', async () => {
    await using shop = await openShop();
    await shop.execute(createGlossaryTerm, rate);
    const taken = {
      code: 'ALREADY_EXISTS',
      message: 'Glossary Term with this name already exists at this level of the Business Glossary',
    } as const;
    await shop.refuses(createGlossaryTerm, rate, taken);
    await shop.refuses(createGlossaryTerm, { name: rate.name }, taken);
    await shop.refuses(
      createGlossaryTerm,
      { ...rate, name: 'Another' },
      { code: 'ALREADY_EXISTS', message: 'This Glossary Term already exists!' },
    );
    await shop.execute(createGlossaryTerm, { ...rate, id: 'below', parentNode: finance });
    assert.deepEqual(await shop.body('urn:li:glossaryTerm:below', 'glossaryTermInfo'), {
      definition: rate.description,
      name: rate.name,
      termSource: 'INTERNAL',
      parentNode: finance,
    });
    await shop.refuses(createGlossaryTerm, { name: rate.name, parentNode: finance }, taken);
    await shop.execute(createGlossaryTerm, { name: rate.name.toUpperCase(), id: 'upper' });
  });

  it('refuses one of two that are sent at the same moment', async () => {
    await using shop = await openShop();
    const outcomes = await Promise.allSettled([
      shop.execute(createGlossaryTerm, rate),
      shop.execute(createGlossaryTerm, { ...rate, id: 'other' }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
  });

  it('refuses blank names, ids that cannot stand in a urn, unknown parents and callers without the privilege', async () => {
    await using shop = await openShop();
    for (const name of ['', '  \n']) {
      await shop.refuses(
        createGlossaryTerm,
        { name },
        { code: 'BAD_REQUEST', message: /^The name is blank\./ },
      );
    }
    await shop.refuses(
      createGlossaryTerm,
      { ...rate, id: 'a\u0007b' },
      { code: 'INVALID_URN', message: /control character/ },
    );
    await shop.refuses(
      createGlossaryTerm,
      { ...rate, id: 'x'.repeat(3000) },
      { code: 'INVALID_URN', message: /2048/ },
    );
    for (const parentNode of [unknownNode, revenue]) {
      await shop.refuses(
        createGlossaryTerm,
        { ...rate, parentNode },
        {
          code: 'ENTITY_NOT_FOUND',
          message:
            'Failed to create urn:li:glossaryTerm:rateofreturn. ' +
            `${parentNode} either does not exist or is not a glossaryNode.`,
        },
      );
    }
    await shop.refuses(
      createGlossaryTerm,
      { ...rate, parentNode: 'Finance' },
      { code: 'INVALID_URN', message: /"Finance"/ },
    );
    await shop.refuses(createGlossaryTerm, rate, unauthorized, shop.reader);
    await shop.refuses(createGlossaryNode, rate, unauthorized, shop.reader);
  });
});

describe('createGlossaryNode', () => {
  it('stores a node with its owner; equal names may stand side by side, an id is taken once', async () => {
    await using shop = await openShop();
    const urn = await shop.execute(createGlossaryNode, { name: 'Risk', id: 'risk', parentNode: finance });
    assert.deepEqual(await shop.body(urn, 'glossaryNodeInfo'), {
      definition: '',
      name: 'Risk',
      parentNode: finance,
    });
    assert.deepEqual(await shop.body(urn, 'ownership'), owned);
    await shop.refuses(
      createGlossaryNode,
      { name: 'Other', id: 'risk' },
      { code: 'ALREADY_EXISTS', message: 'This Glossary Node already exists!' },
    );
    await shop.refuses(
      createGlossaryNode,
      { name: 'Other', id: 'other', parentNode: unknownNode },
      { code: 'ENTITY_NOT_FOUND', message: /either does not exist or is not a glossaryNode\.$/ },
    );
    await shop.refuses(createGlossaryNode, { name: ' ' }, { code: 'BAD_REQUEST', message: /blank/ });
  });
});

describe('updateName', () => {
  it('renames tags, groups and data products where each keeps its name', async () => {
    await using shop = await openShop();
    const team = 'urn:li:corpGroup:team';
    const product = 'urn:li:dataProduct:orders';
    const info = { displayName: 'Team', admins: [], members: [], groups: [] };
    await shop.seed(team, { corpGroupInfo: info });
    await shop.seed(product, { dataProductProperties: { name: 'Orders', description: 'kept' } });
    for (const urn of [pii, team, product]) {
      assert.equal(await shop.execute(updateName, { urn, name: 'New' }, shop.admin), true);
    }
    assert.deepEqual(await shop.body(pii, 'tagProperties'), { name: 'New' });
    assert.deepEqual(await shop.body(team, 'corpGroupInfo'), { ...info, displayName: 'New' });
    assert.deepEqual(await shop.body(product, 'dataProductProperties'), { name: 'New', description: 'kept' });
    await shop.refuses(updateName, { urn: team, name: 'Other' }, unauthorized);
  });

  it('refuses a name that another domain in the same place bears', async () => {
    await using shop = await openShop();
    const other = 'urn:li:domain:other';
    const inside = 'urn:li:domain:inside';
    await shop.seed(domain, { domainProperties: { name: 'Sales' } });
    await shop.seed(other, { domainProperties: { name: 'Other' } });
    await shop.seed(inside, { domainProperties: { name: 'Inside', parentDomain: domain } });
    await shop.refuses(
      updateName,
      { urn: other, name: 'Sales' },
      {
        code: 'NAME_CONFLICT',
        message: '"Sales" already exists in this domain. Please pick a unique name.',
      },
    );
    assert.equal(await shop.execute(updateName, { urn: inside, name: 'Sales' }), true);
  });

  it('renames terms, nodes, domains and datasets, and keeps whatever else is known', async () => {
    await using shop = await openShop();
    await shop.seed(domain, { domainProperties: { name: 'Sales', description: 'kept' } });
    await shop.seed(orders, { editableDatasetProperties: { description: 'kept' } });
    for (const urn of [revenue, risk, domain, orders]) {
      assert.equal(await shop.execute(updateName, { urn, name: 'New' }), true);
      assert.equal(await shop.changesNothing(updateName, { urn, name: 'New' }), true);
    }
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), termInfo('New'));
    assert.deepEqual(await shop.body(risk, 'glossaryNodeInfo'), {
      name: 'New',
      definition: '',
      parentNode: finance,
    });
    assert.deepEqual(await shop.body(domain, 'domainProperties'), { name: 'New', description: 'kept' });
    assert.deepEqual(await shop.body(orders, 'editableDatasetProperties'), {
      description: 'kept',
      name: 'New',
      created: stamp,
      lastModified: stamp,
    });
  });

  it('refuses what is not there, other types, blank names and callers without the privilege', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateName,
      { urn: unknownTerm, name: 'New' },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${unknownTerm}. ${unknownTerm} does not exist.`,
      },
    );
    await shop.refuses(
      updateName,
      { urn: chart, name: 'New' },
      {
        code: 'UNSUPPORTED_RESOURCE_TYPE',
        message: `Failed to update name. Unsupported resource type ${chart} provided.`,
      },
    );
    await shop.refuses(updateName, { urn: revenue, name: '' }, { code: 'BAD_REQUEST', message: /blank/ });
    await shop.seed(domain);
    await shop.refuses(
      updateName,
      { urn: domain, name: 'New' },
      { code: 'BAD_REQUEST', message: 'Properties for this Domain do not yet exist!' },
    );
    for (const urn of [revenue, risk, domain, orders]) {
      await shop.refuses(updateName, { urn, name: 'New' }, unauthorized, shop.reader);
    }
  });
});

describe('updateParentNode', () => {
  it('moves terms and nodes below another node, and to the root', async () => {
    await using shop = await openShop();
    await shop.execute(updateParentNode, { resourceUrn: revenue, parentNode: risk });
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), termInfo('Revenue', risk));
    assert.equal(
      await shop.changesNothing(updateParentNode, { resourceUrn: revenue, parentNode: risk }),
      true,
    );
    await shop.execute(updateParentNode, { resourceUrn: revenue, parentNode: null });
    assert.deepEqual(await shop.body(revenue, 'glossaryTermInfo'), termInfo('Revenue'));
    await shop.execute(updateParentNode, { resourceUrn: risk });
    assert.deepEqual(await shop.body(risk, 'glossaryNodeInfo'), { name: 'Risk', definition: '' });
    const roots = await shop.store.children({ type: 'glossaryNode', parent: undefined, start: 0, count: 9 });
    assert.deepEqual(roots.items, [finance, risk]);
  });

  it('never moves a node below itself, however deep, also where two moves are sent at the same moment', async () => {
    await using shop = await openShop();
    for (const parentNode of [finance, risk]) {
      await shop.refuses(
        updateParentNode,
        { resourceUrn: finance, parentNode },
        {
          code: 'HIERARCHY_CYCLE',
          message:
            `Failed to update ${finance}. ${parentNode} is the node itself or lies below it; ` +
            'choose a node outside of it.',
        },
      );
    }
    const other = 'urn:li:glossaryNode:Other';
    await shop.seed(other, { glossaryNodeInfo: { name: 'Other', definition: '' } });
    const outcomes = await Promise.allSettled([
      shop.execute(updateParentNode, { resourceUrn: other, parentNode: risk }),
      shop.execute(updateParentNode, { resourceUrn: finance, parentNode: other }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
  });

  it('ends where ingestion stored a cycle', async () => {
    await using shop = await openShop();
    const [a, b] = ['urn:li:glossaryNode:a', 'urn:li:glossaryNode:b'];
    await shop.seed(a, { glossaryNodeInfo: { definition: '', parentNode: b } });
    await shop.seed(b, { glossaryNodeInfo: { definition: '', parentNode: a } });
    assert.equal(await shop.execute(updateParentNode, { resourceUrn: risk, parentNode: a }), true);
  });

  it('refuses missing resources, parents that are no node, other types and callers without the privilege', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateParentNode,
      { resourceUrn: unknownTerm, parentNode: unknownNode },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${unknownTerm}. ${unknownTerm} does not exist.`,
      },
    );
    for (const parentNode of [unknownNode, customer]) {
      await shop.refuses(
        updateParentNode,
        { resourceUrn: revenue, parentNode },
        {
          code: 'ENTITY_NOT_FOUND',
          message: `Failed to update ${revenue}. ${parentNode} either does not exist or is not a glossaryNode.`,
        },
      );
    }
    await shop.refuses(
      updateParentNode,
      { resourceUrn: orders, parentNode: finance },
      {
        code: 'UNSUPPORTED_RESOURCE_TYPE',
        message: `Failed to update parentNode. Unsupported resource type ${orders} provided.`,
      },
    );
    await shop.refuses(updateParentNode, { resourceUrn: revenue }, unauthorized, shop.reader);
  });
});

describe('related terms', () => {
  it('are added each once, kind by kind, and taken back', async () => {
    await using shop = await openShop();
    const input = { urn: revenue, termUrns: [customer, customer], relationshipType: 'isA' } as const;
    const parts = { ...input, relationshipType: 'hasA' } as const;
    assert.equal(await shop.execute(addRelatedTerms, input), true);
    assert.equal(await shop.changesNothing(addRelatedTerms, input), true);
    await shop.execute(addRelatedTerms, parts);
    const both = { isRelatedTerms: [customer], hasRelatedTerms: [customer] };
    assert.deepEqual(await shop.body(revenue, 'glossaryRelatedTerms'), both);
    assert.equal(await shop.execute(removeRelatedTerms, input), true);
    assert.equal(await shop.changesNothing(removeRelatedTerms, input), true);
    assert.deepEqual(await shop.body(revenue, 'glossaryRelatedTerms'), { ...both, isRelatedTerms: [] });
    const never = { ...input, urn: customer, termUrns: [revenue, unknownTerm] };
    assert.equal(await shop.changesNothing(removeRelatedTerms, never), true);
  });

  it('are refused for what is no term, for itself, and for callers without the privilege', async () => {
    await using shop = await openShop();
    const input = { urn: revenue, termUrns: [customer], relationshipType: 'isA' } as const;
    const start = `Failed to update ${revenue}.`;
    for (const urn of [unknownTerm, pii]) {
      const refusal = {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update ${urn}. ${urn} either does not exist or is not a glossaryTerm.`,
      } as const;
      await shop.refuses(addRelatedTerms, { ...input, urn }, refusal);
      await shop.refuses(removeRelatedTerms, { ...input, urn }, refusal);
    }
    await shop.refuses(
      addRelatedTerms,
      { ...input, termUrns: [customer, revenue] },
      { code: 'BAD_REQUEST', message: `${start} Tried to create related term with itself.` },
    );
    await shop.refuses(
      addRelatedTerms,
      { ...input, termUrns: [pii] },
      { code: 'BAD_REQUEST', message: `${start} ${pii} is not a glossaryTerm.` },
    );
    await shop.refuses(
      addRelatedTerms,
      { ...input, termUrns: [unknownTerm] },
      { code: 'TERM_NOT_FOUND', message: `${start} ${unknownTerm} does not exist.` },
    );
    await shop.refuses(addRelatedTerms, input, unauthorized, shop.reader);
    await shop.refuses(removeRelatedTerms, input, unauthorized, shop.reader);
  });
});
