import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../aspect/search-entry.ts';
import { figure, seededRandom, type SeededRandom } from '../../test/reliability/seeded-random.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { parseUrn } from '../urn/urn.ts';
import { nameClassOf } from './name-classes.ts';
import { classOf } from './plain-search.fixture.ts';
import { readQueryText } from './query-text.ts';

const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');
const parts = ['order', 'orders', 'Order', 'Détail', 'detail', '注文', 'x', '7', 'orderdetail'];
const between = ['', ' ', '_', '.', '-'];

function randomName(random: SeededRandom): string {
  const words = Array.from({ length: random.between(1, 4) }, () => random.pick(parts) + random.pick(between));
  // Of a long name only the beginning counts, and of its whole less than of its words.
  const filling = random.pick(['', '', '', 'y'.repeat(110), ' y'.repeat(490), 'y '.repeat(500)]);
  return random.between(0, 1) === 0 ? words.join('') + filling : filling + words.join('');
}

test('the class of an entity by its names is the one by the terms of its entries', (context) => {
  const random = seededRandom('classes by names');
  const counts = [0, 0, 0, 0];
  for (let round = 0; round < 3_000; round += 1) {
    const names = Array.from({ length: random.between(1, 2) }, () => randomName(random));
    const entries = [
      searchEntryOf(urn, 'datasetProperties', { name: names[0] ?? '' }),
      searchEntryOf(urn, 'editableDatasetProperties', { name: names[1] ?? '' }),
    ];
    const terms = new Set(entries.flatMap((entry) => (entry === undefined ? [] : [...termsOf(entry)])));
    const text =
      random.between(0, 3) === 0 ? (names[0] ?? '').slice(0, random.between(2, 9)) : randomName(random);
    const question = readQueryText(text);
    if (question.kind === 'everything' || question.words.length === 0) continue;
    const expected = classOf({ urn, terms, fields: new Map() }, text);
    counts[expected] = (counts[expected] ?? 0) + 1;
    assert.equal(nameClassOf(names, question), expected, JSON.stringify([names, text]));
  }
  for (const count of counts) assert.ok(count > 20, `every class is met: ${counts.join(', ')}`);
  figure(context, 'Search', `${counts.join(', ')} names in the four classes of a text`);
});
