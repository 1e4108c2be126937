import type { JsonObject } from '../aspect/json.ts';
import { auditStampIn, optionalAuditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import {
  filledTextIn,
  integerIn,
  knownTextIn,
  listIn,
  objectIn,
  objectsIn,
  textIn,
} from '../entity/stored-member.ts';
import { isJsonObject } from '../aspect/json.ts';
import { isUrn, urnParts, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

/** What `ChartProperties` and `DashboardProperties` have in common; `body` is kept for members made when asked for. */
type ReportProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly name: string;
  readonly description: string | null;
  readonly externalUrl: string | null;
  readonly access: string | null;
  readonly lastRefreshed: number | null;
  readonly created: AuditStampValue;
  readonly lastModified: AuditStampValue;
  readonly deleted: AuditStampValue | null;
};

/** The GraphQL type `ChartProperties`. */
type ChartProperties = ReportProperties & { readonly type: string | null };

/** The GraphQL type `InputField`. */
type InputField = { readonly schemaFieldUrn: string | null; readonly schemaField: ColumnValue | null };

const accessLevels: ReadonlySet<string> = new Set(['PUBLIC', 'PRIVATE']);

const chartTypes: ReadonlySet<string> = new Set([
  'BAR',
  'PIE',
  'SCATTER',
  'TABLE',
  'TEXT',
  'LINE',
  'AREA',
  'HISTOGRAM',
  'BOX_PLOT',
  'WORD_CLOUD',
  'COHORT',
]);

const queryTypes: ReadonlySet<string> = new Set(['SQL', 'LOOKML']);

/** The tool and the id in the URN of a chart or a dashboard. Throws INVALID_URN when they do not fit. */
export function reportKey(urn: Urn): { readonly tool: string; readonly id: string } {
  const [tool = '', id = ''] = Object.values(keyBodyOf(urn)).map(String);
  return { tool, id };
}

/** What `dashboardInfo` says. */
export function dashboardProperties(body: JsonObject, urn: Urn): ReportProperties {
  return reportProperties(body, urn, 'dashboardUrl');
}

/** What `chartInfo` says. */
export function chartProperties(body: JsonObject, urn: Urn): ChartProperties {
  return { ...reportProperties(body, urn, 'chartUrl'), type: knownTextIn(body, 'type', chartTypes) };
}

function reportProperties(body: JsonObject, urn: Urn, urlMember: string): ReportProperties {
  const stamps = objectIn(body, 'lastModified');
  return {
    urn,
    body,
    name: filledTextIn(body, 'title') ?? reportKey(urn).id,
    description: textIn(body, 'description'),
    externalUrl: textIn(body, 'externalUrl') ?? textIn(body, urlMember),
    access: knownTextIn(body, 'access', accessLevels),
    lastRefreshed: integerIn(body, 'lastRefreshed'),
    created: auditStampIn(stamps, 'created'),
    lastModified: auditStampIn(stamps, 'lastModified'),
    deleted: optionalAuditStampIn(stamps, 'deleted'),
  };
}

/** The datasets that `chartInfo` names, in either spelling, each once; `null` when it names none in any. */
export function chartInputs(body: JsonObject): readonly EntityValue[] | null {
  if (body['inputs'] === undefined && body['inputEdges'] === undefined) return null;
  const inputs = listIn(body, 'inputs').map((input) => (isJsonObject(input) ? input['string'] : input));
  return referredEntities([...new Set([...inputs, ...destinationsIn(body, 'inputEdges')])], 'dataset');
}

/** The charts that `dashboardInfo` names, each once. */
export function dashboardCharts(body: JsonObject): readonly EntityValue[] {
  const named = new Set([...listIn(body, 'charts'), ...destinationsIn(body, 'chartEdges')]);
  return referredEntities([...named], 'chart');
}

function destinationsIn(body: JsonObject, edges: string): unknown[] {
  return objectsIn(body, edges).map((edge) => edge['destinationUrn']);
}

/** What `chartQuery` says; `null` when it is no query of a known kind. */
export function chartQuery(body: JsonObject): { readonly rawQuery: string; readonly type: string } | null {
  const rawQuery = textIn(body, 'rawQuery');
  const type = knownTextIn(body, 'type', queryTypes);
  return rawQuery === null || type === null ? null : { rawQuery, type };
}

/** What `inputFields` says. A column belongs to the dataset that its URN names, as far as it names one. */
export function inputFields(body: JsonObject, urn: Urn): { readonly fields: readonly InputField[] } {
  const fields = objectsIn(body, 'fields').map((field): InputField => {
    const schemaFieldUrn = textIn(field, 'schemaFieldUrn');
    const ingested = objectIn(field, 'schemaField');
    const isColumn = textIn(ingested, 'fieldPath') !== null;
    const schemaField = isColumn
      ? { urn: parentOf(schemaFieldUrn) ?? urn, ingested, edited: undefined }
      : null;
    return { schemaFieldUrn, schemaField };
  });
  return { fields };
}

function parentOf(schemaField: string | null): Urn | undefined {
  if (!isUrn(schemaField) || urnType(schemaField) !== 'schemaField') return undefined;
  const [parent] = urnParts(schemaField);
  return isUrn(parent) ? parent : undefined;
}
