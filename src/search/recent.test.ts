import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createRecent } from './recent.ts';

it('what was used recently is kept as it was last set, within the room there is', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.nat(12), fc.integer({ min: 1, max: 7 })),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const recent = createRecent<number, number>(20);
      const last = new Map<number, { readonly value: number; readonly size: number }>();
      for (const [place, [step, key, size]] of all.entries()) {
        if (step === 'set') {
          recent.set(key, place, size);
          last.set(key, { value: place, size });
          assert.equal(recent.get(key), place);
        } else if (step === 'delete') {
          recent.delete(key);
          last.delete(key);
        }
        const found = recent.get(key);
        if (found !== undefined) assert.equal(found, last.get(key)?.value);
      }
      const kept = [...last].filter(([key]) => recent.get(key) !== undefined);
      assert.ok(kept.reduce((sum, [, { size }]) => sum + size, 0) <= 20);
    }),
  );
  const recent = createRecent<string, string>(10);
  recent.set('large', 'x', 6);
  assert.equal(recent.get('large'), undefined);
});
