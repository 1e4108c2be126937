import { afterEach, beforeEach, describe } from 'node:test';
import type { OpenedStore, Subject } from './contract/opened-store.ts';
import { testRows } from './contract/verdict-rows.contract.ts';
import { testVerdictHistory } from './contract/verdict-history.contract.ts';

/** The one suite for every adapter of the port to what is kept for metadata tests: each test runs on a new, empty store. */
export function describeVerdictStore(
  name: string,
  open: () => Promise<OpenedStore>,
  options: { readonly skip?: string | false } = {},
): void {
  describe(`${name} keeps the promises of the verdict store`, options, () => {
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
    testRows(subject);
    testVerdictHistory(subject);
  });
}
