import { afterEach, beforeEach, describe } from 'node:test';
import type { OpenedStore, Subject } from './contract/opened-store.ts';
import { testIndexRebuild } from './contract/index-rebuild.contract.ts';
import { testNameWords } from './contract/name-words.contract.ts';
import { testManyEntries, testSearchEntries } from './contract/search-entries.contract.ts';
import { testSearchIndex } from './contract/search-index.contract.ts';

/** The one suite for every adapter of the port to the search index: each test runs on a new, empty store. */
export function describeSearchIndex(
  name: string,
  open: () => Promise<OpenedStore>,
  options: { readonly skip?: string | false } = {},
): void {
  describe(`${name} keeps the promises of the search index`, options, () => {
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
    testSearchIndex(subject);
    testSearchEntries(subject);
    testManyEntries(subject);
    testIndexRebuild(subject);
    testNameWords(subject);
  });
}
