import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import {
  customers,
  orders,
  pii,
  seedShop,
  unauthorized,
  unknownDataset,
} from '../../test/sample-metadata.ts';
import { batchSetDomain } from './batch-set-domain.ts';
import { createDomain } from './create-domain.ts';
import { deleteDomain } from './delete-domain.ts';
import { moveDomain } from './move-domain.ts';
import { setDomain } from './set-domain.ts';
import { unsetDomain } from './unset-domain.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const sales = 'urn:li:domain:sales';
const web = 'urn:li:domain:web';
const people = 'urn:li:domain:people';
const unknownDomain = 'urn:li:domain:nobody-made-this';
const technical = 'urn:li:ownershipType:__system__technical_owner';

/** A shop with the domains sales, web in it, and people beside it. */
async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time, newId: () => 'a-new-id' });
  await seedShop(shop);
  await shop.execute(createDomain, { id: 'sales', name: 'Sales' });
  await shop.execute(createDomain, { id: 'web', name: 'Web', parentDomain: sales });
  await shop.execute(createDomain, { id: 'people', name: 'People' });
  return shop;
}

async function childrenOf(shop: TestCatalogue, parent: string | undefined): Promise<readonly string[]> {
  const urn = parent === undefined ? undefined : await shop.seed(parent);
  const { items } = await shop.store.children({ type: 'domain', parent: urn, start: 0, count: 10 });
  return items;
}

describe('createDomain', () => {
  it('stores what is said, in its place, and makes the caller its owner', async () => {
    await using shop = await openShop();
    const input = { name: 'Shops', description: 'All of them', parentDomain: sales };
    assert.equal(await shop.execute(createDomain, input), 'urn:li:domain:a-new-id');
    assert.deepEqual(await shop.body('urn:li:domain:a-new-id', 'domainProperties'), {
      name: 'Shops',
      description: 'All of them',
      created: stamp,
      parentDomain: sales,
    });
    assert.deepEqual(await childrenOf(shop, sales), ['urn:li:domain:a-new-id', web]);
    const ownership = await shop.body(sales, 'ownership');
    assert.deepEqual(ownership?.['ownerTypes'], { [technical]: [stamp.actor] });
  });

  it('refuses an id that is there, a name that is taken in the same place, and an unknown parent', async () => {
    await using shop = await openShop();
    await shop.refuses(
      createDomain,
      { id: 'web', name: 'Other' },
      { code: 'ALREADY_EXISTS', message: 'This Domain already exists!' },
    );
    const taken = {
      code: 'NAME_CONFLICT',
      message: '"Web" already exists in this domain. Please pick a unique name.',
    } as const;
    await shop.refuses(createDomain, { name: 'Web', parentDomain: sales }, taken);
    assert.ok(await shop.execute(createDomain, { id: 'other', name: 'Web', parentDomain: people }));
    await shop.refuses(
      createDomain,
      { name: 'x', parentDomain: unknownDomain },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Parent Domain does not exist! There is no ${unknownDomain}.`,
      },
    );
    await shop.refuses(
      createDomain,
      { name: 'x', parentDomain: pii },
      { code: 'BAD_REQUEST', message: `Failed to create the domain. ${pii} is not a domain.` },
    );
    await shop.refuses(createDomain, { name: '' }, { code: 'BAD_REQUEST', message: /blank/ });
  });

  it('lets one of two have a name that both ask for at the same time', async () => {
    await using shop = await openShop();
    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((id) => shop.execute(createDomain, { id, name: 'Same' })),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  it('is for whoever may create domains, or manage them', async () => {
    await using shop = await openShop();
    await shop.refuses(createDomain, { id: 'web', name: 'x' }, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['CREATE_DOMAINS'] as const) };
    assert.ok(await shop.execute(createDomain, { name: 'Mine' }, caller));
  });
});

describe('moveDomain', () => {
  it('moves a domain into another one and back to the root', async () => {
    await using shop = await openShop();
    assert.equal(await shop.execute(moveDomain, { resourceUrn: web, parentDomain: people }), true);
    assert.deepEqual(await childrenOf(shop, people), [web]);
    assert.equal(await shop.changesNothing(moveDomain, { resourceUrn: web, parentDomain: people }), true);
    await shop.execute(moveDomain, { resourceUrn: web, parentDomain: null });
    assert.deepEqual(await childrenOf(shop, undefined), [people, sales, web]);
    assert.deepEqual(await shop.body(web, 'domainProperties'), { name: 'Web', created: stamp });
    assert.equal(await shop.changesNothing(moveDomain, { resourceUrn: web }), true);
  });

  it('refuses to move a domain into itself, or into what lies in it', async () => {
    await using shop = await openShop();
    for (const parentDomain of [sales, web]) {
      await shop.refuses(
        moveDomain,
        { resourceUrn: sales, parentDomain },
        {
          code: 'HIERARCHY_CYCLE',
          message:
            `Failed to update ${sales}. ${parentDomain} is the domain itself or lies below it; ` +
            'choose a domain outside of it.',
        },
      );
    }
  });

  it('refuses a name that is taken there, what does not exist, and what is no domain', async () => {
    await using shop = await openShop();
    await shop.execute(createDomain, { id: 'other', name: 'Web', parentDomain: people });
    await shop.refuses(
      moveDomain,
      { resourceUrn: web, parentDomain: people },
      {
        code: 'NAME_CONFLICT',
        message: '"Web" already exists in the destination domain. Please pick a unique name.',
      },
    );
    const missing = `Failed to update ${unknownDomain}. ${unknownDomain} does not exist.`;
    await shop.refuses(
      moveDomain,
      { resourceUrn: unknownDomain },
      { code: 'ENTITY_NOT_FOUND', message: missing },
    );
    await shop.refuses(
      moveDomain,
      { resourceUrn: web, parentDomain: unknownDomain },
      { code: 'ENTITY_NOT_FOUND', message: /^Parent Domain does not exist!/ },
    );
    await shop.refuses(
      moveDomain,
      { resourceUrn: pii },
      { code: 'BAD_REQUEST', message: `Resource is not a domain. ${pii} is not a domain.` },
    );
    await shop.refuses(
      moveDomain,
      { resourceUrn: web, parentDomain: pii },
      { code: 'BAD_REQUEST', message: `Parent entity is not a domain. ${pii} is not a domain.` },
    );
    await shop.refuses(moveDomain, { resourceUrn: unknownDomain }, unauthorized, shop.reader);
  });
});

describe('deleteDomain', () => {
  it('deletes a domain and takes what belonged to it out of it', async () => {
    await using shop = await openShop();
    await shop.execute(setDomain, { entityUrn: orders, domainUrn: web });
    assert.equal(await shop.execute(deleteDomain, { urn: web }), true);
    assert.deepEqual(await shop.body(orders, 'domains'), { domains: [], domainAssociations: [] });
    assert.equal(await shop.body(web, 'domainProperties'), undefined);
    await shop.refuses(
      deleteDomain,
      { urn: web },
      { code: 'MISSING_FOR_DELETE', message: `This urn does not exist: ${web}` },
    );
  });

  it('refuses a domain that others lie in, what is no domain, and callers without the privilege', async () => {
    await using shop = await openShop();
    await shop.refuses(
      deleteDomain,
      { urn: sales },
      {
        code: 'BAD_REQUEST',
        message: `Cannot delete domain ${sales} which has child domains (1). Move or delete them first.`,
      },
    );
    await shop.refuses(deleteDomain, { urn: pii }, { code: 'BAD_REQUEST', message: /is not a domain\./ });
    await shop.refuses(deleteDomain, { urn: unknownDomain }, unauthorized, shop.reader);
  });
});

describe('setDomain and unsetDomain', () => {
  it('put an entity into one domain and out of any other, and out of all', async () => {
    await using shop = await openShop();
    const ingested = { domain: people, attribution: { time: 1, actor: stamp.actor } };
    await shop.seed(orders, {
      domains: { domains: [people, web], domainAssociations: [ingested, { domain: web }] },
    });
    assert.equal(await shop.execute(setDomain, { entityUrn: orders, domainUrn: people }), true);
    assert.deepEqual(await shop.body(orders, 'domains'), {
      domains: [people],
      domainAssociations: [ingested],
    });
    assert.equal(await shop.changesNothing(setDomain, { entityUrn: orders, domainUrn: people }), true);
    assert.equal(await shop.execute(unsetDomain, { entityUrn: orders }), true);
    assert.deepEqual(await shop.body(orders, 'domains'), { domains: [], domainAssociations: [] });
    assert.equal(await shop.changesNothing(unsetDomain, { entityUrn: orders }), true);
    assert.equal(await shop.changesNothing(unsetDomain, { entityUrn: customers }), true);
  });

  it('refuse domains and entities that do not exist, and what can belong to none', async () => {
    await using shop = await openShop();
    const start = (entity: string, domain: string): string =>
      `Failed to add Entity ${entity} to Domain ${domain}.`;
    await shop.refuses(
      setDomain,
      { entityUrn: unknownDataset, domainUrn: unknownDomain },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `${start(unknownDataset, unknownDomain)} Domain does not exist.`,
      },
    );
    await shop.refuses(
      setDomain,
      { entityUrn: unknownDataset, domainUrn: web },
      { code: 'ENTITY_NOT_FOUND', message: `${start(unknownDataset, web)} Entity does not exist.` },
    );
    await shop.refuses(
      setDomain,
      { entityUrn: orders, domainUrn: pii },
      { code: 'BAD_REQUEST', message: `Failed to set the domain. ${pii} is not a domain.` },
    );
    await shop.refuses(
      setDomain,
      { entityUrn: pii, domainUrn: web },
      { code: 'UNKNOWN_ASPECT', message: /^Entities of type tag have no aspect "domains"/ },
    );
    await shop.refuses(
      unsetDomain,
      { entityUrn: unknownDataset },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to remove Domain from Entity ${unknownDataset}. Entity does not exist.`,
      },
    );
    const input = { entityUrn: unknownDataset, domainUrn: unknownDomain };
    await shop.refuses(setDomain, input, unauthorized, shop.reader);
    await shop.refuses(unsetDomain, input, unauthorized, shop.reader);
    const caller = { ...shop.reader, privileges: new Set(['EDIT_DOMAINS_PRIVILEGE'] as const) };
    assert.ok(await shop.execute(setDomain, { entityUrn: orders, domainUrn: web }, caller));
  });
});

describe('batchSetDomain', () => {
  it('puts several entities into a domain, and out of theirs without one', async () => {
    await using shop = await openShop();
    const resources = [{ resourceUrn: orders }, { resourceUrn: customers }, { resourceUrn: orders }];
    assert.equal(await shop.execute(batchSetDomain, { domainUrn: web, resources }), true);
    for (const urn of [orders, customers]) {
      assert.deepEqual(await shop.body(urn, 'domains'), {
        domains: [web],
        domainAssociations: [{ domain: web }],
      });
    }
    assert.equal(await shop.changesNothing(batchSetDomain, { domainUrn: web, resources }), true);
    await shop.execute(batchSetDomain, { domainUrn: null, resources });
    assert.deepEqual(await shop.body(customers, 'domains'), { domains: [], domainAssociations: [] });
    assert.equal(await shop.changesNothing(batchSetDomain, { resources }), true);
  });

  it('changes nothing when the domain or one of two entities is missing, or a column is named', async () => {
    await using shop = await openShop();
    const resources = [{ resourceUrn: orders }, { resourceUrn: unknownDataset }];
    await shop.refuses(
      batchSetDomain,
      { domainUrn: web, resources },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to update resource with urn ${unknownDataset}. Entity does not exist.`,
      },
    );
    await shop.refuses(
      batchSetDomain,
      { domainUrn: unknownDomain, resources },
      {
        code: 'ENTITY_NOT_FOUND',
        message: `Failed to validate Domain with urn ${unknownDomain}. Urn does not exist.`,
      },
    );
    const column = [{ resourceUrn: orders, subResourceType: 'DATASET_FIELD', subResource: 'id' }] as const;
    await shop.refuses(
      batchSetDomain,
      { domainUrn: web, resources: column },
      { code: 'BAD_REQUEST', message: /domain cannot be applied to subresources/ },
    );
    await shop.refuses(batchSetDomain, { domainUrn: web, resources }, unauthorized, shop.reader);
  });
});
