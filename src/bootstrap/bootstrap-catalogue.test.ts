import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestCatalogue, type TestCatalogue } from '../../test/catalogue.ts';
import { postgresUnavailable, startPostgres } from '../../test/postgres-server.ts';
import { unauthorized } from '../../test/sample-metadata.ts';
import { newToken, prepareFirstAdministrator } from '../access-token/prepare-first-administrator.ts';
import { systemCaller } from '../auth/system-caller.ts';
import type { Command } from '../command/command.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { validateAspect } from '../entity/validate-aspect.ts';
import { openPostgresStore } from '../storage/postgres/postgres-aspect-store.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { bootstrapAspects } from './bootstrap-aspects.ts';
import { bootstrapCatalogue } from './bootstrap-catalogue.ts';
import { bootstrappedVersion, bootstrapVersion } from './bootstrap-marker.ts';
import { dataPlatforms } from './data-platforms.ts';

const root = 'urn:li:corpuser:datahub';
const now = 1_790_000_000_000;

async function openPrepared(): Promise<TestCatalogue> {
  let time = now;
  const catalogue = await openTestCatalogue({ now: () => (time += 1) });
  const { id, lastFour } = newToken('bootstrap');
  const input = { chosen: undefined, made: { id, lastFour } };
  await catalogue.execute(prepareFirstAdministrator, input, systemCaller);
  return catalogue;
}

const deletedType = parseUrn('urn:li:dataType:datahub.date');
const deleteDataType: Command<object, void> = {
  name: 'deleteDataType',
  demands: () => [],
  decide: async () => ({
    writes: [{ urn: deletedType, aspect: 'dataTypeKey', body: undefined }],
    result: undefined,
  }),
};

const bootstrap = (catalogue: TestCatalogue): Promise<number> =>
  catalogue.execute(bootstrapCatalogue, {}, systemCaller);

describe('the bootstrap of a catalogue', () => {
  it('stores users, roles, policies, platforms, ownership types, data types and entity types', async () => {
    await using catalogue = await openPrepared();
    await bootstrap(catalogue);
    assert.equal((await catalogue.body(root, 'corpUserInfo'))?.['system'], true);
    assert.equal(
      (await catalogue.body('urn:li:corpuser:__datahub_system', 'corpUserInfo'))?.['system'],
      true,
    );
    for (const role of ['Admin', 'Editor', 'Reader']) {
      assert.equal((await catalogue.body(`urn:li:dataHubRole:${role}`, 'dataHubRoleInfo'))?.['name'], role);
    }
    assert.ok(await catalogue.body('urn:li:dataHubPolicy:0', 'dataHubPolicyInfo'));
    assert.deepEqual(await catalogue.body('urn:li:dataPlatform:OpenApi', 'dataPlatformInfo'), {
      name: 'OpenApi',
      displayName: 'OpenAPI',
      type: 'OTHERS',
      datasetNameDelimiter: '.',
    });
    for (const type of ['technical_owner', 'business_owner', 'data_steward', 'none']) {
      assert.ok(await catalogue.body(`urn:li:ownershipType:__system__${type}`, 'ownershipTypeInfo'), type);
    }
    for (const type of ['string', 'number', 'date', 'rich_text', 'urn']) {
      const body = await catalogue.body(`urn:li:dataType:datahub.${type}`, 'dataTypeInfo');
      assert.equal(body?.['qualifiedName'], `datahub.${type}`);
    }
    const body = await catalogue.body('urn:li:entityType:datahub.dataset', 'entityTypeInfo');
    assert.equal(body?.['qualifiedName'], 'datahub.dataset');
    assert.equal(await bootstrappedVersion(catalogue.store), bootstrapVersion);
  });

  it('is one command of the system in the change log', async () => {
    await using catalogue = await openPrepared();
    const before = await catalogue.lastSequence();
    await bootstrap(catalogue);
    const changes = await catalogue.store.changes({ after: before, count: 10_000 });
    const commits = new Set(changes.map(({ commit, actor, command }) => `${commit} ${actor} ${command}`));
    assert.deepEqual([...commits], [`${before + 1} ${systemCaller.actor} bootstrapCatalogue`]);
  });

  it('happens once, and respects what somebody changed or deleted', async () => {
    await using catalogue = await openPrepared();
    await bootstrap(catalogue);
    await catalogue.seed('urn:li:dataPlatform:hive', {
      dataPlatformInfo: { name: 'hive', displayName: 'Our Hive', type: 'OTHERS', datasetNameDelimiter: '.' },
    });
    await catalogue.execute(deleteDataType, {}, systemCaller);
    const before = await catalogue.lastSequence();
    assert.equal(await bootstrap(catalogue), 0);
    assert.equal(await catalogue.lastSequence(), before);
    assert.equal(await catalogue.body(deletedType, 'dataTypeInfo'), undefined);
  });

  it('leaves what a catalogue has already as it is', async () => {
    await using catalogue = await openPrepared();
    const ours = { name: 'kafka', displayName: 'Our Kafka', type: 'OTHERS', datasetNameDelimiter: '.' };
    await catalogue.seed('urn:li:dataPlatform:kafka', { dataPlatformInfo: ours });
    await catalogue.seed('urn:li:dataPlatform:hive');
    const stored = await bootstrap(catalogue);
    assert.equal(stored, bootstrapAspects(now).length - 2);
    assert.deepEqual(await catalogue.body('urn:li:dataPlatform:kafka', 'dataPlatformInfo'), ours);
    assert.equal(
      (await catalogue.body('urn:li:dataPlatform:hive', 'dataPlatformInfo'))?.['displayName'],
      'Hive',
    );
  });

  it('gives the first user nothing back where their role was taken away, or they are gone', async () => {
    await using catalogue = await openPrepared();
    await catalogue.seed(root, { roleMembership: { roles: [] } });
    await bootstrap(catalogue);
    assert.equal(await catalogue.body('urn:li:dataHubPolicy:0', 'dataHubPolicyInfo'), undefined);
    await using other = await openTestCatalogue();
    await bootstrap(other);
    assert.equal(await other.body(root, 'corpUserInfo'), undefined);
    assert.ok(await other.body('urn:li:dataHubRole:Admin', 'dataHubRoleInfo'));
  });

  it('is for nobody but who may manage policies', async () => {
    await using catalogue = await openTestCatalogue();
    await catalogue.refuses(bootstrapCatalogue, {}, unauthorized, catalogue.editor);
  });

  it(
    'happens once on PostgreSQL when two nodes start at one time',
    { skip: postgresUnavailable() },
    async () => {
      const postgres = await startPostgres();
      try {
        await using one = await openTestCatalogue({ store: await openPostgresStore(postgres.url) });
        await using two = await openTestCatalogue({ store: await openPostgresStore(postgres.url) });
        const stored = await Promise.all([bootstrap(one), bootstrap(two)]);
        assert.equal(Math.min(...stored), 0);
        assert.ok(Math.max(...stored) > 100);
        const [aspect] = (await one.store.read(deletedType, ['dataTypeInfo'])).values();
        assert.equal(aspect?.version, 1);
      } finally {
        await postgres.stop();
      }
    },
  );

  it('consists of valid aspects of entity types that carry them, each once', () => {
    const seen = new Set<string>();
    for (const { urn, aspect, body } of bootstrapAspects(now)) {
      assert.deepEqual(validateAspect(aspect, body), [], urn);
      assert.ok(entityTypeOf(urnType(urn))?.aspects.has(aspect), urn);
      assert.ok(!seen.has(`${urn} ${aspect}`), urn);
      seen.add(`${urn} ${aspect}`);
    }
  });

  it('knows a hundred platforms, of which two begin with "vert"', () => {
    assert.ok(dataPlatforms.length >= 100);
    const names = dataPlatforms.map(([id]) => id).filter((id) => id.startsWith('vert'));
    assert.deepEqual(names, ['vertexai', 'vertica']);
  });
});
