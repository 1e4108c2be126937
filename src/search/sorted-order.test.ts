import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWorkPace } from '../entity/work-pace.ts';
import { createFieldColumn } from './field-column.ts';
import { numberSetOf } from './number-set.ts';
import type { SearchPosition } from './search-cursor.ts';
import { requireSearchField } from './searched-field.ts';
import { pageByFields } from './sorted-order.ts';

const property = requireSearchField('structuredProperties.io.shop.retention');

/** What is sorted by the property, page after page. */
async function sorted(
  values: readonly string[],
  descending: boolean,
  count: number,
): Promise<readonly string[]> {
  const column = createFieldColumn();
  for (const [number, value] of values.entries()) column.put(number, [value]);
  const numbers = numberSetOf(
    values.map((_, number) => number),
    values.length,
  );
  const columns = [{ column, field: property, descending, absentOf: () => undefined }];
  const found: string[] = [];
  let after: (SearchPosition & { readonly by: 'fields' }) | undefined;
  do {
    const page = await pageByFields(numbers, columns, { start: 0, count, after }, createWorkPace(60_000));
    for (const { number } of page.hits) found.push(values[number] ?? '');
    after = page.position?.by === 'fields' ? page.position : undefined;
  } while (after !== undefined);
  return found;
}

test('the values of a structured property come in the order of numbers where they are numbers', async () => {
  const values = ['365', 'b', '90', '2026-01-01', '-1.5', 'a', '1e3'];
  const order = ['-1.5', '90', '365', '1e3', '2026-01-01', 'a', 'b'];
  assert.deepEqual(await sorted(values, false, 10), order);
  assert.deepEqual(await sorted(values, true, 10), order.toReversed());
});

test('pages of values that are numbers and texts repeat nothing and leave nothing out', async () => {
  const value = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('1', '1.0', '01', '', 'x', '1x', '-', ' 2'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(value, { maxLength: 20 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (values, descending, count) => {
        const whole = await sorted(values, descending, 100);
        assert.deepEqual(whole.toSorted(), values.toSorted());
        assert.deepEqual(await sorted(values, descending, count), whole);
        assert.deepEqual(await sorted(values.toReversed(), descending, 100), whole);
      },
    ),
  );
});
