import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrn } from '../../urn/urn.ts';
import { compileTest } from '../compile-test.ts';
import type { LoadedEntity } from '../facts.ts';
import { requireValidDefinition } from '../require-valid.ts';
import { withExemptions } from './exempt-test.ts';
import type { Exemption } from './exemption.ts';

const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)');
const entity: LoadedEntity = { urn, type: 'dataset', aspects: new Map(), exists: true, removed: false };
const facts = new Map<string, LoadedEntity>([[urn, entity]]);
const compiled = compileTest(
  requireValidDefinition(
    JSON.stringify({
      on: { types: ['dataset'] },
      rules: [{ property: 'ownership.owners.owner', operator: 'exists' }],
    }),
  ),
);
const exemption: Exemption = {
  id: 'e',
  entity: urn,
  reason: 'r',
  requestedBy: 'urn:li:corpuser:a',
  approvedBy: 'urn:li:corpuser:b',
  createdAt: 100,
  expires: 200,
};

test('an exemption holds from its beginning until right before its end, and says when the verdict may change', () => {
  const excused = withExemptions(compiled, [exemption]);
  const at = (now: number): unknown => {
    const { verdict, wakeAt } = excused.evaluate(entity, facts, now);
    return [verdict, wakeAt];
  };
  assert.deepEqual(at(99), ['FAIL', 100]);
  assert.deepEqual(at(100), ['EXEMPT', 200]);
  assert.deepEqual(at(199), ['EXEMPT', 200]);
  assert.deepEqual(at(200), ['FAIL', undefined]);
});

test('a test says for whom failing may be EXEMPT, so that nobody else has to be looked at', () => {
  assert.equal(compiled.mayExempt, undefined);
  assert.equal(withExemptions(compiled, [{ ...exemption, expires: 1 }]).mayExempt?.(urn), true);
  assert.equal(withExemptions(compiled, [exemption]).mayExempt?.('urn:li:dataset:b'), false);
  const { id, reason, requestedBy, createdAt } = exemption;
  const pending: Exemption = { id, reason, requestedBy, createdAt, entity: urn };
  assert.equal(withExemptions(compiled, [pending]).mayExempt, undefined, 'it is only asked for');
  const filter = { property: 'urn', operator: 'exists' };
  const filtered: Exemption = { id, reason, requestedBy, createdAt, approvedBy: requestedBy, filter };
  assert.equal(withExemptions(compiled, [filtered]).mayExempt?.('urn:li:dataset:b'), true);
});

test('the newest state of two exemptions counts: an ended one does not hide one that holds', () => {
  const ended = { ...exemption, id: 'old', createdAt: 1, expires: 50 };
  const {
    verdict,
    exemption: by,
    notes,
  } = withExemptions(compiled, [ended, exemption]).evaluate(entity, facts, 150);
  assert.deepEqual([verdict, by, [...notes]], ['EXEMPT', 'e', []]);
});
