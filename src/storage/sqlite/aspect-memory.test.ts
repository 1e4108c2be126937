import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue } from '../../../test/catalogue.ts';
import { Aspect } from '../../aspect/aspect.ts';
import type { Command } from '../../command/command.ts';
import type { AspectWrite } from '../../aspect/aspect.ts';
import { parseUrn } from '../../urn/urn.ts';
import { createAspectMemory } from './aspect-memory.ts';
import { createRecentlyUsed } from './recently-used.ts';

const term = parseUrn('urn:li:glossaryTerm:Revenue');
const info = (definition: string): AspectWrite => ({
  urn: term,
  aspect: 'glossaryTermInfo',
  body: { name: 'Revenue', definition, termSource: 'INTERNAL' },
});
const write: Command<AspectWrite, void> = {
  name: 'write',
  demands: () => [],
  decide: async (_view, input) => ({ writes: [input], result: undefined }),
};
const aspectOf = (text: string): Aspect => new Aspect('a', 1, text, { time: 0, actor: '' }, null);

describe('what was used recently', () => {
  it('is kept while it is used, and forgotten when enough else was used', () => {
    const recent = createRecentlyUsed<number>(10);
    recent.set('often', 0, 1);
    recent.set('once', 1, 1);
    for (let number = 0; number < 100; number += 1) {
      recent.set(number, number, 1);
      assert.equal(recent.get('often'), 0);
    }
    assert.equal(recent.get('once'), undefined);
    assert.equal(recent.get(99), 99);
    assert.equal(recent.get(80), undefined);
    recent.delete('often');
    assert.equal(recent.get('often'), undefined);
    recent.clear();
    assert.equal(recent.get(99), undefined);
  });
});

describe('the memory of aspects', () => {
  it('keeps what is read for the second time, unless it is long', () => {
    const memory = createAspectMemory();
    const [short, long] = [aspectOf('{}'), aspectOf(' '.repeat(5_000))];
    memory.note(700, short);
    memory.note(701, long);
    assert.equal(memory.get(700), undefined);
    memory.note(700, short);
    memory.note(701, long);
    assert.equal(memory.get(700), short);
    assert.equal(memory.get(701), undefined);
    memory.forget(700);
    assert.equal(memory.get(700), undefined);
  });

  it('never shows anything but what was committed last, removals and new system metadata included', async () => {
    await using catalogue = await openTestCatalogue();
    const read = async (): Promise<Aspect | undefined> => {
      // Read often enough to be remembered, by both calls that read.
      for (let times = 0; times < 3; times += 1) await catalogue.store.read(term, ['glossaryTermInfo']);
      const many = await catalogue.store.readMany([term], ['glossaryTermInfo']);
      return many.get(term)?.get('glossaryTermInfo');
    };
    for (const definition of ['first', 'second', 'third']) {
      await catalogue.execute(write, info(definition));
      assert.equal((await read())?.body['definition'], definition);
    }
    await catalogue.execute(write, { ...info('third'), systemMetadata: { runId: 'later' } });
    assert.equal((await read())?.version, 3);
    assert.deepEqual((await read())?.systemMetadata, { runId: 'later' });
    await catalogue.execute(write, { ...info(''), body: undefined });
    assert.equal(await read(), undefined);
    await catalogue.execute(write, info('again'));
    assert.equal((await read())?.body['definition'], 'again');
  });

  it('shows nothing of a transaction that was rolled back', async () => {
    await using catalogue = await openTestCatalogue();
    await catalogue.execute(write, info('kept'));
    const definition = async (): Promise<unknown> =>
      (await catalogue.store.read(term, ['glossaryTermInfo'])).get('glossaryTermInfo')?.body['definition'];
    for (let times = 0; times < 3; times += 1) assert.equal(await definition(), 'kept');
    const stored = (await catalogue.store.read(term, ['glossaryTermInfo'])).get('glossaryTermInfo');
    const lost = catalogue.store.transact(async (transaction) => {
      await transaction.apply({
        command: 'lost',
        stamp: { time: 1, actor: 'urn:li:corpuser:x' },
        changes: [
          {
            urn: term,
            entityType: 'glossaryTerm',
            aspect: 'glossaryTermInfo',
            before: stored,
            versionBefore: 1,
            text: '{"definition":"lost"}',
            systemText: null,
            addedRelationships: [],
            removedRelationships: [],
          },
        ],
        observations: [],
        fragments: [],
        placements: [],
        searchEntries: [],
      });
      assert.equal(await definition(), 'kept');
      throw new Error('stop');
    });
    await assert.rejects(lost, /stop/);
    assert.equal(await definition(), 'kept');
  });
});
