import { sampleDataset, sampleTerm } from './mutation-samples.ts';
import type { SendOptions } from './server.ts';

export type RouteSample = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: SendOptions['body'];
  /** What the sample asks for, where a route asks for different rights. */
  readonly what?: string;
  /** It never ends: only how the answer begins is looked at. */
  readonly isStream?: true;
};

const dataset = encodeURIComponent(sampleDataset);
const test = 'urn:li:test:none';
const definition = JSON.stringify({ on: { types: ['dataset'] }, rules: [] });

function proposal(urn: string, aspectName: string, value: object | undefined): object {
  return {
    entityType: urn.split(':')[2],
    entityUrn: urn,
    aspectName,
    ...(value === undefined
      ? { changeType: 'DELETE' }
      : {
          changeType: 'UPSERT',
          aspect: { contentType: 'application/json', value: JSON.stringify(value) },
        }),
  };
}

const policy = {
  displayName: 'p',
  description: '',
  type: 'PLATFORM',
  state: 'INACTIVE',
  privileges: [],
  actors: {},
};

/** What ingestion is asked to write, by what rights it takes. */
const written: readonly (readonly [what: string, urn: string, aspect: string, value: object | undefined])[] =
  [
    ['metadata', sampleDataset, 'datasetProperties', { description: 'd', customProperties: {} }],
    ['a term', sampleTerm, 'glossaryTermInfo', { name: 'Order', definition: 'd', termSource: 'INTERNAL' }],
    [
      'a metadata test',
      test,
      'testInfo',
      { name: 'n', category: 'c', definition: { type: 'JSON', json: definition } },
    ],
    ['a user', 'urn:li:corpuser:matrix', 'corpUserInfo', { active: true }],
    ['a role', 'urn:li:corpuser:matrix', 'roleMembership', { roles: [] }],
    ['a membership', 'urn:li:corpuser:matrix', 'groupMembership', { groups: [] }],
    ['a policy', 'urn:li:dataHubPolicy:matrix', 'dataHubPolicyInfo', policy],
    [
      'a token',
      'urn:li:dataHubAccessToken:matrix',
      'dataHubAccessTokenInfo',
      { name: 'n', actorUrn: 'urn:li:corpuser:matrix', ownerUrn: 'urn:li:corpuser:matrix', createdAt: 0 },
    ],
    ['a deletion', sampleDataset, 'datasetKey', undefined],
    ['the deletion of a user', 'urn:li:corpuser:matrix', 'corpUserKey', undefined],
  ];

const snapshot = {
  value: {
    'com.linkedin.metadata.snapshot.DatasetSnapshot': {
      urn: sampleDataset,
      aspects: [{ 'com.linkedin.common.Status': { removed: false } }],
    },
  },
};

/** One request to every route there is, by the route's path and action; some for what takes different rights. */
export const routeSamples: Readonly<Record<string, readonly RouteSample[]>> = {
  '/api/graphql': [
    {
      method: 'POST',
      path: '/api/graphql',
      body: { query: '{ __typename }' },
      what: 'before any mutation is looked at',
    },
  ],
  '/aspects?action=ingestProposal': written.map(([what, urn, aspect, value]) => ({
    method: 'POST',
    path: '/aspects?action=ingestProposal',
    body: { proposal: proposal(urn, aspect, value) },
    what,
  })),
  '/aspects?action=ingestProposalBatch': written.map(([what, urn, aspect, value]) => ({
    method: 'POST',
    path: '/aspects?action=ingestProposalBatch',
    body: { proposals: [proposal(urn, aspect, value)] },
    what,
  })),
  '/entities?action=ingest': [
    { method: 'POST', path: '/entities?action=ingest', body: { entity: snapshot } },
  ],
  '/entities?action=batchIngest': [
    { method: 'POST', path: '/entities?action=batchIngest', body: { entities: [snapshot] } },
  ],
  '/entities?action=delete': [
    { method: 'POST', path: '/entities?action=delete', body: { urn: sampleDataset }, what: 'a dataset' },
    {
      method: 'POST',
      path: '/entities?action=delete',
      body: { urn: 'urn:li:dataHubPolicy:matrix' },
      what: 'a policy',
    },
    {
      method: 'POST',
      path: '/entities?action=delete',
      body: { urn: 'urn:li:corpuser:matrix' },
      what: 'a user',
    },
  ],
  '/aspects/{urn}': [
    { method: 'GET', path: `/aspects/${dataset}?aspect=datasetProperties`, what: 'metadata' },
    {
      method: 'GET',
      path: '/aspects/urn%3Ali%3AdataHubPolicy%3A0?aspect=dataHubPolicyInfo',
      what: 'a policy',
    },
    {
      method: 'GET',
      path: '/aspects/urn%3Ali%3AdataHubAccessToken%3Ax?aspect=dataHubAccessTokenInfo',
      what: 'a token',
    },
  ],
  '/entities?action=search': [
    { method: 'POST', path: '/entities?action=search', body: { entity: 'dataset', input: '*' } },
  ],
  '/entities?action=searchAcrossEntities': [
    { method: 'POST', path: '/entities?action=searchAcrossEntities', body: { input: '*' } },
  ],
  '/entities?action=filter': [
    { method: 'POST', path: '/entities?action=filter', body: { entity: 'dataset' } },
  ],
  '/entities?action=list': [{ method: 'POST', path: '/entities?action=list', body: { entity: 'dataset' } }],
  '/relationships': [
    { method: 'GET', path: `/relationships?urn=${dataset}&direction=INCOMING&types=List(DownstreamOf)` },
  ],
  '/openapi/relationships/v1': [
    {
      method: 'GET',
      path: `/openapi/relationships/v1?urn=${dataset}&direction=INCOMING&relationshipTypes=DownstreamOf`,
    },
  ],
  '/entitiesV2/{urn}': [{ method: 'GET', path: `/entitiesV2/${dataset}` }],
  '/entitiesV2': [{ method: 'GET', path: `/entitiesV2?ids=List(${dataset})` }],
  '/operations?action=restoreIndices': [
    { method: 'POST', path: '/operations?action=restoreIndices', body: { urn: sampleDataset } },
  ],
  '/config': [{ method: 'GET', path: '/config' }],
  '/health': [{ method: 'GET', path: '/health' }],
  '/health/live': [{ method: 'GET', path: '/health/live' }],
  '/openapi/v2/timeline/v1/{urn}': [{ method: 'GET', path: `/openapi/v2/timeline/v1/${dataset}` }],
  '/openapi/v1/events/poll': [
    { method: 'GET', path: '/openapi/v1/events/poll?topic=PlatformEvent_v1&pollTimeoutSeconds=0' },
  ],
  '/openapi/v1/events/stream': [
    { method: 'GET', path: '/openapi/v1/events/stream?topic=PlatformEvent_v1', isStream: true },
  ],
  '/test?action=evaluate': [{ method: 'POST', path: '/test?action=evaluate', body: { urn: sampleDataset } }],
  '/test?action=batchEvaluate': [
    { method: 'POST', path: '/test?action=batchEvaluate', body: { urns: [sampleDataset] } },
  ],
  '/tests/validate': [{ method: 'POST', path: '/tests/validate', body: { json: definition } }],
  '/entities/{urn}/tests/{test}/explain': [
    { method: 'GET', path: `/entities/${dataset}/tests/${encodeURIComponent(test)}/explain` },
  ],
  '/tests/{urn}/results': [{ method: 'GET', path: `/tests/${encodeURIComponent(test)}/results` }],
  '/tests/preview': [{ method: 'POST', path: '/tests/preview', body: { json: definition } }],
  '/tests/{urn}/preview': [
    { method: 'POST', path: `/tests/${encodeURIComponent(test)}/preview`, body: { json: definition } },
  ],
  '/tests/as-of': [{ method: 'POST', path: '/tests/as-of', body: { urn: sampleDataset, at: 1 } }],
  '/entities/{urn}/tests/proposed': [
    { method: 'POST', path: `/entities/${dataset}/tests/proposed`, body: { aspects: {} } },
  ],
  '/tests/changed': [{ method: 'GET', path: '/tests/changed' }],
};
