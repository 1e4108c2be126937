import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isCompositeType, isEnumType, isInterfaceType, isObjectType } from 'graphql';
import { openReadModel, readModelSchema } from '../../test/read-model.ts';
import type { ReadModel } from '../../test/read-model.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { entityTypeOf, entityTypes, urnFromKey } from './entity-registry.ts';
import { entityObjects, graphqlEntityType, referredEntity } from './graphql-types.ts';

const keyParts: { readonly [keyField: string]: string } = {
  platform: 'urn:li:dataPlatform:a',
  flow: 'urn:li:dataFlow:(airflow,a,prod)',
  parent: 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)',
  origin: 'PROD',
};

/** A URN of that type. */
function sampleUrn(type: string): Urn {
  const fields = entityTypeOf(type)?.keyFields ?? [];
  const parts = fields.map(({ name, isUrn }) => [name, keyParts[name] ?? (isUrn ? 'urn:li:tag:a' : 'a')]);
  return urnFromKey(type, Object.fromEntries(parts));
}

describe('entities of any type are read', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
  });
  after(() => model.close());

  it('in the order of their URNs, stored or not', async () => {
    await model.seed('urn:li:tag:pii', { tagProperties: { name: 'PII' } });
    const { data, errors } = await model.ask(
      `{ entities(urns: ["urn:li:tag:pii", "urn:li:corpuser:ana", "urn:li:tag:pii"]) {
           urn type __typename ... on Tag { properties { name } } ... on CorpUser { exists } } }`,
    );
    assert.equal(errors, undefined);
    const tag = { urn: 'urn:li:tag:pii', type: 'TAG', __typename: 'Tag', properties: { name: 'PII' } };
    const user = { urn: 'urn:li:corpuser:ana', type: 'CORP_USER', __typename: 'CorpUser', exists: false };
    assert.deepEqual(data, { entities: [tag, user, tag] });
  });

  it('whatever type they have that GraphQL knows', async () => {
    const readable = entityTypes().filter(({ name }) => referredEntity(sampleUrn(name)) !== undefined);
    const urns = readable.map(({ name }) => sampleUrn(name));
    const { data, errors } = await model.ask(
      'query q($urns: [String!]!) { entities(urns: $urns) { __typename urn type } }',
      { urns },
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data?.['entities'], urns.map(referredEntity));
    assert.deepEqual(new Set(urns.map((urn) => referredEntity(urn)?.__typename)), new Set(entityObjects));
  });

  it('up to a thousand of them at once', async () => {
    const urns = Array.from({ length: 1_001 }, (_, index) => `urn:li:tag:${index}`);
    const query = 'query q($urns: [String!]!) { entities(urns: $urns) { urn } }';
    assert.equal((await model.ask(query, { urns: urns.slice(1) })).errors, undefined);
    const { errors } = await model.ask(query, { urns });
    assert.match(errors?.[0]?.message ?? '', /^1001 urns were asked for; 1000 are the limit/);
  });

  it('unless the type is unknown or cannot be read, or the URN is malformed', async () => {
    const problems = {
      'urn:li:foo:a': /^Unknown entity type "foo"/,
      'urn:li:telemetry:a': /^Entities of type telemetry cannot be read through GraphQL/,
      'urn:li:schemaField:(urn:li:telemetry:a,id)': /^Entities of type schemaField cannot be read/,
      'dataset a': /^Invalid urn "dataset a"/,
      'urn:li:dataset:a': /^Invalid urn "urn:li:dataset:a"/,
    };
    for (const [urn, message] of Object.entries(problems)) {
      const { data, errors } = await model.ask('query q($urn: String!) { entity(urn: $urn) { urn } }', {
        urn,
      });
      assert.deepEqual(data, { entity: null });
      assert.match(errors?.[0]?.message ?? '', message);
      assert.equal(errors?.[0]?.extensions.type, 'BAD_REQUEST');
    }
  });

  it('for whether they exist, also where they cannot be read otherwise', async () => {
    await model.seed('urn:li:chart:(looker,stored)', { status: { removed: true } });
    const { data, errors } = await model.ask(
      `{ stored: entityExists(urn: "urn:li:chart:(looker,stored)") other: entityExists(urn: "urn:li:chart:(looker,other)")
         malformed: entityExists(urn: "chart") unknown: entityExists(urn: "urn:li:foo:a") }`,
    );
    assert.deepEqual(data, { stored: true, other: false, malformed: null, unknown: null });
    assert.equal(errors?.length, 2);
  });

  it('aspect by aspect, as they are stored, but for secrets', async () => {
    const user = 'urn:li:corpuser:secretive';
    await model.seed(user, { corpUserInfo: { active: true, displayName: 'S' }, status: { removed: false } });
    await storeAsIs(model, user, ['corpUserCredentials'], { salt: 's', hashedPassword: 'h' });
    const { data, errors } = await model.ask(
      `{ corpUser(urn: "${user}") { all: aspects { aspectName payload } none: aspects(input: {autoRenderOnly: true}) { aspectName }
         some: aspects(input: {aspectNames: ["status", "corpUserCredentials", "foo"]}) { aspectName payload } } }`,
    );
    assert.equal(errors, undefined);
    const [info, status] = [
      { aspectName: 'corpUserInfo', payload: (await textOf(user, 'corpUserInfo')) ?? '' },
      { aspectName: 'status', payload: '{"removed":false}' },
    ];
    const key = { aspectName: 'corpUserKey', payload: '{"username":"secretive"}' };
    assert.deepEqual(data, { corpUser: { all: [key, info, status], none: [], some: [status] } });
  });

  it('with when ingestion last saw anything about them', async () => {
    const urn = parseUrn('urn:li:container:seen');
    const observe: Command<null, null> = {
      name: 'observe',
      demands: () => [],
      decide: async () => ({
        writes: [
          { urn, aspect: 'status', body: { removed: false }, systemMetadata: { lastObserved: 5 } },
          { urn, aspect: 'subTypes', body: { typeNames: [] }, systemMetadata: { lastObserved: 9 } },
        ],
        result: null,
      }),
    };
    await model.execute(observe, null);
    const { data } = await model.ask(`{ container(urn: "${urn}") { lastIngested } }`);
    assert.deepEqual(data, { container: { lastIngested: 9 } });
  });

  async function textOf(urn: string, aspect: string): Promise<string | undefined> {
    return (await model.store.read(parseUrn(urn), [aspect])).get(aspect)?.text;
  }
});

/** Past the validation of commands, as an older version or another program may have left it. */
async function storeAsIs(
  model: ReadModel,
  text: string,
  aspects: readonly string[],
  body: JsonObject,
): Promise<void> {
  const urn = parseUrn(text);
  await model.store.transact(async (transaction) => {
    const stored = await transaction.read(urn);
    const versions = await transaction.lastVersions(aspects.map((aspect) => ({ urn, aspect })));
    await transaction.apply({
      command: 'storeAsIs',
      stamp: { time: 1, actor: 'urn:li:corpuser:ana' },
      changes: aspects.map((aspect, index) => ({
        urn,
        entityType: urnType(urn),
        aspect,
        before: stored.get(aspect),
        versionBefore: versions[index] ?? 0,
        text: JSON.stringify(body),
        systemText: null,
        addedRelationships: [],
        removedRelationships: [],
      })),
      observations: [],
      fragments: [],
      placements: [],
      searchEntries: [],
    });
  });
}

describe('the table of GraphQL types', () => {
  it('gives every entity type of the registry a value of the enum EntityType', () => {
    const type = readModelSchema.getType('EntityType');
    assert.ok(isEnumType(type));
    const values = new Set(type.getValues().map(({ name }) => name));
    for (const { name } of entityTypes()) assert.ok(values.has(graphqlEntityType(name)), name);
    assert.equal(graphqlEntityType('corpuser'), 'CORP_USER');
    assert.equal(graphqlEntityType('dataHubStepState'), 'OTHER');
  });

  it('names object types that are entities, and all that are but access tokens, which only their owners may list', () => {
    const entity = readModelSchema.getType('Entity');
    assert.ok(isInterfaceType(entity));
    const objects = readModelSchema.getPossibleTypes(entity).map(({ name }) => name);
    assert.deepEqual([...objects].sort(), [...entityObjects, 'AccessTokenMetadata'].sort());
  });
});

/** Every field without required arguments, as deep as that, of a type of the schema; but for what only a search answers. */
function everything(typeName: string, depth: number): string {
  const type = readModelSchema.getType(typeName);
  if (!isObjectType(type)) return '__typename';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = readModelSchema.getType(String(field.type).replaceAll(/[[\]!]/g, ''));
    if (field.args.some((argument) => String(argument.type).endsWith('!'))) return [];
    if (inner?.name === 'SearchResults') return [];
    if (isObjectType(inner))
      return depth === 0 ? [] : `${field.name} { ${everything(inner.name, depth - 1)} }`;
    return isCompositeType(inner) ? `${field.name} { __typename }` : field.name;
  });
  return ['__typename', ...fields].join(' ');
}

describe('whatever is stored in an aspect, reading never fails', () => {
  let model: ReadModel;

  before(async () => {
    model = await openReadModel();
  });
  after(() => model.close());

  const oddValues = [
    7,
    'text',
    true,
    null,
    [],
    {},
    [7, 'urn:li:tag:a', {}, null, ['x']],
    'urn:li:dataset:x',
    { a: 1 },
  ];
  const members = [
    'active admins auditStamp browsePath clients columns container created createStamp customProperties definition deprecated',
    'description displayName domains editableSchemaFieldInfo elements fieldPath fields fineGrainedLineages foreignKeys',
    'globalTags glossaryTerms groups instance lastModified managerUrn members name owners parentDomain parentNode path paths',
    'platform platformSchema platforms primaryKeys removed schemaName siblings source status tags teams termSource terms type',
    'typeNames url version viewLogic materialized decommissionTime actor departmentId hash',
  ]
    .join(' ')
    .split(' ');
  const membersOfReports = [
    'inputs inputEdges charts chartEdges fields schemaField schemaFieldUrn rawQuery access title lastRefreshed destinationUrn',
    'inputDatasets inputDatajobEdges statement subjects entity origin parentTemplate hyperParams outputUrls timestampMillis',
    'datasetAssertion freshnessAssertion volumeAssertion sqlAssertion fieldAssertion schemaAssertion customAssertion dataset',
    'operator parameters value schedule cron fixedInterval field failThreshold metric filter note result attempt limit schema',
    'entities assignees priority startedAt state mlFeatures mlPrimaryKeys sources groups version dataType date tags',
    'created lastModified type name description fields customProperties platform instance status title',
  ]
    .join(' ')
    .split(' ');
  const urns = {
    Dataset: 'urn:li:dataset:(urn:li:dataPlatform:hive,odd,PROD)',
    GlossaryTerm: 'urn:li:glossaryTerm:odd',
    GlossaryNode: 'urn:li:glossaryNode:odd',
    Tag: 'urn:li:tag:odd',
    Domain: 'urn:li:domain:odd',
    Container: 'urn:li:container:odd',
    DataPlatform: 'urn:li:dataPlatform:odd',
    DataPlatformInstance: 'urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,odd)',
    CorpUser: 'urn:li:corpuser:odd',
    CorpGroup: 'urn:li:corpGroup:odd',
    SchemaFieldEntity: 'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,odd,PROD),id)',
    OwnershipTypeEntity: 'urn:li:ownershipType:odd',
  };
  const urnsOfReports = {
    Chart: 'urn:li:chart:(looker,odd)',
    Dashboard: 'urn:li:dashboard:(looker,odd)',
    DataFlow: 'urn:li:dataFlow:(airflow,odd,prod)',
    DataJob: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,odd,prod),odd)',
    DataProcessInstance: 'urn:li:dataProcessInstance:odd',
    QueryEntity: 'urn:li:query:odd',
    Assertion: 'urn:li:assertion:odd',
    Incident: 'urn:li:incident:odd',
    ERModelRelationship: 'urn:li:erModelRelationship:odd',
    MLModel: 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,odd,PROD)',
    MLModelGroup: 'urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,odd,PROD)',
    MLFeature: 'urn:li:mlFeature:(space,odd)',
    MLFeatureTable: 'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,odd)',
    MLPrimaryKey: 'urn:li:mlPrimaryKey:(space,odd)',
    BusinessAttribute: 'urn:li:businessAttribute:odd',
  };
  /** An empty body; each odd value in every member at once; and lists and objects in which every member is odd. */
  const oddBodies = (names: readonly string[]): readonly JsonObject[] => {
    const of = (value: JsonValue): JsonObject => Object.fromEntries(names.map((member) => [member, value]));
    return [{}, ...oddValues.flatMap((odd) => [of(odd), of([of(odd)]), of(of(odd))])];
  };
  const cases = [
    ...Object.entries(urns).map((entity) => [...entity, members, 3] as const),
    // Assertions say what they check in objects within objects; the others refer to much else.
    ...Object.entries(urnsOfReports).map(
      (entity) => [...entity, membersOfReports, entity[0] === 'Assertion' ? 4 : 2] as const,
    ),
  ];

  for (const [object, urn, names, depth] of cases) {
    const bodies = oddBodies(names);
    it(`of a ${object}`, async () => {
      const query = `{ entity(urn: "${urn}") { ... on ${object} { ${everything(object, depth)} } } }`;
      const type = entityTypeOf(urnType(parseUrn(urn)));
      const aspects = [...(type?.aspects ?? [])].filter((aspect) => aspect !== type?.keyAspect);
      for (const body of bodies) {
        await storeAsIs(model, urn, aspects, body);
        const { errors } = await model.ask(query);
        assert.deepEqual(errors?.slice(0, 3), undefined, JSON.stringify(body).slice(0, 200));
      }
    });
  }
});
