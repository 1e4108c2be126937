import assert from 'node:assert/strict';
import { addTerms } from '../src/term/add-terms.ts';
import type { TestCatalogue } from './catalogue.ts';
import { orders, termInfo } from './sample-metadata.ts';

/**
 * Lets writers, each waiting for its answer before it goes on, attach a term at a time to one dataset, and asserts that
 * every term is there, each once, each with a version and a row of the log of its own.
 */
export async function expectNoLostTerms(
  catalogue: TestCatalogue,
  { writers, each }: { readonly writers: number; readonly each: number },
): Promise<void> {
  const total = writers * each;
  const terms = Array.from({ length: total }, (_, index) => `urn:li:glossaryTerm:${index}`);
  await catalogue.seed(orders);
  await Promise.all(
    terms.map((urn, index) => catalogue.seed(urn, { glossaryTermInfo: termInfo(`Term ${index}`) })),
  );
  const before = await catalogue.lastSequence();
  const write = async (writer: number): Promise<void> => {
    for (const term of terms.slice(writer * each, (writer + 1) * each)) {
      assert.equal(await catalogue.execute(addTerms, { termUrns: [term], resourceUrn: orders }), true);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));

  const urn = await catalogue.seed(orders);
  const stored = (await catalogue.store.read(urn, ['glossaryTerms'])).get('glossaryTerms');
  const list = stored?.body['terms'];
  const found = Array.isArray(list) ? list.map((association: { urn?: unknown }) => association.urn) : [];
  assert.equal(found.length, total);
  assert.deepEqual(new Set(found), new Set(terms));
  assert.equal(stored?.version, total);
  assert.equal(await catalogue.lastSequence(), before + total);
  const query = {
    urn,
    direction: 'OUTGOING',
    kinds: ['TermedWith'],
    start: 0,
    count: 1,
    distinct: false,
  } as const;
  assert.equal((await catalogue.store.relationships(query)).total, total);
}
