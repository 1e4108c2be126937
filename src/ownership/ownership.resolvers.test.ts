import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

test('owners are users and groups, in a way of being responsible that older owners have by their deprecated type', async () => {
  await using model = await openReadModel();
  const tag = 'urn:li:tag:owned';
  await model.seed(tag, {
    ownership: {
      owners: [
        { owner: 'urn:li:corpuser:ana', type: 'TECHNICAL_OWNER', source: { type: 'MANUAL' } },
        { owner: 'urn:li:corpGroup:data', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:steward' },
        { owner: 'urn:li:corpuser:bob', type: 'DEVELOPER' },
      ],
      lastModified: { time: 3, actor: 'urn:li:corpuser:ana' },
    },
  });
  await model.seed('urn:li:ownershipType:steward', {
    ownershipTypeInfo: {
      name: 'Steward',
      created: { time: 0, actor: 'urn:li:corpuser:ana' },
      lastModified: { time: 0, actor: 'urn:li:corpuser:ana' },
    },
  });
  const { data, errors } = await model.ask(
    `{ tag(urn: "${tag}") { ownership { lastModified { time actor } owners { type associatedUrn source { type url }
       owner { ... on CorpUser { username } ... on CorpGroup { name } } ownershipType { urn info { name } } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    tag: {
      ownership: {
        lastModified: { time: 3, actor: 'urn:li:corpuser:ana' },
        owners: [
          {
            type: 'TECHNICAL_OWNER',
            associatedUrn: tag,
            source: { type: 'MANUAL', url: null },
            owner: { username: 'ana' },
            ownershipType: { urn: 'urn:li:ownershipType:__system__technical_owner', info: null },
          },
          {
            type: 'CUSTOM',
            associatedUrn: tag,
            source: null,
            owner: { name: 'data' },
            ownershipType: { urn: 'urn:li:ownershipType:steward', info: { name: 'Steward' } },
          },
          {
            type: 'DEVELOPER',
            associatedUrn: tag,
            source: null,
            owner: { username: 'bob' },
            ownershipType: null,
          },
        ],
      },
    },
  });
});
