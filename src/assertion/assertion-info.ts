import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { optionalAuditStampIn } from '../entity/audit-stamp.ts';
import { dataTypeOf } from '../entity/column-type.ts';
import { columnReference } from '../entity/fine-grained-lineage.ts';
import {
  booleanIn,
  filledTextIn,
  integerIn,
  intIn,
  knownTextIn,
  listIn,
  objectIn,
  objectsIn,
  textIn,
} from '../entity/stored-member.ts';
import { textMapIn } from '../entity/text-map.ts';
import type { Urn } from '../urn/urn.ts';
import {
  aggregations,
  assertionTypes,
  changeTypes,
  compatibilities,
  datasetScopes,
  failThresholds,
  fieldAssertionTypes,
  fieldMetrics,
  freshnessTypes,
  intervals,
  operators,
  parameterTypes,
  scheduleTypes,
  sourceTypes,
  sqlTypes,
  volumeTypes,
} from './assertion-terms.ts';

/** The member of `assertionInfo` that says what is checked, and the one in it that names what it is about. */
const subjects: readonly (readonly [member: string, reference: string])[] = [
  ['datasetAssertion', 'dataset'],
  ['freshnessAssertion', 'entity'],
  ['volumeAssertion', 'entity'],
  ['sqlAssertion', 'entity'],
  ['fieldAssertion', 'entity'],
  ['schemaAssertion', 'entity'],
  ['customAssertion', 'entity'],
];

/** The URN of what `assertionInfo` says the assertion is about; `null` when it says nothing. */
export function assertedUrn(body: JsonObject): string | null {
  for (const [member, reference] of subjects) {
    const urn = filledTextIn(objectIn(body, member), reference);
    if (urn !== null) return urn;
  }
  return null;
}

/**
 * What `assertionInfo` says, as the GraphQL type `AssertionInfo`. A definition that lacks what the type cannot do without
 * is `null`; values of enums that are not known are their most general one, or make the definition `null` as well.
 */
export function assertionInfo(body: JsonObject, urn: Urn): object {
  return {
    urn,
    body,
    type: knownTextIn(body, 'type', assertionTypes) ?? 'CUSTOM',
    description: textIn(body, 'description'),
    externalUrl: textIn(body, 'externalUrl'),
    entityUrn: assertedUrn(body),
    note: textIn(body, 'note') ?? textIn(objectIn(body, 'note'), 'content'),
    source: sourceOf(objectIn(body, 'source')),
    lastUpdated: optionalAuditStampIn(body, 'lastUpdated'),
    datasetAssertion: datasetAssertion(objectIn(body, 'datasetAssertion')),
    freshnessAssertion: freshnessAssertion(objectIn(body, 'freshnessAssertion')),
    volumeAssertion: volumeAssertion(objectIn(body, 'volumeAssertion')),
    sqlAssertion: sqlAssertion(objectIn(body, 'sqlAssertion')),
    fieldAssertion: fieldAssertion(objectIn(body, 'fieldAssertion')),
    schemaAssertion: schemaAssertion(objectIn(body, 'schemaAssertion')),
    customAssertion: customAssertion(objectIn(body, 'customAssertion')),
  };
}

function sourceOf(source: JsonObject | undefined): object | null {
  const type = knownTextIn(source, 'type', sourceTypes);
  return type === null ? null : { type, created: optionalAuditStampIn(source, 'created') };
}

function datasetAssertion(body: JsonObject | undefined): object | null {
  const datasetUrn = textIn(body, 'dataset');
  if (datasetUrn === null) return null;
  return {
    datasetUrn,
    scope: knownTextIn(body, 'scope', datasetScopes) ?? 'UNKNOWN',
    fields: columnsIn(listIn(body, 'fields')),
    aggregation: knownTextIn(body, 'aggregation', aggregations),
    operator: operatorOf(body),
    parameters: optionalParameters(body),
    nativeType: textIn(body, 'nativeType'),
    nativeParameters: textMapIn(body, 'nativeParameters'),
    logic: textIn(body, 'logic'),
  };
}

function freshnessAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  const type = knownTextIn(body, 'type', freshnessTypes);
  if (entityUrn === null || type === null) return null;
  return { entityUrn, type, schedule: scheduleOf(objectIn(body, 'schedule')), filter: filterOf(body) };
}

function scheduleOf(body: JsonObject | undefined): object | null {
  const type = knownTextIn(body, 'type', scheduleTypes);
  if (type === null) return null;
  const cron = objectIn(body, 'cron');
  const interval = objectIn(body, 'fixedInterval');
  const unit = knownTextIn(interval, 'unit', intervals);
  return {
    type,
    cron:
      cron === undefined
        ? null
        : {
            cron: textIn(cron, 'cron') ?? '',
            timezone: textIn(cron, 'timezone') ?? 'UTC',
            windowStartOffsetMs: integerIn(cron, 'windowStartOffsetMs'),
          },
    fixedInterval: unit === null ? null : { unit, multiple: intIn(interval, 'multiple') ?? 1 },
  };
}

function volumeAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  const type = knownTextIn(body, 'type', volumeTypes);
  if (entityUrn === null || type === null) return null;
  const total = objectIn(body, 'rowCountTotal');
  const change = objectIn(body, 'rowCountChange');
  const changeType = knownTextIn(change, 'type', changeTypes);
  return {
    entityUrn,
    type,
    rowCountTotal: total === undefined ? null : comparison(total),
    rowCountChange: changeType === null ? null : { type: changeType, ...comparison(change) },
    filter: filterOf(body),
  };
}

function sqlAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  const type = knownTextIn(body, 'type', sqlTypes);
  if (entityUrn === null || type === null) return null;
  const changeType = knownTextIn(body, 'changeType', changeTypes);
  return { entityUrn, type, statement: textIn(body, 'statement') ?? '', changeType, ...comparison(body) };
}

function fieldAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  const type = knownTextIn(body, 'type', fieldAssertionTypes);
  if (entityUrn === null || type === null) return null;
  return {
    entityUrn,
    type,
    fieldValuesAssertion: fieldValues(objectIn(body, 'fieldValuesAssertion')),
    fieldMetricAssertion: fieldMetric(objectIn(body, 'fieldMetricAssertion')),
    filter: filterOf(body),
  };
}

function fieldValues(body: JsonObject | undefined): object | null {
  const field = columnSpec(body);
  if (field === null) return null;
  const threshold = objectIn(body, 'failThreshold');
  const type = knownTextIn(threshold, 'type', failThresholds);
  return {
    field,
    transform: textIn(objectIn(body, 'transform'), 'type') === 'LENGTH' ? { type: 'LENGTH' } : null,
    operator: operatorOf(body),
    parameters: optionalParameters(body),
    failThreshold: type === null ? null : { type, value: integerIn(threshold, 'value') ?? 0 },
    excludeNulls: booleanIn(body, 'excludeNulls') ?? true,
  };
}

function fieldMetric(body: JsonObject | undefined): object | null {
  const field = columnSpec(body);
  const metric = knownTextIn(body, 'metric', fieldMetrics);
  if (field === null || metric === null) return null;
  return { field, metric, operator: operatorOf(body), parameters: optionalParameters(body) };
}

function columnSpec(body: JsonObject | undefined): object | null {
  const field = objectIn(body, 'field');
  const path = textIn(field, 'path');
  if (path === null) return null;
  return { path, type: textIn(field, 'type') ?? '', nativeType: textIn(field, 'nativeType') ?? '' };
}

function schemaAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  if (entityUrn === null) return null;
  const columns = objectsIn(objectIn(body, 'schema'), 'fields');
  return {
    entityUrn,
    fields: columns.map((column) => ({
      path: textIn(column, 'fieldPath') ?? '',
      type: dataTypeOf(column),
      nativeType: textIn(column, 'nativeDataType'),
    })),
    compatibility: knownTextIn(body, 'compatibility', compatibilities) ?? 'EXACT_MATCH',
  };
}

function customAssertion(body: JsonObject | undefined): object | null {
  const entityUrn = textIn(body, 'entity');
  if (entityUrn === null) return null;
  const [field] = columnsIn([body?.['field'] ?? null]);
  return { entityUrn, type: textIn(body, 'type') ?? '', field: field ?? null, logic: textIn(body, 'logic') };
}

function columnsIn(
  references: readonly JsonValue[],
): readonly { readonly urn: string; readonly path: string }[] {
  return references.flatMap((reference) => {
    if (typeof reference !== 'string') return [];
    // The type promises the URN of the column itself, unlike the references of lineage.
    return columnReference(reference).map(({ path }) => ({ urn: reference, path }));
  });
}

function comparison(body: JsonObject | undefined): {
  readonly operator: string;
  readonly parameters: object;
} {
  return { operator: operatorOf(body), parameters: optionalParameters(body) ?? {} };
}

function operatorOf(body: JsonObject | undefined): string {
  return knownTextIn(body, 'operator', operators) ?? '_NATIVE_';
}

function optionalParameters(body: JsonObject | undefined): object | null {
  const parameters = objectIn(body, 'parameters');
  if (parameters === undefined) return null;
  const [value, minValue, maxValue] = ['value', 'minValue', 'maxValue'].map((name) => {
    const parameter = objectIn(parameters, name);
    const text = textIn(parameter, 'value');
    return text === null
      ? null
      : { value: text, type: knownTextIn(parameter, 'type', parameterTypes) ?? 'UNKNOWN' };
  });
  return { value, minValue, maxValue };
}

function filterOf(body: JsonObject | undefined): object | null {
  const filter = objectIn(body, 'filter');
  return textIn(filter, 'type') === 'SQL' ? { type: 'SQL', sql: textIn(filter, 'sql') } : null;
}
