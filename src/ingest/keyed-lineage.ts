import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import { fromMap, toMap } from './keyed-value.ts';
import type { KeyedMap, KeyedValue } from './keyed-value.ts';

/** What stands in a path where an element has no transformation or no query (wire 5.4). */
const none = 'NONE';

/**
 * Changes `upstreamLineage` as a map: upstreams by dataset, column lineage by transformation, downstream column, query and
 * upstream column (wire 5.4). Column lineage with other than one downstream has no such key; it stays as it is, unless
 * the whole list is replaced or removed.
 */
export function changeLineage(body: JsonObject, change: (keyed: KeyedMap) => void): JsonObject {
  const { upstreams, fineGrainedLineages, ...others } = body;
  const byDataset: KeyedMap = new Map();
  for (const element of listOf(upstreams)) {
    if (isJsonObject(element)) byDataset.set(String(element['dataset']), toMap(element));
  }
  const columns: KeyedMap = new Map();
  const unnamed = listOf(fineGrainedLineages).filter(
    (element) => !isJsonObject(element) || !addColumns(columns, element),
  );
  const root: KeyedMap = new Map(Object.entries(others).map(([member, value]) => [member, toMap(value)]));
  root.set('upstreams', byDataset);
  root.set('fineGrainedLineages', columns);

  change(root);

  const changed: { [member: string]: JsonValue } = {};
  for (const [member, value] of root) {
    if (member === 'upstreams') changed[member] = upstreamsOf(value);
    else if (member !== 'fineGrainedLineages') changed[member] = fromMap(value);
    else {
      const elements = [...columnsOf(value), ...(value === columns ? unnamed : [])];
      if (elements.length > 0) changed[member] = elements;
    }
  }
  return changed;
}

function upstreamsOf(byDataset: KeyedValue): readonly JsonValue[] {
  if (!(byDataset instanceof Map)) return listOf(byDataset);
  return [...byDataset].map(([dataset, element]) => {
    const value = fromMap(element);
    return isJsonObject(value) ? { dataset, ...value } : value;
  });
}

/** False when the element has no key. */
function addColumns(columns: KeyedMap, element: JsonObject): boolean {
  const downstreams = listOf(element['downstreams']);
  const upstreams = listOf(element['upstreams']);
  const [downstream] = downstreams;
  if (downstreams.length !== 1 || typeof downstream !== 'string' || upstreams.length === 0) return false;
  const { transformOperation, query, confidenceScore } = element;
  let place = columns;
  for (const step of [textOr(transformOperation, none), downstream, textOr(query, none)]) {
    const next = place.get(step);
    const inner: KeyedMap = next instanceof Map ? next : new Map();
    place.set(step, inner);
    place = inner;
  }
  for (const upstream of upstreams) {
    place.set(
      String(upstream),
      new Map<string, KeyedValue>([
        ['confidenceScore', confidenceScore ?? 1],
        ['upstreamType', textOr(element['upstreamType'], upstreamTypeOf(upstream))],
        ['downstreamType', textOr(element['downstreamType'], 'FIELD')],
      ]),
    );
  }
  return true;
}

function columnsOf(columns: KeyedValue): readonly JsonValue[] {
  if (!(columns instanceof Map)) return listOf(columns);
  const elements: JsonValue[] = [];
  for (const [transformOperation, byDownstream] of columns) {
    for (const [downstream, byQuery] of entriesOf(byDownstream)) {
      for (const [query, upstreams] of entriesOf(byQuery)) {
        if (!(upstreams instanceof Map) || upstreams.size === 0) continue;
        elements.push(columnElement(transformOperation, downstream, query, upstreams));
      }
    }
  }
  return elements;
}

function columnElement(
  transformOperation: string,
  downstream: string,
  query: string,
  byUpstream: KeyedMap,
): JsonObject {
  const names = [...byUpstream.keys()];
  const values = [...byUpstream.values()].filter((value) => value instanceof Map);
  const scores = values
    .map((value) => value.get('confidenceScore'))
    .filter((score) => typeof score === 'number');
  return {
    upstreamType: lastText(values, 'upstreamType') ?? upstreamTypeOf(names[0]),
    upstreams: names,
    downstreamType: lastText(values, 'downstreamType') ?? 'FIELD',
    downstreams: [downstream],
    transformOperation,
    // Several upstream columns share one score: the lowest.
    confidenceScore: Math.min(1, ...scores),
    ...(query === none || query === '' ? {} : { query }),
  };
}

function upstreamTypeOf(upstream: JsonValue | undefined): string {
  return isUrn(upstream) && urnType(upstream) === 'dataset' ? 'DATASET' : 'FIELD_SET';
}

function lastText(values: readonly KeyedMap[], member: string): string | undefined {
  return values.map((value) => value.get(member)).findLast((text) => typeof text === 'string');
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function entriesOf(value: KeyedValue): Iterable<[string, KeyedValue]> {
  return value instanceof Map ? value : [];
}

function listOf(value: KeyedValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
