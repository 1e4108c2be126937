import { fromAspect } from '../entity/aspect-field.ts';
import { auditStampIn, optionalAuditStampIn } from '../entity/audit-stamp.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntity } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { readSeries } from '../entity/series.ts';
import type { Measurement, SeriesQuery } from '../entity/series.ts';
import {
  filledTextIn,
  integerIn,
  intIn,
  knownTextIn,
  objectIn,
  textIn,
  textsIn,
} from '../entity/stored-member.ts';
import { trainingValues } from '../entity/training-values.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';

const statuses: ReadonlySet<string> = new Set(['STARTED', 'COMPLETE']);
const results: ReadonlySet<string> = new Set(['SUCCESS', 'FAILURE', 'SKIPPED', 'UP_FOR_RETRY']);

function runEvent({ timestampMillis, body }: Measurement): object {
  const result = objectIn(body, 'result');
  return {
    timestampMillis,
    status: knownTextIn(body, 'status', statuses),
    attempt: intIn(body, 'attempt'),
    result:
      result === undefined
        ? null
        : {
            resultType: knownTextIn(result, 'type', results),
            nativeResultType: textIn(result, 'nativeResultType'),
          },
    durationMillis: integerIn(body, 'durationMillis'),
  };
}

const state: FieldResolver<EntityValue, SeriesQuery> = async ({ urn }, query, context) => {
  const events = await readSeries(context, urn, 'dataProcessInstanceRunEvent', query);
  return events?.map(runEvent) ?? [];
};

const aspect = 'dataProcessInstanceProperties';

export const dataProcessInstanceResolvers: Resolvers = {
  DataProcessInstance: {
    properties: fromAspect(aspect, (body, urn) => ({
      urn,
      body,
      name: filledTextIn(body, 'name') ?? entityId(urn),
      created: auditStampIn(body, 'created'),
      externalUrl: textIn(body, 'externalUrl'),
    })),
    name: fromAspect(aspect, (body) => textIn(body, 'name')),
    externalUrl: fromAspect(aspect, (body) => textIn(body, 'externalUrl')),
    created: fromAspect(aspect, (body) => optionalAuditStampIn(body, 'created')),
    parentTemplate: fromAspect('dataProcessInstanceRelationships', (body) =>
      referredEntity(body['parentTemplate']),
    ),
    state,
    mlTrainingRunProperties: fromAspect('mlTrainingRunProperties', (body) => ({
      id: textIn(body, 'id'),
      outputUrls: textsIn(body, 'outputUrls'),
      hyperParams: trainingValues(body, 'hyperParams'),
      trainingMetrics: trainingValues(body, 'trainingMetrics'),
    })),
  },
  DataProcessInstanceProperties: { customProperties: customPropertiesField },
};
