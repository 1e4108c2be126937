import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callerOf } from '../../test/catalogue.ts';
import { parseUrn } from '../urn/urn.ts';
import { canSee } from './can-see.ts';

it('everyone who may call may see entities, and access tokens and policies only who manages them', () => {
  const token = parseUrn('urn:li:dataHubAccessToken:a');
  const policy = parseUrn('urn:li:dataHubPolicy:a');
  const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)');
  for (const role of ['Admin', 'Editor', 'Reader'] as const) {
    assert.equal(canSee(callerOf(role), orders), true);
    assert.equal(canSee(callerOf(role), token), role === 'Admin');
    assert.equal(canSee(callerOf(role), policy), role === 'Admin');
  }
});
