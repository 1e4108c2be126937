import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import type { Command } from '../../command/command.ts';
import { parseUrn } from '../../urn/urn.ts';
import { readTestRuns } from './test-state.ts';
import { type KeptCatalogue, openKeptCatalogue } from './kept-catalogue.fixture.ts';

const a = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const b = 'urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)';
const c = 'urn:li:dataset:(urn:li:dataPlatform:hive,c,PROD)';
const stamp = { time: 0, actor: 'urn:li:corpuser:x' };
const owners = { owners: [{ owner: 'urn:li:corpuser:ana', type: 'DATAOWNER' }], lastModified: stamp };
const upstreams = (...urns: string[]): JsonObject => ({
  upstreams: urns.map((dataset) => ({ dataset, type: 'TRANSFORMED', auditStamp: stamp })),
});
const term = (parentNode?: string): JsonObject => ({
  definition: '',
  termSource: 'INTERNAL',
  ...(parentNode === undefined ? {} : { parentNode }),
});
const node = (parentNode?: string): JsonObject => ({
  definition: '',
  ...(parentNode === undefined ? {} : { parentNode }),
});
const terms = { terms: [{ urn: 'urn:li:glossaryTerm:t' }], auditStamp: stamp };
const belowTop = {
  property: 'glossaryTerms.terms.urn',
  operator: 'within',
  values: ['urn:li:glossaryNode:top'],
};
const ownedDownstream = {
  forEach: 'lineage.downstream',
  satisfies: { property: 'ownership.owners.owner', operator: 'exists' },
  quantifier: 'any',
};

const assertionRun = (timestampMillis: number, type: string): JsonObject => ({
  timestampMillis,
  runId: String(timestampMillis),
  asserteeUrn: a,
  assertionUrn: 'urn:li:assertion:rows',
  status: 'COMPLETE',
  result: { type },
});

type Write = readonly [urn: string, aspect: string, body: JsonObject | undefined];

/** What happens far from the entity that is tested, and what that makes of its verdict. */
const cases: readonly {
  readonly about: string;
  readonly rule: JsonObject;
  readonly conditions?: readonly JsonObject[];
  /** Further keys of the definition. */
  readonly keys?: JsonObject;
  /** The world in which the verdict is the first of these. */
  readonly given: readonly Write[];
  readonly verdicts: readonly [string, string];
  readonly change: readonly Write[];
}[] = [
  {
    about: 'the owner of an entity is deactivated',
    rule: {
      forEach: 'ownership.owners.owner',
      satisfies: { property: 'corpUserInfo.active', operator: 'is_true' },
    },
    given: [
      [a, 'ownership', owners],
      ['urn:li:corpuser:ana', 'corpUserInfo', { active: true }],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:corpuser:ana', 'corpUserInfo', { active: false }]],
  },
  {
    about: 'an assertion about the entity fails',
    rule: { not: { property: 'assertionsSummary.failingAssertions', operator: 'exists' } },
    given: [
      [a, 'ownership', owners],
      ['urn:li:assertion:rows', 'assertionInfo', { type: 'VOLUME', volumeAssertion: { entity: a } }],
      ['urn:li:assertion:rows', 'assertionRunEvent', assertionRun(1, 'SUCCESS')],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:assertion:rows', 'assertionRunEvent', assertionRun(2, 'FAILURE')]],
  },
  {
    about: 'a failing assertion about the entity is deleted',
    rule: { not: { property: 'assertionsSummary.failingAssertions', operator: 'exists' } },
    given: [
      [a, 'ownership', owners],
      ['urn:li:assertion:rows', 'assertionInfo', { type: 'VOLUME', volumeAssertion: { entity: a } }],
      ['urn:li:assertion:rows', 'assertionRunEvent', assertionRun(1, 'FAILURE')],
    ],
    verdicts: ['FAIL', 'PASS'],
    change: [['urn:li:assertion:rows', 'assertionKey', undefined]],
  },
  {
    about: 'an entity is measured again',
    rule: { property: 'storageFeatures.rowCount', operator: 'greater_than', values: ['5'] },
    given: [[a, 'datasetProfile', { timestampMillis: 1, rowCount: 9 }]],
    verdicts: ['PASS', 'FAIL'],
    change: [[a, 'datasetProfile', { timestampMillis: 2, rowCount: 5 }]],
  },
  {
    about: 'a term moves to another group',
    rule: belowTop,
    given: [
      [a, 'glossaryTerms', terms],
      ['urn:li:glossaryTerm:t', 'glossaryTermInfo', term('urn:li:glossaryNode:top')],
      ['urn:li:glossaryNode:top', 'glossaryNodeInfo', node()],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:glossaryTerm:t', 'glossaryTermInfo', term()]],
  },
  {
    about: 'a group far above a term moves',
    rule: belowTop,
    given: [
      [a, 'glossaryTerms', terms],
      ['urn:li:glossaryTerm:t', 'glossaryTermInfo', term('urn:li:glossaryNode:low')],
      ['urn:li:glossaryNode:low', 'glossaryNodeInfo', node('urn:li:glossaryNode:middle')],
      ['urn:li:glossaryNode:middle', 'glossaryNodeInfo', node()],
    ],
    verdicts: ['FAIL', 'PASS'],
    change: [['urn:li:glossaryNode:middle', 'glossaryNodeInfo', node('urn:li:glossaryNode:top')]],
  },
  {
    about: 'a container on the way up goes',
    rule: { property: 'container.container', operator: 'within', values: ['urn:li:container:top'] },
    given: [
      [a, 'container', { container: 'urn:li:container:low' }],
      ['urn:li:container:low', 'container', { container: 'urn:li:container:top' }],
      ['urn:li:container:top', 'containerProperties', { name: 'top' }],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:container:low', 'containerKey', undefined]],
  },
  {
    about: 'a container on the way up is soft-deleted',
    rule: { property: 'container.container', operator: 'within', values: ['urn:li:container:top'] },
    given: [
      [a, 'container', { container: 'urn:li:container:low' }],
      ['urn:li:container:low', 'container', { container: 'urn:li:container:top' }],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:container:low', 'status', { removed: true }]],
  },
  {
    about: 'two hops away something is written',
    rule: {
      property: 'container.container.glossaryTerms.terms.urn.glossaryTermInfo.definition',
      operator: 'exists',
    },
    given: [
      [a, 'container', { container: 'urn:li:container:low' }],
      ['urn:li:container:low', 'glossaryTerms', terms],
      ['urn:li:glossaryTerm:t', 'glossaryTermInfo', term()],
    ],
    verdicts: ['FAIL', 'PASS'],
    change: [['urn:li:glossaryTerm:t', 'glossaryTermInfo', { ...term(), definition: 'Means something' }]],
  },
  {
    about: 'what a hop leads to is deleted',
    rule: { property: 'container.container.containerProperties.name', operator: 'exists' },
    given: [
      [a, 'container', { container: 'urn:li:container:low' }],
      ['urn:li:container:low', 'containerProperties', { name: 'low' }],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [['urn:li:container:low', 'containerKey', undefined]],
  },
  {
    about: 'a hop leads over a field for which no relationship is stored',
    rule: { property: 'dataPlatformInstance.platform.dataPlatformInfo.displayName', operator: 'exists' },
    given: [[a, 'dataPlatformInstance', { platform: 'urn:li:dataPlatform:odd' }]],
    verdicts: ['FAIL', 'PASS'],
    change: [
      [
        'urn:li:dataPlatform:odd',
        'dataPlatformInfo',
        { name: 'odd', displayName: 'Odd', type: 'OTHERS', datasetNameDelimiter: '.' },
      ],
    ],
  },
  {
    about: 'another entity names it as an upstream',
    rule: ownedDownstream,
    given: [[b, 'ownership', owners]],
    verdicts: ['FAIL', 'PASS'],
    change: [[b, 'upstreamLineage', upstreams(a)]],
  },
  {
    about: 'another entity no longer names it as an upstream',
    rule: ownedDownstream,
    given: [
      [b, 'ownership', owners],
      [b, 'upstreamLineage', upstreams(a)],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [[b, 'upstreamLineage', upstreams(c)]],
  },
  {
    about: 'what names it as an upstream is deleted',
    rule: ownedDownstream,
    given: [
      [b, 'ownership', owners],
      [b, 'upstreamLineage', upstreams(a)],
    ],
    verdicts: ['PASS', 'FAIL'],
    change: [[b, 'datasetKey', undefined]],
  },
  {
    about: 'something is written two edges downstream',
    rule: { ...ownedDownstream, hops: 2 },
    given: [
      [b, 'upstreamLineage', upstreams(a)],
      [c, 'upstreamLineage', upstreams(b)],
    ],
    verdicts: ['FAIL', 'PASS'],
    change: [[c, 'ownership', owners]],
  },
  {
    about: 'something is written upstream',
    rule: { property: 'upstreamLineage.upstreams.dataset.ownership.owners.owner', operator: 'exists' },
    given: [[a, 'upstreamLineage', upstreams(b)]],
    verdicts: ['FAIL', 'PASS'],
    change: [[b, 'ownership', owners]],
  },
  {
    about: 'only a sibling has the value that a scope demands',
    keys: { siblings: 'merge' },
    conditions: [{ property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:x'] }],
    rule: { property: 'ownership.owners.owner', operator: 'exists' },
    given: [
      [a, 'siblings', { siblings: [b], primary: true }],
      [b, 'globalTags', { tags: [{ tag: 'urn:li:tag:x' }] }],
    ],
    verdicts: ['FAIL', 'PASS'],
    change: [[a, 'ownership', owners]],
  },
  {
    about: 'the value that a scope demands is taken away',
    conditions: [{ property: 'globalTags.tags.tag', operator: 'equals', values: ['urn:li:tag:x'] }],
    rule: { property: 'ownership.owners.owner', operator: 'exists' },
    given: [[a, 'globalTags', { tags: [{ tag: 'urn:li:tag:x' }] }]],
    verdicts: ['FAIL', 'NONE'],
    change: [[a, 'globalTags', { tags: [] }]],
  },
];

const writeAll: Command<readonly Write[], undefined> = {
  name: 'writeAll',
  demands: () => [],
  decide: async (_view, writes) => ({
    writes: writes.map(([urn, aspect, body]) => ({ urn: parseUrn(urn), aspect, body })),
    result: undefined,
  }),
};

describe('a verdict follows when', () => {
  let kept: KeptCatalogue;
  before(async () => {
    kept = await openKeptCatalogue();
  });
  after(async () => kept[Symbol.asyncDispose]());

  for (const [
    index,
    { about, rule, conditions = [], keys = {}, given, verdicts, change },
  ] of cases.entries()) {
    it(about, async () => {
      const { catalogue, keeper } = kept;
      // What an earlier case wrote is gone.
      for (const urn of new Set(cases.flatMap((each) => [...each.given, ...each.change].map(([of]) => of)))) {
        const parsed = parseUrn(urn);
        if (!(await kept.store.existing([parsed])).has(parsed)) continue;
        const key = `${parsed.split(':')[2] ?? ''}Key`;
        await catalogue.execute(writeAll, [[urn, key === 'corpuserKey' ? 'corpUserKey' : key, undefined]]);
      }
      await catalogue.seed(a);
      if (given.length > 0) await catalogue.execute(writeAll, given);
      const test = await kept.saveTest(`far-${index}`, {
        on: { types: ['dataset'], conditions },
        rules: [rule],
        ...keys,
      });
      await keeper.settled();
      assert.equal(await kept.verdict(test, a), verdicts[0], 'before');
      const runs = await readTestRuns(kept.store.verdicts, test, { count: 10 });
      kept.clock.now += 1;
      if (change.length > 0) await catalogue.execute(writeAll, change);
      await keeper.settled();
      assert.equal(await kept.verdict(test, a), verdicts[1], 'after');
      const runsAfter = await readTestRuns(kept.store.verdicts, test, { count: 10 });
      const isWhole = about.includes('no relationship');
      assert.equal(
        runsAfter.length - runs.length,
        isWhole ? 1 : 0,
        'everything is evaluated only where it has to be',
      );
      assert.deepEqual(kept.reports, []);
    });
  }
});
