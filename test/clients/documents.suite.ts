import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kind, parse, validate } from 'graphql';
import type { DocumentNode } from 'graphql';
import { readModelSchema } from '../read-model.ts';
import { preparePythonClients, runProgram } from './python-clients.ts';

/**
 * The GraphQL documents that DataHub's Python package and its server for agents bring along, against our schema. A document
 * is refused as a whole when one name in it is unknown, so each of them either validates or is listed here with the reason.
 */

const documents = 'documents are stored but have no object';
const semantic = 'there is no search by meaning';
const assertionWrites = 'assertions are written as aspects only';
const secrets = 'there are no secrets';
const ingestion = 'there is no managed ingestion';
const versions = 'versions are linked by aspects only';

/** Why a document does not validate, by its file and the names of its operations. */
const refused: { readonly [document: string]: string } = {
  'datahub/api/graphql/operation.py reportOperation': 'operations are written as aspects only',
  'datahub/cli/gql/search.gql search': documents,
  'datahub/cli/gql/semantic_search.gql semanticSearch': semantic,
  'datahub/cli/iceberg_cli.py createIcebergSecrets': secrets,
  'datahub/cli/iceberg_cli.py updateIcebergSecrets': secrets,
  'datahub/cli/ingest_cli.py listIngestionRuns': ingestion,
  'datahub/cli/ingest_cli.py updateIngestionSource': ingestion,
  'datahub/cli/search_cli.py getSemanticSearchConfig': semantic,
  'datahub/cli/search_cli.py ping':
    'nothing is said of telemetry in GraphQL; /config says that there is none',
  'datahub/cli/search_cli.py testSemanticSearchEnabled': semantic,
  'datahub/ingestion/graph/client.py getInviteToken': 'there are no invitations',
  'datahub/ingestion/graph/client.py reportAssertionResult': assertionWrites,
  'datahub/ingestion/graph/client.py upsertCustomAssertion': assertionWrites,
  'datahub/ingestion/graph/connections.py GetConnection+SetConnection': 'there are no connections',
  'datahub/ingestion/graph/entity_versioning.py ': versions,
  'datahub/ingestion/source/common/semantic_model_gate.py getMetricsEnabled':
    'there are no feature flags; the source goes by the version then',
  'datahub/ingestion/source/datahub_documents/datahub_documents_source.py getDocumentPlatform': documents,
  'datahub/ingestion/source/datahub_documents/datahub_documents_source.py hydrateDocuments': documents,
  'datahub/ingestion/source/datahub_documents/datahub_documents_source.py scrollDocumentUrns': documents,
  'datahub/ingestion/source/unstructured/chunking_config.py getSemanticSearchConfig': semantic,
  'datahub/ingestion/source/unstructured/chunking_source.py listDocuments': documents,
  'datahub/ingestion/source/unstructured/event_consumer.py getPlatformResource':
    'resources of platforms are stored but have no object',
  'datahub/secret/datahub_secrets_client.py getSecretValues': secrets,
  'mcp_server_datahub/gql/document_content.gql documentContent': documents,
  'mcp_server_datahub/gql/document_search.gql documentSearch': documents,
  'mcp_server_datahub/gql/document_semantic_search.gql documentSemanticSearch': documents,
  'mcp_server_datahub/gql/related_documents.gql getRelatedDocuments': documents,
  'mcp_server_datahub/gql/semantic_search.gql semanticSearch': semantic,
};

/** Sources that ask other services than DataHub. */
const ofOtherServices = /^datahub\/ingestion\/source\/(montecarlo|tableau)\//;

type Found = {
  readonly file: string;
  readonly operations: readonly string[];
  readonly text: string;
};

const clients = await preparePythonClients();
const skip = 'unavailable' in clients ? clients.unavailable : false;

async function documentsOf(...packages: readonly string[]): Promise<readonly Found[]> {
  if ('unavailable' in clients) return [];
  const script = `${import.meta.dirname}/documents.py`;
  const { code, out, err } = await runProgram(`${clients.bin}/python`, [script, ...packages], process.env);
  assert.equal(code, 0, err);
  return JSON.parse(out) as readonly Found[];
}

/** As the clients send it: they leave lines out that are for the hosted edition or for later versions. */
function parsed({ text }: Found): DocumentNode {
  const sent = text.split('\n').filter((line) => !/#\[(CLOUD|NEWER_GMS)\]/.test(line));
  return parse(sent.join('\n'));
}

/** The fragments that are sent with a document and do not stand in it: those of files beside it. */
function fragmentsBeside(found: readonly Found[], { file, text }: Found): DocumentNode['definitions'] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  if (!file.endsWith('.gql') || text.includes('fragment ')) return [];
  return found
    .filter((other) => other.file.startsWith(`${folder}/`) && other.operations.length === 0)
    .flatMap((other) => parsed(other).definitions);
}

function problemsOf(found: readonly Found[], document: Found): readonly string[] {
  const definitions = [...parsed(document).definitions, ...fragmentsBeside(found, document)];
  const errors = validate(readModelSchema, { kind: Kind.DOCUMENT, definitions });
  return errors.map(({ message }) => message).filter((message) => !/is never used/.test(message));
}

test('every GraphQL document of the clients validates, but for those that are listed', { skip }, async () => {
  const found = await documentsOf('datahub', 'mcp_server_datahub');
  const asked = found.filter(({ file, operations }) => operations.length > 0 && !ofOtherServices.test(file));
  assert.ok(asked.length >= 60, `${asked.length} documents`);
  const problems = new Map<string, readonly string[]>();
  for (const document of asked) {
    const errors = problemsOf(found, document);
    if (errors.length > 0) problems.set(`${document.file} ${document.operations.join('+')}`, errors);
  }
  const unexpected = [...problems].filter(([name]) => refused[name] === undefined);
  assert.deepEqual(unexpected, []);
  assert.deepEqual(
    Object.keys(refused).filter((name) => !problems.has(name)),
    [],
    'validates now, so it leaves the list',
  );
});
