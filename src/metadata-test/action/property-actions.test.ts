import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../aspect/json.ts';
import { objectsIn } from '../../entity/stored-member.ts';
import { openActingCatalogue } from './acting-catalogue.fixture.ts';
import { readLog } from './action-log.ts';

const orders = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const property = 'urn:li:structuredProperty:level';
const low = { properties: [{ propertyUrn: property, values: [{ string: 'low' }] }] };

/** What is stored of the property after the action, and why the action was left out. */
async function after(
  definition: JsonObject,
  action: object,
): Promise<{ readonly values: unknown; readonly reasons: string }> {
  await using acting = await openActingCatalogue();
  const { catalogue } = acting;
  await catalogue.seed(orders, { structuredProperties: low });
  await catalogue.seed(property, {
    propertyDefinition: {
      valueType: 'urn:li:dataType:datahub.string',
      qualifiedName: 'level',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      ...definition,
    },
  });
  const saved = await acting.save('level', { passing: [action] });
  const [run] = await acting.runs(saved);
  const log = await readLog(acting.store.verdicts, run ?? assert.fail(), { count: 10 });
  const properties = objectsIn(await catalogue.body(orders, 'structuredProperties'), 'properties');
  return {
    values: properties.map(({ values }) => values),
    reasons: log.map(({ reason }) => reason ?? '').join(),
  };
}

const set = (value: string): object => ({ type: 'set_structured_property', values: [property, value] });
const unset = { type: 'unset_structured_property', values: [property] };

test('an action gives what the definition takes, and nothing else', async () => {
  const allowedValues = [{ value: { string: 'low' } }, { value: { string: 'high' } }];
  const fitting = await after({ allowedValues }, set('high'));
  assert.deepEqual(fitting.values, [[{ string: 'high' }]]);
  const cases = [
    [{ allowedValues }, 'medium', /the allowed values are "low", "high"/],
    [{ valueType: 'urn:li:dataType:datahub.number' }, 'many', /its values have to be a number/],
    [{ entityTypes: ['urn:li:entityType:datahub.chart'] }, 'high', /it is for entities of type chart/],
  ] as const;
  for (const [definition, value, message] of cases) {
    const { values, reasons } = await after(definition, set(value));
    assert.deepEqual(values, [[{ string: 'low' }]], value);
    assert.match(reasons, message);
  }
});

test('an action neither changes nor takes away what is immutable', async () => {
  for (const action of [set('high'), unset]) {
    const { values, reasons } = await after({ immutable: true }, action);
    assert.deepEqual(values, [[{ string: 'low' }]]);
    assert.match(reasons, /is immutable/);
  }
  assert.deepEqual((await after({}, unset)).values, []);
});
