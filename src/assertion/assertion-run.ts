import type { JsonObject } from '../aspect/json.ts';
import { partitionSpecOf } from '../entity/partition-spec.ts';
import type { PartitionSpec } from '../entity/partition-spec.ts';
import type { Measurement } from '../entity/series.ts';
import { integerIn, intIn, knownTextIn, numberIn, objectIn, textIn } from '../entity/stored-member.ts';
import { textMapIn } from '../entity/text-map.ts';
import type { TextMapEntry } from '../entity/text-map.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `AssertionRunEvent`. */
export type AssertionRun = {
  readonly timestampMillis: number;
  readonly assertionUrn: string;
  readonly asserteeUrn: string;
  readonly runId: string;
  readonly status: 'COMPLETE';
  readonly batchSpec: object | null;
  readonly partitionSpec: PartitionSpec | null;
  readonly runtimeContext: readonly TextMapEntry[] | null;
  readonly result: AssertionResult | null;
};

type AssertionResult = {
  readonly type: string;
  readonly rowCount: number | null;
  readonly missingCount: number | null;
  readonly unexpectedCount: number | null;
  readonly actualAggValue: number | null;
  readonly externalUrl: string | null;
  readonly nativeResults: readonly TextMapEntry[] | null;
  readonly error: object | null;
  readonly severity: string | null;
};

const resultTypes: ReadonlySet<string> = new Set(['INIT', 'SUCCESS', 'FAILURE', 'ERROR']);
const errorTypes: ReadonlySet<string> = new Set([
  'SOURCE_CONNECTION_ERROR',
  'SOURCE_QUERY_FAILED',
  'INVALID_PARAMETERS',
  'INSUFFICIENT_DATA',
  'INVALID_SOURCE_TYPE',
  'UNSUPPORTED_PLATFORM',
  'CUSTOM_SQL_ERROR',
  'FIELD_ASSERTION_ERROR',
  'UNKNOWN_ERROR',
]);

/** One stored run of an assertion; `undefined` for one that has not completed, as there is no status for it. */
export function assertionRun({ timestampMillis, body }: Measurement, urn: Urn): AssertionRun | undefined {
  if (body['status'] !== 'COMPLETE') return undefined;
  return {
    timestampMillis,
    assertionUrn: textIn(body, 'assertionUrn') ?? urn,
    asserteeUrn: textIn(body, 'asserteeUrn') ?? '',
    runId: textIn(body, 'runId') ?? '',
    status: 'COMPLETE',
    batchSpec: batchSpecOf(objectIn(body, 'batchSpec')),
    partitionSpec: partitionSpecOf(body),
    runtimeContext: textMapIn(body, 'runtimeContext'),
    result: resultOf(objectIn(body, 'result')),
  };
}

function batchSpecOf(spec: JsonObject | undefined): object | null {
  if (spec === undefined) return null;
  return {
    nativeBatchId: textIn(spec, 'nativeBatchId'),
    query: textIn(spec, 'query'),
    limit: intIn(spec, 'limit'),
    customProperties: textMapIn(spec, 'customProperties'),
  };
}

function resultOf(result: JsonObject | undefined): AssertionResult | null {
  const type = knownTextIn(result, 'type', resultTypes);
  if (type === null) return null;
  return {
    type,
    rowCount: integerIn(result, 'rowCount'),
    missingCount: integerIn(result, 'missingCount'),
    unexpectedCount: integerIn(result, 'unexpectedCount'),
    actualAggValue: numberIn(result, 'actualAggValue'),
    externalUrl: textIn(result, 'externalUrl'),
    nativeResults: textMapIn(result, 'nativeResults'),
    error: errorOf(objectIn(result, 'error')),
    severity: textIn(result, 'severity'),
  };
}

function errorOf(error: JsonObject | undefined): object | null {
  if (error === undefined) return null;
  return {
    type: knownTextIn(error, 'type', errorTypes) ?? 'UNKNOWN_ERROR',
    properties: textMapIn(error, 'properties'),
    displayMessage: textIn(error, 'displayMessage') ?? textIn(objectIn(error, 'properties'), 'message'),
  };
}
