import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { JsonValue } from '../aspect/json.ts';

const finance = 'urn:li:glossaryNode:Finance';
const returns = 'urn:li:glossaryNode:Finance.Returns';
const term = 'urn:li:glossaryTerm:Finance.Returns.Rate';

describe('the glossary is read back', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
    await model.seed(finance, { glossaryNodeInfo: { name: 'Finance', definition: 'Money.' } });
    await model.seed(returns, { glossaryNodeInfo: { definition: 'What comes back.', parentNode: finance } });
    await model.seed(term, {
      glossaryTermInfo: {
        definition: 'What it yields.',
        termSource: '',
        parentNode: returns,
        customProperties: { owner: 'ana' },
      },
      domains: { domains: ['urn:li:domain:money'] },
      institutionalMemory: {
        elements: [
          {
            url: 'https://wiki.example/rate',
            description: 'Rates',
            createStamp: { time: 7, actor: 'urn:li:corpuser:ana' },
          },
        ],
      },
    });
    for (const name of ['b', 'a', 'c']) {
      await model.seed(`urn:li:glossaryTerm:${name}`, {
        glossaryTermInfo: { name, definition: '', termSource: 'EXTERNAL' },
      });
    }
  });
  after(() => model.close());

  async function ask(selection: string): Promise<{ readonly [field: string]: JsonValue } | null> {
    const { data, errors } = await model.ask(`{ ${selection} }`);
    assert.equal(errors, undefined);
    return data;
  }

  it('with the names of a term as its aspect and its id give them', async () => {
    const info = 'name description definition termSource sourceRef';
    const data = await ask(
      `glossaryTerm(urn: "${term}") { urn type name hierarchicalName exists properties { ${info} } glossaryTermInfo { ${info}
       customProperties { key value associatedUrn } } domain { domain { id } associatedUrn } }`,
    );
    const shared = {
      description: 'What it yields.',
      definition: 'What it yields.',
      termSource: 'INTERNAL',
      sourceRef: null,
    };
    assert.deepEqual(data, {
      glossaryTerm: {
        urn: term,
        type: 'GLOSSARY_TERM',
        name: 'Rate',
        hierarchicalName: 'Finance.Returns.Rate',
        exists: true,
        properties: { name: 'Finance.Returns.Rate', ...shared },
        glossaryTermInfo: {
          name: null,
          ...shared,
          customProperties: [{ key: 'owner', value: 'ana', associatedUrn: term }],
        },
        domain: { domain: { id: 'money' }, associatedUrn: term },
      },
    });
  });

  it('with the links of a term', async () => {
    const data = await ask(
      `glossaryTerm(urn: "${term}") { institutionalMemory { elements { url label description author { urn }
       actor { ... on CorpUser { username } } created { time actor } updated { time } associatedUrn
       settings { showInAssetPreview } } } }`,
    );
    assert.deepEqual(data, {
      glossaryTerm: {
        institutionalMemory: {
          elements: [
            {
              url: 'https://wiki.example/rate',
              label: 'Rates',
              description: 'Rates',
              author: { urn: 'urn:li:corpuser:ana' },
              actor: { username: 'ana' },
              created: { time: 7, actor: 'urn:li:corpuser:ana' },
              updated: null,
              associatedUrn: term,
              settings: null,
            },
          ],
        },
      },
    });
  });

  it('with a source that was given', async () => {
    assert.deepEqual(
      await ask('glossaryTerm(urn: "urn:li:glossaryTerm:a") { properties { name termSource } }'),
      {
        glossaryTerm: { properties: { name: 'a', termSource: 'EXTERNAL' } },
      },
    );
  });

  it('with when a term was first stored, and by whom', async () => {
    const before = await ask(
      `glossaryTerm(urn: "${term}") { properties { createdOn { time actor { urn } } } }`,
    );
    await model.seed(term, {
      glossaryTermInfo: { definition: 'What it yields.', termSource: '', parentNode: returns },
    });
    const data = await ask(
      `glossaryTerm(urn: "${term}") { properties { createdOn { time actor { urn } } } }`,
    );
    assert.deepEqual(data, before);
    const keys = await model.store.read(await model.seed(term), ['glossaryTermKey']);
    assert.deepEqual(data, {
      glossaryTerm: {
        properties: {
          createdOn: {
            time: keys.get('glossaryTermKey')?.stamp.time,
            actor: { urn: model.admin.actor },
          },
        },
      },
    });
  });

  it('with the nodes above a term, the nearest first, and how much is below a node', async () => {
    const data = await ask(
      `glossaryTerm(urn: "${term}") { parentNodes { count nodes { urn properties { name } } } }
       finance: glossaryNode(urn: "${finance}") { parentNodes { count } childrenCount { termsCount nodesCount } }
       returns: glossaryNode(urn: "${returns}") { childrenCount { termsCount nodesCount } properties { description } }`,
    );
    assert.deepEqual(data, {
      glossaryTerm: {
        parentNodes: {
          count: 2,
          nodes: [
            { urn: returns, properties: { name: 'Finance.Returns' } },
            { urn: finance, properties: { name: 'Finance' } },
          ],
        },
      },
      finance: { parentNodes: { count: 0 }, childrenCount: { termsCount: 0, nodesCount: 1 } },
      returns: {
        childrenCount: { termsCount: 1, nodesCount: 0 },
        properties: { description: 'What comes back.' },
      },
    });
  });

  it('with an end where nodes are stored in a circle', async () => {
    const [one, two] = ['urn:li:glossaryNode:one', 'urn:li:glossaryNode:two'];
    await model.seed(one, { glossaryNodeInfo: { definition: '', parentNode: two } });
    await model.seed(two, { glossaryNodeInfo: { definition: '', parentNode: one } });
    assert.deepEqual(await ask(`glossaryNode(urn: "${one}") { parentNodes { count nodes { urn } } }`), {
      glossaryNode: { parentNodes: { count: 1, nodes: [{ urn: two }] } },
    });
  });

  it('page by page from the root, by name', async () => {
    const roots = (start: number): string => `getRootGlossaryTerms(input: {start: ${start}, count: 2})`;
    const data = await ask(
      `first: ${roots(0)} { start count total terms { urn } } second: ${roots(2)} { start count total terms { urn } }
       getRootGlossaryNodes(input: {start: 0, count: 1000}) { count total nodes { urn } }`,
    );
    const urns = (...names: readonly string[]): JsonValue =>
      names.map((name) => ({ urn: `urn:li:glossaryTerm:${name}` }));
    assert.deepEqual(data, {
      first: { start: 0, count: 2, total: 3, terms: urns('a', 'b') },
      second: { start: 2, count: 1, total: 3, terms: urns('c') },
      getRootGlossaryNodes: { count: 1, total: 1, nodes: [{ urn: finance }] },
    });
  });

  it('unless a page is too long or starts before the first entry', async () => {
    for (const [input, type] of [
      ['{start: 0, count: 1001}', 'BAD_REQUEST'],
      ['{start: -1, count: 1}', 'BAD_REQUEST'],
    ] as const) {
      const { data, errors } = await model.ask(`{ getRootGlossaryTerms(input: ${input}) { total } }`);
      assert.deepEqual(data, { getRootGlossaryTerms: null });
      assert.equal(errors?.[0]?.extensions.type, type);
    }
  });

  it('from the URN alone when it was never stored', async () => {
    const data = await ask(
      `glossaryTerm(urn: "urn:li:glossaryTerm:x.y%2Cz") { name hierarchicalName exists properties { name } parentNodes { count } }
       glossaryNode(urn: "urn:li:glossaryNode:x") { exists properties { name } childrenCount { termsCount } }`,
    );
    assert.deepEqual(data, {
      glossaryTerm: {
        name: 'y,z',
        hierarchicalName: 'x.y,z',
        exists: false,
        properties: null,
        parentNodes: { count: 0 },
      },
      glossaryNode: { exists: false, properties: null, childrenCount: { termsCount: 0 } },
    });
  });
});
