import { auditStamp, edge, textMap, timeStamp } from './attachment-shapes.ts';
import { fineGrainedLineages } from './dataset-shapes.ts';
import { anything, anyUrn, integer, list, record, required, text, urnOf, sourceLink } from './shape.ts';
import type { Shape } from './shape.ts';

const edges = list(edge);
const datasets = list(urnOf('dataset'));

/** Created, changed and deleted, as charts and dashboards carry it. */
const changeStamps = record({ created: auditStamp, lastModified: auditStamp, deleted: auditStamp });

/** What reads, writes, shows, groups and checks datasets: the aspects that make edges (wire 8.3, 8.5). */
export const flowShapes: { readonly [aspect: string]: Shape } = {
  dataFlowInfo: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    name: required(text),
    description: text,
    project: text,
    created: timeStamp,
    lastModified: timeStamp,
    env: text,
  }),
  dataJobInfo: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    name: required(text),
    description: text,
    type: required(anything),
    flowUrn: urnOf('dataFlow'),
    created: timeStamp,
    lastModified: timeStamp,
    status: text,
    env: text,
  }),
  dataJobInputOutput: record({
    inputDatasets: datasets,
    inputDatasetEdges: edges,
    outputDatasets: datasets,
    outputDatasetEdges: edges,
    inputDatajobs: list(urnOf('dataJob')),
    inputDatajobEdges: edges,
    inputDatasetFields: list(urnOf('schemaField')),
    outputDatasetFields: list(urnOf('schemaField')),
    fineGrainedLineages,
  }),
  dataProcessInstanceInput: record({ inputs: list(anyUrn), inputEdges: edges }),
  dataProcessInstanceOutput: record({ outputs: list(anyUrn), outputEdges: edges }),
  chartInfo: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    title: required(text),
    description: text,
    lastModified: required(changeStamps),
    chartUrl: sourceLink,
    inputs: list(anything),
    inputEdges: edges,
    type: text,
    access: text,
    lastRefreshed: integer,
  }),
  dashboardInfo: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    title: required(text),
    description: text,
    charts: list(urnOf('chart')),
    chartEdges: edges,
    datasets,
    datasetEdges: edges,
    dashboards: edges,
    lastModified: required(changeStamps),
    dashboardUrl: sourceLink,
    access: text,
    lastRefreshed: integer,
  }),
  dataProductProperties: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    name: text,
    description: text,
    assets: edges,
  }),
  queryProperties: record({
    customProperties: textMap,
    statement: required(record({ value: required(text), language: required(text) })),
    source: required(text),
    name: text,
    description: text,
    created: required(auditStamp),
    lastModified: required(auditStamp),
  }),
  querySubjects: record({ subjects: required(list(record({ entity: required(anyUrn) }))) }),
  assertionInfo: record({
    customProperties: textMap,
    externalUrl: sourceLink,
    type: required(text),
    datasetAssertion: record({ dataset: required(urnOf('dataset')), fields: list(urnOf('schemaField')) }),
    freshnessAssertion: record({ entity: anyUrn }),
    volumeAssertion: record({ entity: anyUrn }),
    sqlAssertion: record({ entity: anyUrn }),
    fieldAssertion: record({ entity: anyUrn }),
    schemaAssertion: record({ entity: anyUrn }),
    customAssertion: record({ type: text, entity: anyUrn, field: anyUrn, logic: text }),
    description: text,
    lastUpdated: auditStamp,
  }),
  incidentInfo: record({
    type: required(text),
    customType: text,
    title: text,
    description: text,
    entities: required(list(anyUrn)),
    priority: integer,
    status: required(record({ state: required(text), message: text, lastUpdated: auditStamp })),
    created: required(auditStamp),
  }),
};
