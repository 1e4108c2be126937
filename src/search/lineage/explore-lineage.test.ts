import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openTestCatalogue } from '../../../test/catalogue.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { exploreLineage, shortestPaths } from './explore-lineage.ts';

const dataset = (name: number | string): Urn =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,t${name},PROD)`);

describe('an exploration of lineage', () => {
  it('finds in any graph what breadth-first search finds, and paths of that length along edges', async () => {
    const graph = fc.record({
      edges: fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 }),
      removed: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(graph, async ({ edges, removed }) => {
        await using catalogue = await openTestCatalogue();
        for (let node = 0; node < 10; node += 1) {
          const upstreams = edges
            .filter(([, to]) => to === node)
            .map(([from]) => ({ dataset: dataset(from), type: 'TRANSFORMED' }));
          await catalogue.seed(dataset(node), { upstreamLineage: { upstreams } });
          if (removed.includes(node)) await catalogue.seed(dataset(node), { status: { removed: true } });
        }
        const exploration = await exploreLineage(catalogue.store, {
          start: dataset(0),
          direction: 'DOWNSTREAM',
          includeSoftDeleted: false,
        });
        const expected = new Map<number, number>([[0, 0]]);
        for (const [node, degree] of expected) {
          for (const [from, to] of edges) {
            if (from === node && !expected.has(to) && !removed.includes(to)) expected.set(to, degree + 1);
          }
        }
        expected.delete(0);
        assert.deepEqual(
          new Map([...exploration.found.values()].map(({ urn, degree }) => [urn, degree])),
          new Map([...expected].map(([node, degree]) => [dataset(node), degree])),
        );
        const isEdge = (from: Urn | undefined, to: Urn): boolean =>
          edges.some(([a, b]) => dataset(a) === from && dataset(b) === to);
        for (const { urn, degree } of exploration.found.values()) {
          const paths = shortestPaths(exploration, dataset(0), urn);
          assert.ok(paths.length > 0);
          for (const path of paths) {
            assert.equal(path.length, degree + 1);
            assert.equal(path.at(-1), urn);
            assert.ok(path.every((step, at) => at === 0 || isEdge(path[at - 1], step)));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('ends when its time is over', async () => {
    await using catalogue = await openTestCatalogue();
    const query = { start: dataset(0), direction: 'DOWNSTREAM', includeSoftDeleted: false } as const;
    assert.equal((await exploreLineage(catalogue.store, query)).found.size, 0);
    await assert.rejects(
      exploreLineage(catalogue.store, { ...query, msMax: 0 }),
      /took longer than 0 milliseconds/,
    );
  });

  it('stops at as many entities as it may look at, the nearest, and says so', async () => {
    await using catalogue = await openTestCatalogue();
    for (let node = 1; node <= 20; node += 1) {
      const upstreams = [{ dataset: dataset(node <= 10 ? 0 : node - 10), type: 'TRANSFORMED' }];
      await catalogue.seed(dataset(node), { upstreamLineage: { upstreams } });
    }
    const query = { start: dataset(0), direction: 'DOWNSTREAM', includeSoftDeleted: false } as const;
    const all = await exploreLineage(catalogue.store, query);
    assert.equal(all.found.size, 20);
    assert.equal(all.isTruncated, false);
    const some = await exploreLineage(catalogue.store, { ...query, max: 12 });
    assert.equal(some.found.size, 12);
    assert.equal(some.isTruncated, true);
    assert.equal([...some.found.values()].filter(({ degree }) => degree === 1).length, 10);
  });
});
