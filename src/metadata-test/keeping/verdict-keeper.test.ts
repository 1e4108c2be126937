import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeptCatalogue } from './kept-catalogue.fixture.ts';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const hasTag = { property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:Tier1'] };
const hasOwner = { property: 'ownership.owners.owner', operator: 'exists' };
const tags = (...names: string[]): { tags: { tag: string }[] } => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});
const owners = (...names: string[]): { owners: { owner: string; type: string }[] } => ({
  owners: names.map((name) => ({ owner: `urn:li:corpuser:${name}`, type: 'DATAOWNER' })),
});

test('a saved test has its verdicts, and they follow what is written', async () => {
  await using kept = await openKeptCatalogue();
  const { catalogue, keeper } = kept;
  await catalogue.seed(dataset('a'), { globalTags: tags('Tier1') });
  await catalogue.seed(dataset('b'), { globalTags: tags('Tier1'), ownership: owners('ana') });
  await kept.saveTest('t', { on: { types: ['dataset'], conditions: [hasTag] }, rules: [hasOwner] });
  await keeper.settled();
  assert.deepEqual(kept.reports, []);
  assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'FAIL');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('b')), 'PASS');
  await catalogue.seed(dataset('a'), { ownership: owners('ana') });
  await catalogue.seed(dataset('b'), { globalTags: tags('Other') });
  await catalogue.seed(dataset('c'), { globalTags: tags('Tier1') });
  await keeper.settled();
  assert.equal(await kept.verdict('urn:li:test:t', dataset('a')), 'PASS');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('b')), 'NONE');
  assert.equal(await kept.verdict('urn:li:test:t', dataset('c')), 'FAIL');
  assert.deepEqual(kept.reports, []);
});
