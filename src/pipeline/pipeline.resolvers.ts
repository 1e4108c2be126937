import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import { flowProperties, inputOutput, jobProperties, pipelineKeyPart } from './pipeline-properties.ts';

const keyPart =
  (part: string): FieldResolver<EntityValue> =>
  ({ urn }) =>
    pipelineKeyPart(urn, part);

export const pipelineResolvers: Resolvers = {
  Query: {
    dataFlow: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'dataFlow'),
    dataJob: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'dataJob'),
  },
  DataFlow: {
    orchestrator: keyPart('orchestrator'),
    flowId: keyPart('flowId'),
    cluster: keyPart('cluster'),
    properties: fromAspect('dataFlowInfo', flowProperties),
    info: fromAspect('dataFlowInfo', flowProperties),
    editableProperties: fromAspect('editableDataFlowProperties', (body) => ({
      description: textIn(body, 'description'),
    })),
  },
  DataFlowProperties: { customProperties: customPropertiesField },
  DataFlowInfo: { customProperties: customPropertiesField },
  DataJob: {
    dataFlow: ({ urn }: EntityValue) => referredEntityIn(keyBodyOf(urn), 'flow', 'dataFlow'),
    jobId: keyPart('jobId'),
    properties: fromAspect('dataJobInfo', jobProperties),
    info: fromAspect('dataJobInfo', jobProperties),
    editableProperties: fromAspect('editableDataJobProperties', (body) => ({
      description: textIn(body, 'description'),
    })),
    inputOutput: fromAspect('dataJobInputOutput', inputOutput),
  },
  DataJobProperties: { customProperties: customPropertiesField },
  DataJobInfo: { customProperties: customPropertiesField },
};
