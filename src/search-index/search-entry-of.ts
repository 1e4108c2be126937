import { isJsonObject } from '../aspect/json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';
import type { SearchEntry } from '../aspect/search-entry.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { isUrn, type Urn, urnParts, urnType } from '../urn/urn.ts';
import { newEntryDraft } from './entry-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import { combinedSeparator } from './search-fields.ts';
import { keySearchSources, searchSources, searchSourcesOf } from './search-sources.ts';
import type { SearchSource } from './search-sources.ts';

/** Entities that nobody searches, whose very ids may be a secret; of them it is only known that they exist. */
const closedTypes: ReadonlySet<string> = new Set([
  'dataHubAccessToken',
  'dataHubConnection',
  'dataHubExecutionRequest',
  'dataHubIngestionSource',
  'dataHubOpenAPISchema',
  'dataHubPolicy',
  'dataHubRetention',
  'dataHubRole',
  'dataHubSecret',
  'dataHubStepState',
  'dataHubUpgrade',
  'globalSettings',
  'inviteToken',
  'telemetry',
]);

type Step = { readonly member: string } | 'element';
type Reader = { readonly steps: readonly Step[]; readonly fields: readonly string[] };

const keyReaders: readonly Reader[] = keySearchSources().map(readerOf);
const readers: ReadonlyMap<string, readonly Reader[]> = new Map(
  [...searchSources().keys()].map((aspect) => [aspect, searchSourcesOf(aspect).map(readerOf)]),
);
const empty: SearchEntry = { fields: {}, terms: '' };

/**
 * The entry of an aspect; `undefined` for aspects that contribute nothing. Every key aspect has one: it says that the entity exists.
 * Pure: the write engine computes it in the transaction, `postil check` and `postil reindex` compute it again.
 */
export function searchEntryOf(urn: Urn, aspect: string, body: JsonObject): SearchEntry | undefined {
  const type = urnType(urn);
  const isKey = requireEntityType(type).keyAspect === aspect;
  if (closedTypes.has(type)) return isKey ? empty : undefined;
  if (isSecretAspect(aspect)) return undefined;
  const draft = newEntryDraft();
  if (isKey) addKey(body, draft);
  else addAspect(aspect, body, draft);
  return draft.entry() ?? (isKey ? empty : undefined);
}

function addKey(body: JsonObject, draft: EntryDraft): void {
  for (const reader of keyReaders) read(reader, body, 0, draft);
  const tool = toolOf(body);
  if (typeof tool === 'string' && tool !== '') draft.add('platform', `urn:li:dataPlatform:${tool}`);
}

/** Charts, dashboards and pipelines name their platform by the name of a tool; of the job of a pipeline, the pipeline says it. */
function toolOf(body: JsonObject): JsonValue | undefined {
  const { flow } = body;
  if (isUrn(flow)) return urnParts(flow)[0];
  return body['dashboardTool'] ?? body['notebookTool'] ?? body['orchestrator'];
}

function addAspect(aspect: string, body: JsonObject, draft: EntryDraft): void {
  const own = readers.get(aspect);
  for (const reader of own ?? []) read(reader, body, 0, draft);
  if (aspect === 'structuredProperties') addStructuredProperties(body, draft);
  else if (aspect === 'browsePathsV2') addBrowsePath(body, draft);
  else if (own !== undefined) addCustomProperties(body['customProperties'], draft);
}

/** Custom properties are found as `key=value` (wire 8.6). */
function addCustomProperties(properties: JsonValue | undefined, draft: EntryDraft): void {
  if (!isJsonObject(properties)) return;
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'string') draft.add('customProperties', `${key}=${value}`);
  }
}

function addStructuredProperties(body: JsonObject, draft: EntryDraft): void {
  for (const property of elementsOf(body['properties'])) {
    const urn = isJsonObject(property) ? property['propertyUrn'] : undefined;
    if (!isJsonObject(property) || typeof urn !== 'string') continue;
    for (const value of elementsOf(property['values'])) {
      const plain = isJsonObject(value) ? (value['string'] ?? value['double']) : value;
      draft.add(`structuredProperties.${urn}`, plain);
    }
  }
}

/** Steps of the path, each with a separator before it, so that what lies below a place begins with it. */
function addBrowsePath(body: JsonObject, draft: EntryDraft): void {
  const steps = elementsOf(body['path']).map((step) => {
    if (!isJsonObject(step)) return '';
    const name = step['urn'] ?? step['id'];
    return typeof name === 'string' ? name : '';
  });
  if (steps.length > 0) {
    draft.add('browsePathV2', steps.map((step) => combinedSeparator + step).join(''));
  }
}

function read(reader: Reader, value: JsonValue | undefined, at: number, draft: EntryDraft): void {
  const step = reader.steps[at];
  if (step === undefined) {
    for (const field of reader.fields) draft.add(field, value);
  } else if (step === 'element') {
    for (const element of elementsOf(value)) read(reader, element, at + 1, draft);
  } else if (isJsonObject(value)) {
    const member = value[step.member];
    if (member !== undefined) read(reader, member, at + 1, draft);
  }
}

function elementsOf(value: JsonValue | undefined): JsonArray {
  return isArray(value) ? value : [];
}

function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

function readerOf({ path, fields }: SearchSource): Reader {
  const steps = path
    .replaceAll('[]', '.[]')
    .split('.')
    .map((step): Step => (step === '[]' ? 'element' : { member: step }));
  return { steps, fields };
}
