import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { deleteTest } from './delete-test.ts';
import { testInfoOf } from './test-entity.ts';
import { createTestLibrary } from './test-library.ts';

const urnOf = (id: string): Urn => parseUrn(`urn:li:test:${id}`);

async function save(catalogue: TestCatalogue, id: string, operator: string, mode = 'ACTIVE'): Promise<void> {
  const definition = {
    on: { types: ['dataset'] },
    rules: [{ property: 'ownership.owners.owner', operator }],
  };
  const info = testInfoOf({ name: id, category: 'c', definition: { json: JSON.stringify(definition) } }, 0);
  await catalogue.seed(urnOf(id), { testInfo: { ...info, status: { mode } } });
}

test('of many tests, one that is saved is compiled alone', async () => {
  const catalogue = await openTestCatalogue();
  try {
    for (const id of ['a', 'b', 'c']) await save(catalogue, id, 'exists');
    const library = createTestLibrary(catalogue.store);
    const before = await library.all();
    await save(catalogue, 'b', 'is_empty');
    await save(catalogue, 'd', 'exists');
    const after = await library.all();
    assert.deepEqual([...after.keys()].toSorted(), ['a', 'b', 'c', 'd'].map(urnOf));
    const same = [...before].filter(([urn, { compiled }]) => after.get(urn)?.compiled === compiled);
    assert.deepEqual(
      same.map(([urn]) => urn),
      [urnOf('a'), urnOf('c')],
    );
    assert.notEqual(after.get(urnOf('b'))?.definitionMd5, before.get(urnOf('b'))?.definitionMd5);

    await save(catalogue, 'a', 'exists', 'INACTIVE');
    await catalogue.execute(deleteTest, { urn: urnOf('c') }, catalogue.admin);
    const last = await library.all();
    assert.deepEqual([...last.keys()].toSorted(), ['a', 'b', 'd'].map(urnOf));
    assert.equal(last.get(urnOf('a'))?.isActive, false);
    assert.equal(last.get(urnOf('a'))?.compiled, after.get(urnOf('a'))?.compiled);
  } finally {
    await catalogue.close();
  }
});

test('tests that are saved at the same time are all known to whoever asks afterwards', async () => {
  const catalogue = await openTestCatalogue();
  try {
    const library = createTestLibrary(catalogue.store);
    await library.all();
    const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await Promise.all(
      ids.map(async (id) => {
        await save(catalogue, id, 'exists');
        assert.ok((await library.all()).has(urnOf(id)), id);
      }),
    );
    assert.equal((await library.all()).size, 20);
  } finally {
    await catalogue.close();
  }
});

test('a test whose definition cannot be read is told apart from one that is gone, until it can be read', async () => {
  const catalogue = await openTestCatalogue();
  try {
    const library = createTestLibrary(catalogue.store);
    await save(catalogue, 'a', 'exists');
    await catalogue.seed(urnOf('b'), {
      testInfo: { name: 'b', category: 'c', definition: { type: 'JSON', json: '{"on": 1}' } },
    });
    const { tests, unreadable } = await library.shelves();
    assert.deepEqual([[...tests.keys()], [...unreadable]], [[urnOf('a')], [urnOf('b')]]);
    await save(catalogue, 'b', 'exists');
    assert.deepEqual([...(await library.shelves()).unreadable], []);
    assert.equal((await library.all()).size, 2);
  } finally {
    await catalogue.close();
  }
});
