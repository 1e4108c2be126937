import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { JsonObject } from '../aspect/json.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const ana = 'urn:li:corpuser:ana';

function incident(time: number, state: string, more: JsonObject = {}): { readonly incidentInfo: JsonObject } {
  return {
    incidentInfo: {
      type: 'FIELD',
      entities: [orders],
      status: { state, lastUpdated: { time, actor: ana } },
      created: { time, actor: ana },
      ...more,
    },
  };
}

describe('incidents are read', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
    await model.seed('urn:li:incident:first', {
      ...incident(1, 'ACTIVE', {
        type: 'CUSTOM',
        customType: 'smell',
        title: 't',
        description: 'd',
        priority: 1,
        startedAt: 5,
        assignees: [{ actor: ana }, { actor: 'urn:li:corpGroup:shop' }],
        source: { type: 'ASSERTION_FAILURE', sourceUrn: 'urn:li:assertion:a' },
        status: { state: 'ACTIVE', stage: 'TRIAGE', message: 'm', lastUpdated: { time: 2, actor: ana } },
      }),
      globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
    });
    await model.seed('urn:li:incident:second', incident(2, 'RESOLVED', { type: 'MADE_UP' }));
    await model.seed('urn:li:incident:third', incident(3, 'ACTIVE'));
  });
  after(() => model.close());

  it('with everything that is stored about them', async () => {
    const { data, errors } = await model.ask(
      `{ entity(urn: "urn:li:incident:first") { urn type ... on Incident { exists incidentType customType title description
         priority startedAt created { time actor } incidentStatus { state stage message lastUpdated { time actor } }
         assignees { __typename ... on CorpUser { username } ... on CorpGroup { name } } entity { urn type }
         source { type source { urn type } } tags { tags { tag { urn } } } } } }`,
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data?.['entity'], {
      urn: 'urn:li:incident:first',
      type: 'INCIDENT',
      exists: true,
      incidentType: 'CUSTOM',
      customType: 'smell',
      title: 't',
      description: 'd',
      priority: 'HIGH',
      startedAt: 5,
      created: { time: 1, actor: ana },
      incidentStatus: {
        state: 'ACTIVE',
        stage: 'TRIAGE',
        message: 'm',
        lastUpdated: { time: 2, actor: ana },
      },
      assignees: [
        { __typename: 'CorpUser', username: 'ana' },
        { __typename: 'CorpGroup', name: 'shop' },
      ],
      entity: { urn: orders, type: 'DATASET' },
      source: { type: 'ASSERTION_FAILURE', source: { urn: 'urn:li:assertion:a', type: 'ASSERTION' } },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:x' } }] },
    });
  });

  it('of one entity, the latest first, as far as they are wanted', async () => {
    const { data, errors } = await model.ask(
      `{ dataset(urn: "${orders}") {
         all: incidents { start count total incidents { urn incidentType customType } }
         page: incidents(start: 1, count: 1) { start count total incidents { urn } }
         active: incidents(state: ACTIVE) { total } staged: incidents(stage: TRIAGE) { total }
         urgent: incidents(priority: HIGH) { total } low: incidents(priority: LOW) { total }
         mine: incidents(assigneeUrns: ["${ana}"]) { incidents { urn } } } }`,
    );
    assert.equal(errors, undefined);
    const [first, second, third] = ['first', 'second', 'third'].map((id) => `urn:li:incident:${id}`);
    assert.deepEqual(data?.['dataset'], {
      all: {
        start: 0,
        count: 3,
        total: 3,
        incidents: [
          { urn: third, incidentType: 'FIELD', customType: null },
          { urn: second, incidentType: 'CUSTOM', customType: 'MADE_UP' },
          { urn: first, incidentType: 'CUSTOM', customType: 'smell' },
        ],
      },
      page: { start: 1, count: 1, total: 3, incidents: [{ urn: second }] },
      active: { total: 2 },
      staged: { total: 1 },
      urgent: { total: 1 },
      low: { total: 0 },
      mine: { incidents: [{ urn: first }] },
    });
  });

  it('as the health of what they are about, together with what assertions say', async () => {
    const health = async (urn: string): Promise<unknown> => {
      const { data, errors } = await model.ask(
        `{ entity(urn: "${urn}") { ... on Dataset { health { type status message causes } }
           ... on Chart { health { type status message causes } } } }`,
      );
      assert.equal(errors, undefined);
      return data?.['entity'];
    };
    const pass = { type: 'INCIDENTS', status: 'PASS', message: null, causes: null };
    assert.deepEqual(await health('urn:li:chart:(looker,a)'), { health: [pass] });
    const fail = {
      type: 'INCIDENTS',
      status: 'FAIL',
      message: '2 active incidents',
      causes: ['ACTIVE_INCIDENTS'],
    };
    assert.deepEqual(await health(orders), { health: [fail] });
    for (const [id, result] of Object.entries({ good: 'SUCCESS', bad: 'FAILURE' })) {
      await model.seed(`urn:li:assertion:${id}`, {
        assertionInfo: { type: 'CUSTOM', customAssertion: { type: 'mine', entity: orders } },
        assertionRunEvent: {
          timestampMillis: 1,
          runId: 'r',
          asserteeUrn: orders,
          assertionUrn: `urn:li:assertion:${id}`,
          status: 'COMPLETE',
          result: { type: result },
        },
      });
    }
    const failing = {
      type: 'ASSERTIONS',
      status: 'FAIL',
      message: '1 of 2 assertions are failing',
      causes: ['urn:li:assertion:bad'],
    };
    assert.deepEqual(await health(orders), { health: [fail, failing] });
  });
});
