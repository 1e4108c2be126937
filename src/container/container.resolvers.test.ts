import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const container = 'urn:li:container:c';

test('a container is read back with its platform and what is attached to it', async () => {
  await using model = await openReadModel();
  const instance = 'urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,prod-1)';
  await model.seed(container, {
    containerProperties: { name: 'Shop', description: 'ingested', customProperties: { a: '1' } },
    editableContainerProperties: { description: 'edited' },
    dataPlatformInstance: { platform: 'urn:li:dataPlatform:hive', instance },
    container: { container: 'urn:li:container:d' },
    domains: { domains: ['urn:li:domain:sales'] },
    globalTags: { tags: [{ tag: 'urn:li:tag:x' }] },
    deprecation: { deprecated: true, note: 'old', actor: 'urn:li:corpuser:ana' },
  });
  await model.seed('urn:li:dataPlatform:hive', {
    dataPlatformInfo: { name: 'hive', displayName: 'Hive', type: 'OTHERS', datasetNameDelimiter: '.' },
  });
  await model.seed('urn:li:domain:sales', {
    domainProperties: { name: 'Sales', parentDomain: 'urn:li:domain:all' },
  });
  const { data, errors } = await model.ask(
    `{ container(urn: "${container}") { exists properties { name description customProperties { key value } }
       editableProperties { description } platform { name properties { type displayName datasetNameDelimiter } displayName }
       dataPlatformInstance { urn instanceId platform { name } properties { name } } container { urn }
       parentContainers { count } tags { tags { tag { urn } } } glossaryTerms { terms { term { urn } } }
       domain { domain { properties { name } parentDomains { count domains { urn __typename } } } }
       deprecation { deprecated note actor decommissionTime actorEntity { __typename urn } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    container: {
      exists: true,
      properties: { name: 'Shop', description: 'ingested', customProperties: [{ key: 'a', value: '1' }] },
      editableProperties: { description: 'edited' },
      platform: {
        name: 'hive',
        properties: { type: 'OTHERS', displayName: 'Hive', datasetNameDelimiter: '.' },
        displayName: 'Hive',
      },
      dataPlatformInstance: {
        urn: instance,
        instanceId: 'prod-1',
        platform: { name: 'hive' },
        properties: null,
      },
      container: { urn: 'urn:li:container:d' },
      parentContainers: { count: 1 },
      tags: { tags: [{ tag: { urn: 'urn:li:tag:x' } }] },
      glossaryTerms: null,
      domain: {
        domain: {
          properties: { name: 'Sales' },
          parentDomains: { count: 1, domains: [{ urn: 'urn:li:domain:all', __typename: 'Domain' }] },
        },
      },
      deprecation: {
        deprecated: true,
        note: 'old',
        actor: 'urn:li:corpuser:ana',
        decommissionTime: null,
        actorEntity: { __typename: 'CorpUser', urn: 'urn:li:corpuser:ana' },
      },
    },
  });
});

test('a container that was never stored is on the unknown platform', async () => {
  await using model = await openReadModel();
  const { data, errors } = await model.ask(
    `{ container(urn: "${container}") { exists platform { urn } properties { name } container { urn } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    container: {
      exists: false,
      platform: { urn: 'urn:li:dataPlatform:unknown' },
      properties: null,
      container: null,
    },
  });
});
