import { afterEach, beforeEach, describe } from 'node:test';
import { testDamage } from './contract/damage.contract.ts';
import type { OpenedStore, Subject } from './contract/opened-store.ts';
import { testProjections } from './contract/projections.contract.ts';
import { testTransactions } from './contract/transactions.contract.ts';
import { testUses } from './contract/uses.contract.ts';
import { testVersions } from './contract/versions.contract.ts';

/** The one suite for every adapter of the port: each test runs on a new, empty store. */
export function describeAspectStore(
  name: string,
  open: () => Promise<OpenedStore>,
  options: { readonly skip?: string | false } = {},
): void {
  describe(`${name} keeps the promises of the aspect store`, options, () => {
    let opened: OpenedStore | undefined;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.destroy();
      opened = undefined;
    });
    const subject: Subject = () => {
      if (opened === undefined) throw new Error('No store is open');
      return opened;
    };
    testVersions(subject);
    testTransactions(subject);
    testProjections(subject);
    testUses(subject);
    testDamage(subject);
  });
}
