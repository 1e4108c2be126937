import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { orders, seedShop, unauthorized, unknownDataset, unknownStamp } from '../../test/sample-metadata.ts';
import { addLink } from './add-link.ts';
import { removeLink } from './remove-link.ts';
import { updateLink } from './update-link.ts';
import { upsertLink } from './upsert-link.ts';

const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:editor' };
const wiki = { linkUrl: 'https://wiki.example/orders', label: 'How orders are made', resourceUrn: orders };
const missing = {
  code: 'ENTITY_NOT_FOUND',
  message: `Failed to change institutional memory for resource ${unknownDataset}. Resource does not exist.`,
} as const;

async function openShop(): Promise<TestCatalogue> {
  const shop = await openTestCatalogue({ now: () => stamp.time });
  await seedShop(shop);
  return shop;
}

async function linksOf(shop: TestCatalogue): Promise<unknown> {
  return (await shop.body(orders, 'institutionalMemory'))?.['elements'];
}

const element = (url: string, description: string): JsonObject => ({
  url,
  description,
  createStamp: unknownStamp,
});

describe('addLink', () => {
  it('appends links, each url with each label once, and stamps who added them', async () => {
    await using shop = await openShop();
    assert.equal(await shop.execute(addLink, wiki), true);
    await shop.execute(addLink, { ...wiki, label: 'Other', settings: { showInAssetPreview: true } });
    assert.equal(await shop.changesNothing(addLink, wiki), true);
    assert.deepEqual(await linksOf(shop), [
      { url: wiki.linkUrl, description: wiki.label, createStamp: stamp },
      {
        url: wiki.linkUrl,
        description: 'Other',
        createStamp: stamp,
        settings: { showInAssetPreview: true },
      },
    ]);
  });

  it('takes any absolute url that opens a page, and refuses those that run something', async () => {
    await using shop = await openShop();
    for (const linkUrl of ['http://a.example', 'mailto:ana@shop.example', 'slack://channel?id=1']) {
      assert.equal(await shop.execute(addLink, { ...wiki, linkUrl }), true, linkUrl);
    }
    const running = [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
    ];
    for (const linkUrl of ['wiki/orders', '', '//x', ...running, 'vbscript:x', '\u0001javascript:x']) {
      await shop.refuses(
        addLink,
        { ...wiki, linkUrl },
        {
          code: 'BAD_REQUEST',
          message:
            `Failed to change institutional memory for resource ${orders}. Expected an url. Send an absolute url ` +
            'such as https://example.org/page, without javascript:, data: or vbscript:.',
        },
      );
    }
  });

  it('refuses in the order privilege, url, resource', async () => {
    await using shop = await openShop();
    const nowhere = { ...wiki, resourceUrn: unknownDataset };
    await shop.refuses(addLink, { ...nowhere, linkUrl: 'x' }, unauthorized, shop.reader);
    await shop.refuses(
      addLink,
      { ...nowhere, linkUrl: 'x' },
      { code: 'BAD_REQUEST', message: /Expected an url\./ },
    );
    await shop.refuses(addLink, nowhere, missing);
    const user = await shop.seed('urn:li:dataHubRole:Reader');
    await shop.refuses(
      addLink,
      { ...wiki, resourceUrn: user },
      { code: 'UNKNOWN_ASPECT', message: /have no aspect "institutionalMemory"/ },
    );
  });
});

describe('upsertLink', () => {
  it('adds a link that is not there, and replaces the settings of one that is', async () => {
    await using shop = await openShop();
    await shop.execute(upsertLink, wiki);
    assert.equal(await shop.changesNothing(upsertLink, wiki), true);
    const settings = { showInAssetPreview: true };
    await shop.execute(upsertLink, { ...wiki, settings });
    assert.equal(await shop.changesNothing(upsertLink, { ...wiki, settings }), true);
    assert.deepEqual(await linksOf(shop), [
      { url: wiki.linkUrl, description: wiki.label, createStamp: stamp, settings, updateStamp: stamp },
    ]);
  });

  it('refuses what addLink refuses', async () => {
    await using shop = await openShop();
    await shop.refuses(
      upsertLink,
      { ...wiki, linkUrl: 'javascript:x' },
      { code: 'BAD_REQUEST', message: /url/ },
    );
    await shop.refuses(upsertLink, { ...wiki, resourceUrn: unknownDataset }, missing);
    await shop.refuses(upsertLink, wiki, unauthorized, shop.reader);
  });
});

describe('updateLink', () => {
  const change = {
    currentUrl: 'https://a.example',
    currentLabel: 'A',
    linkUrl: 'https://b.example',
    label: 'B',
    resourceUrn: orders,
  };

  it('replaces url and label in place and keeps who created the link', async () => {
    await using shop = await openShop();
    const settings = { showInAssetPreview: true };
    const elements = [{ ...element('https://a.example', 'A'), settings }, element('https://c.example', 'C')];
    await shop.seed(orders, { institutionalMemory: { elements } });
    assert.equal(await shop.execute(updateLink, change), true);
    assert.deepEqual(await linksOf(shop), [
      { ...element('https://b.example', 'B'), settings, updateStamp: stamp },
      elements[1],
    ]);
  });

  it('refuses a link that is not there and one that is there already', async () => {
    await using shop = await openShop();
    const elements = [element('https://a.example', 'A'), element('https://b.example', 'B')];
    await shop.seed(orders, { institutionalMemory: { elements } });
    await shop.refuses(
      updateLink,
      { ...change, currentLabel: 'X' },
      {
        code: 'BAD_REQUEST',
        message: "Failed to update the link 'https://a.example' with label 'X'. The link does not exist",
      },
    );
    await shop.refuses(updateLink, change, {
      code: 'ALREADY_EXISTS',
      message: "The link 'https://b.example' with label 'B' already exists",
    });
    const same = { ...change, linkUrl: 'https://a.example', label: 'A' };
    assert.equal(await shop.changesNothing(updateLink, same), true);
  });

  it('refuses unusable urls, missing resources and callers without the privilege', async () => {
    await using shop = await openShop();
    await shop.refuses(
      updateLink,
      { ...change, linkUrl: 'b' },
      { code: 'BAD_REQUEST', message: /Expected an url/ },
    );
    await shop.refuses(updateLink, { ...change, resourceUrn: unknownDataset }, missing);
    await shop.refuses(updateLink, change, unauthorized, shop.reader);
  });
});

describe('removeLink', () => {
  it('removes every link with the url, or only the one with the label too', async () => {
    await using shop = await openShop();
    const elements = ['A', 'B', 'C'].map((label) => element('https://a.example', label));
    const other = element('https://b.example', 'A');
    await shop.seed(orders, { institutionalMemory: { elements: [...elements, other] } });
    const input = { linkUrl: 'https://a.example', resourceUrn: orders };
    await shop.execute(removeLink, { ...input, label: 'B' });
    assert.deepEqual(await linksOf(shop), [elements[0], elements[2], other]);
    await shop.execute(removeLink, input);
    assert.deepEqual(await linksOf(shop), [other]);
    assert.equal(await shop.changesNothing(removeLink, input), true);
  });

  it('refuses missing resources and callers without the privilege', async () => {
    await using shop = await openShop();
    const input = { linkUrl: 'https://a.example', resourceUrn: unknownDataset };
    await shop.refuses(removeLink, input, missing);
    await shop.refuses(removeLink, input, unauthorized, shop.reader);
  });
});
