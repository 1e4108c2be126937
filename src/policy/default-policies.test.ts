import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestCatalogue } from '../../test/catalogue.ts';
import { isAllowedOn } from '../auth/authorize.ts';
import { resourcePrivileges, rolePrivileges } from '../auth/privilege.ts';
import { callerWith, readPolicies } from '../auth/standing.ts';
import { formatUrn, parseUrn } from '../urn/urn.ts';
import { defaultPolicies } from './default-policies.ts';

test('no role can do more or less by the default policies, but owners can edit what they own', async () => {
  await using catalogue = await openTestCatalogue();
  for (const { urn, info } of defaultPolicies) await catalogue.seed(urn, { dataHubPolicyInfo: info });
  const policies = await readPolicies(catalogue.store);
  assert.equal(policies.length, defaultPolicies.length);

  const actor = parseUrn('urn:li:corpuser:ana');
  const owned = await catalogue.seed('urn:li:tag:owned', {
    ownership: { owners: [{ owner: actor, type: 'NONE' }], lastModified: { time: 0, actor } },
  });
  const other = await catalogue.seed('urn:li:tag:other');
  for (const role of ['Admin', 'Editor', 'Reader'] as const) {
    const standing = { actor, groups: [], roles: [formatUrn('dataHubRole', [role])] };
    const caller = callerWith(standing, policies, undefined);
    assert.deepEqual(caller.privileges, rolePrivileges[role], role);
    for (const privilege of resourcePrivileges) {
      const may = (on: typeof owned): Promise<boolean> =>
        isAllowedOn(catalogue.store, caller, [{ anyOf: [privilege], on }]);
      assert.equal(await may(other), rolePrivileges[role].has(privilege), `${role} ${privilege}`);
    }
    assert.equal(await isAllowedOn(catalogue.store, caller, [{ anyOf: ['EDIT_ENTITY'], on: owned }]), true);
  }
});

test('the root user can do everything by the default policies, without a role', async () => {
  await using catalogue = await openTestCatalogue();
  for (const { urn, info } of defaultPolicies) await catalogue.seed(urn, { dataHubPolicyInfo: info });
  const standing = { actor: parseUrn('urn:li:corpuser:datahub'), groups: [], roles: [] };
  const caller = callerWith(standing, await readPolicies(catalogue.store), undefined);
  assert.deepEqual(caller.privileges, rolePrivileges.Admin);
});
