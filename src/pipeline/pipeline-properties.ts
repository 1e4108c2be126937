import type { JsonObject } from '../aspect/json.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { fineGrainedLineages } from '../entity/fine-grained-lineage.ts';
import type { FineGrainedLineage } from '../entity/fine-grained-lineage.ts';
import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { filledTextIn, listIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL types `DataFlowProperties` and `DataJobProperties`; `body` is kept for members made when asked for. */
type PipelineProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly name: string;
  readonly description: string | null;
  readonly externalUrl: string | null;
  readonly project: string | null;
};

/** The GraphQL type `DataJobInputOutput`. */
type InputOutput = {
  readonly inputDatasets: readonly EntityValue[];
  readonly outputDatasets: readonly EntityValue[];
  readonly inputDatajobs: readonly EntityValue[];
  readonly fineGrainedLineages: readonly FineGrainedLineage[] | null;
};

/** A part of the URN of a pipeline or a task, by its name in the key. Throws INVALID_URN when the parts do not fit. */
export function pipelineKeyPart(urn: Urn, part: string): string {
  return textIn(keyBodyOf(urn), part) ?? '';
}

/** What `dataFlowInfo` says. */
export function flowProperties(body: JsonObject, urn: Urn): PipelineProperties {
  return propertiesOf(body, urn, 'flowId');
}

/** What `dataJobInfo` says. */
export function jobProperties(body: JsonObject, urn: Urn): PipelineProperties {
  return propertiesOf(body, urn, 'jobId');
}

function propertiesOf(body: JsonObject, urn: Urn, id: string): PipelineProperties {
  return {
    urn,
    body,
    name: filledTextIn(body, 'name') ?? pipelineKeyPart(urn, id),
    description: textIn(body, 'description'),
    externalUrl: textIn(body, 'externalUrl'),
    project: textIn(body, 'project'),
  };
}

/** What `dataJobInputOutput` says, in either spelling, each entity once. */
export function inputOutput(body: JsonObject): InputOutput {
  return {
    inputDatasets: referred(body, 'inputDatasets', 'inputDatasetEdges', 'dataset'),
    outputDatasets: referred(body, 'outputDatasets', 'outputDatasetEdges', 'dataset'),
    inputDatajobs: referred(body, 'inputDatajobs', 'inputDatajobEdges', 'dataJob'),
    fineGrainedLineages: fineGrainedLineages(body),
  };
}

function referred(body: JsonObject, list: string, edges: string, type: string): readonly EntityValue[] {
  const destinations = objectsIn(body, edges).map((edge) => edge['destinationUrn']);
  return referredEntities([...new Set([...listIn(body, list), ...destinations])], type);
}
