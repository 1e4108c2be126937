import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../aspect/json.ts';
import { edgesOf } from './edges.ts';
import { referenceTable } from './reference-table.ts';

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const column = `urn:li:schemaField:(${dataset},id)`;
const term = 'urn:li:glossaryTerm:a';
const tag = 'urn:li:tag:a';
const user = 'urn:li:corpuser:ana';
const group = 'urn:li:corpGroup:team';
const node = 'urn:li:glossaryNode:n';
const domain = 'urn:li:domain:d';
const container = 'urn:li:container:c';
const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)';
const chart = 'urn:li:chart:(looker,1)';
const dashboard = 'urn:li:dashboard:(looker,1)';
const check = 'urn:li:test:t';
const edge = (destinationUrn: string): JsonObject => ({ destinationUrn });
const terms = { terms: [{ urn: term }] };
const tags = { tags: [{ tag }] };

/** What clients rely on (wire 8.5), row by row: the aspect, its smallest body, and the edges that it makes: kind, to, and column. */
const rows: readonly (readonly [aspect: string, body: JsonObject, ...edges: readonly string[]])[] = [
  ['glossaryTerms', terms, `TermedWith ${term} `],
  ['schemaMetadata', { fields: [{ fieldPath: 'x', glossaryTerms: terms }] }, `TermedWith ${term} x`],
  [
    'editableSchemaMetadata',
    { editableSchemaFieldInfo: [{ fieldPath: 'x', glossaryTerms: terms }] },
    `TermedWith ${term} x`,
  ],
  ['globalTags', tags, `TaggedWith ${tag} `],
  ['schemaMetadata', { fields: [{ fieldPath: 'x', globalTags: tags }] }, `TaggedWith ${tag} x`],
  [
    'editableSchemaMetadata',
    { editableSchemaFieldInfo: [{ fieldPath: 'x', globalTags: tags }] },
    `TaggedWith ${tag} x`,
  ],
  [
    'ownership',
    { owners: [{ owner: user, typeUrn: 'urn:li:ownershipType:t' }, { owner: group }] },
    `OwnedBy ${user} `,
    'ownershipType urn:li:ownershipType:t ',
    `OwnedBy ${group} `,
  ],
  ['domains', { domains: [domain] }, `AssociatedWith ${domain} `],
  ['container', { container }, `IsPartOf ${container} `],
  ['glossaryTermInfo', { parentNode: node }, `IsPartOf ${node} `],
  ['glossaryNodeInfo', { parentNode: node }, `IsPartOf ${node} `],
  ['domainProperties', { parentDomain: domain }, `IsPartOf ${domain} `],
  ['glossaryRelatedTerms', { isRelatedTerms: [term] }, `IsA ${term} `],
  ['glossaryRelatedTerms', { hasRelatedTerms: [term] }, `HasA ${term} `],
  ['glossaryRelatedTerms', { values: [term] }, `HasValue ${term} `],
  ['glossaryRelatedTerms', { relatedTerms: [term] }, `IsRelatedTo ${term} `],
  ['upstreamLineage', { upstreams: [{ dataset }] }, `DownstreamOf ${dataset} `],
  ['dataJobInputOutput', { inputDatajobs: [job] }, `DownstreamOf ${job} `],
  ['dataJobInputOutput', { inputDatajobEdges: [edge(job)] }, `DownstreamOf ${job} `],
  ['dataJobInputOutput', { inputDatasets: [dataset] }, `Consumes ${dataset} `],
  ['dataJobInputOutput', { inputDatasetEdges: [edge(dataset)] }, `Consumes ${dataset} `],
  ['dataJobInputOutput', { outputDatasets: [dataset] }, `Produces ${dataset} `],
  ['dataJobInputOutput', { outputDatasetEdges: [edge(dataset)] }, `Produces ${dataset} `],
  ['chartInfo', { inputs: [{ string: dataset }] }, `Consumes ${dataset} `],
  ['chartInfo', { inputEdges: [edge(dataset)] }, `Consumes ${dataset} `],
  ['dashboardInfo', { datasets: [dataset] }, `Consumes ${dataset} `],
  ['dashboardInfo', { datasetEdges: [edge(dataset)] }, `Consumes ${dataset} `],
  ['dataProcessInstanceInput', { inputs: [dataset] }, `Consumes ${dataset} `],
  ['dataProcessInstanceOutput', { outputs: [dataset] }, `Produces ${dataset} `],
  ['dashboardInfo', { charts: [chart] }, `Contains ${chart} `],
  ['dashboardInfo', { chartEdges: [edge(chart)] }, `Contains ${chart} `],
  ['dashboardInfo', { dashboards: [edge(dashboard)] }, `DashboardContainsDashboard ${dashboard} `],
  ['dataProductProperties', { assets: [edge(dataset)] }, `DataProductContains ${dataset} `],
  ['testResults', { failing: [{ test: check }] }, `IsFailing ${check} `],
  ['testResults', { passing: [{ test: check }] }, `IsPassing ${check} `],
  ['siblings', { siblings: [dataset] }, `SiblingOf ${dataset} `],
  [
    'assertionInfo',
    { datasetAssertion: { dataset, fields: [column] } },
    `Asserts ${dataset} `,
    `Asserts ${column} `,
  ],
  ...['custom', 'freshness', 'volume', 'sql', 'field', 'schema'].map(
    (kind) =>
      ['assertionInfo', { [`${kind}Assertion`]: { entity: dataset } }, `Asserts ${dataset} `] as const,
  ),
  ['incidentInfo', { entities: [dataset] }, `IncidentOn ${dataset} `],
  [
    'schemaMetadata',
    { foreignKeys: [{ foreignFields: [column], foreignDataset: dataset }] },
    `ForeignKeyTo ${column} `,
    `ForeignKeyToDataset ${dataset} `,
  ],
  ['groupMembership', { groups: [group] }, `IsMemberOfGroup ${group} `],
  ['nativeGroupMembership', { nativeGroups: [group] }, `IsMemberOfNativeGroup ${group} `],
  ['roleMembership', { roles: ['urn:li:dataHubRole:Admin'] }, 'IsMemberOfRole urn:li:dataHubRole:Admin '],
  ['deprecation', { deprecated: true, note: '', replacement: dataset }, `ReplacedBy ${dataset} `],
  ['corpUserInfo', { managerUrn: user }, `ReportsTo ${user} `],
  [
    'versionProperties',
    { versionSet: 'urn:li:versionSet:(v,dataset)' },
    'VersionOf urn:li:versionSet:(v,dataset) ',
  ],
];

for (const [aspect, body, ...expected] of rows) {
  test(`${aspect} with ${Object.keys(body).join()} makes ${expected.map((text) => text.split(' ')[0]).join(' and ')}`, () => {
    assert.deepEqual(
      edgesOf(aspect, body).map(({ kind, destination, path }) => `${kind} ${destination} ${path}`),
      expected,
    );
  });
}

test('the reference tells every kind of edge, and which aspects say it', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/relationships.md'), 'utf8');
  const told = text.split('\n').filter((line) => line.startsWith('| `'));
  const byKind = new Map<string, Set<string>>();
  for (const [aspect, references] of Object.entries(referenceTable)) {
    for (const { kind } of references) {
      if (kind !== undefined) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(aspect));
    }
  }
  const wanted = [...byKind]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(
      ([kind, aspects]) => `| \`${kind}\` | ${[...aspects].map((aspect) => `\`${aspect}\``).join(', ')} |`,
    );
  assert.deepEqual(told, wanted);
});
