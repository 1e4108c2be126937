import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestCatalogue } from '../../../test/catalogue.ts';
import { postgresUnavailable, startPostgres } from '../../../test/postgres-server.ts';
import { openStore } from '../../storage/open-store.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { compileTest } from '../compile-test.ts';
import { requireValidDefinition } from '../require-valid.ts';
import type { LibraryTest } from '../test-library.ts';
import { entityVerdict } from './entity-verdict.ts';
import { arrive } from './history.fixture.ts';
import { resultEntities } from './result-entities.ts';
import { entityHistory, testHistory } from './test-history.ts';

const urns: readonly Urn[] = Array.from({ length: 8 }, (_, index) =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,${index},PROD)`),
);
const names = { PASS: 'passing', FAIL: 'failing', EXEMPT: 'exempt' } as const;
type Arrived = 'PASS' | 'FAIL' | 'EXEMPT' | 'NONE';
const seed = Date.now() % 1_000_000;

const moments = fc.array(
  fc.record({
    gap: fc.integer({ min: 1, max: 50 }),
    arrivals: fc.array(
      fc.tuple(fc.nat({ max: urns.length - 1 }), fc.constantFrom<Arrived>('PASS', 'FAIL', 'EXEMPT', 'NONE')),
      { minLength: 1, maxLength: 5 },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

const stores = [
  { name: 'SQLite', skip: false as const, runs: 40, startServer: undefined },
  { name: 'PostgreSQL', skip: postgresUnavailable(), runs: 8, startServer: startPostgres },
];

for (const { name, skip, runs, startServer } of stores) {
  test(
    `pages, histories and rates say what happened, whatever happened, on ${name} (seed ${seed})`,
    { skip },
    async () => {
      const server = await startServer?.();
      const catalogue = await openTestCatalogue(
        server === undefined ? {} : { store: await openStore(server.url) },
      );
      for (const urn of urns) await catalogue.seed(urn);
      const { verdicts } = catalogue.store;
      const compiled = compileTest(requireValidDefinition('{"on":{"types":["dataset"]},"rules":[]}'));
      let serial = 0;
      try {
        await fc.assert(
          fc.asyncProperty(moments, fc.integer({ min: 1, max: 4 }), async (steps, pageSize) => {
            serial += 1;
            const urn = parseUrn(`urn:li:test:model-${serial}`);
            const known: LibraryTest = {
              urn,
              compiled,
              definitionMd5: 'md5',
              isActive: true,
              exemptions: [],
            };
            const present = new Map<Urn, { verdict: Arrived; since: number }>();
            const changes = new Map<Urn, [number, Arrived][]>();
            const counts: [number, number, number, number][] = [];
            let now = 1_000;
            for (const { gap, arrivals } of steps) {
              now += gap;
              const arrived = new Map(arrivals.map(([index, verdict]) => [urns[index] ?? urn, verdict]));
              await arrive(catalogue.store, urn, now, arrived);
              for (const [entity, verdict] of arrived) {
                if ((present.get(entity)?.verdict ?? 'NONE') === verdict) continue;
                present.set(entity, { verdict, since: now });
                changes.set(entity, [[now, verdict], ...(changes.get(entity) ?? [])]);
              }
              const sizeOf = (wanted: Arrived): number =>
                [...present.values()].filter(({ verdict }) => verdict === wanted).length;
              counts.push([now, sizeOf('PASS'), sizeOf('FAIL'), sizeOf('EXEMPT')]);
            }
            for (const verdict of ['PASS', 'FAIL', 'EXEMPT'] as const) {
              const expected = urns.flatMap((entity) => {
                const found = present.get(entity);
                return found?.verdict === verdict ? [[entity, found.since]] : [];
              });
              const listed: (readonly [Urn, number | null])[] = [];
              let cursor: string | undefined;
              do {
                const page = await resultEntities(verdicts, known, { verdict, cursor, count: pageSize }, now);
                listed.push(...page.entities.map(({ urn: entity, since }) => [entity, since] as const));
                assert.equal(page.total, expected.length, names[verdict]);
                cursor = page.cursor ?? undefined;
              } while (cursor !== undefined);
              assert.deepEqual(listed, expected, verdict);
            }
            for (const entity of urns) {
              const { verdict = 'NONE', since = null } = present.get(entity) ?? {};
              assert.deepEqual(await entityVerdict(verdicts, urn, entity), { verdict, since });
              const history = await entityHistory(verdicts, urn, entity, { from: 0, to: now }, now);
              assert.deepEqual(
                history.changes.map((change) => [change.time, change.verdict]),
                changes.get(entity) ?? [],
              );
            }
            for (const [time, ...expected] of counts) {
              const series = await testHistory(verdicts, urn, { from: time - 1, to: time, buckets: 1 }, now);
              const [at] = series.counts;
              assert.deepEqual([at?.passing, at?.failing, at?.exempt], expected);
            }
          }),
          { numRuns: runs, seed },
        );
      } finally {
        await catalogue.close();
        await server?.stop();
      }
    },
  );
}
