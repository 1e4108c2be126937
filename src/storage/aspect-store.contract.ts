import { afterEach, beforeEach, describe } from 'node:test';
import type { AspectStore } from '../aspect/aspect-store.ts';
import { testDamage } from './contract/damage.contract.ts';
import { testProjections } from './contract/projections.contract.ts';
import { testTransactions } from './contract/transactions.contract.ts';
import { testVersions } from './contract/versions.contract.ts';

/** A new, empty store with all that a test may do to it. */
export type OpenedStore = {
  readonly store: AspectStore;
  /** Closes the store and opens the same data again, as after a restart. */
  reopen(): Promise<AspectStore>;
  /** Runs a statement behind the store's back; both backends have the same tables and columns. */
  sql(statement: string): Promise<void>;
  destroy(): Promise<void>;
};

/** How a test of the contract gets at the store that was opened for it. */
export type Subject = () => OpenedStore;

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
    testDamage(subject);
  });
}
