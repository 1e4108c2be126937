import type { JsonValue } from '../aspect/json.ts';
import { isEmptyValue } from './emptiness.ts';
import type { LoadedEntity } from './facts.ts';

type Pair = { readonly edited: string; readonly ingested: string };

/** Types whose description is ingested in one aspect and edited in another. */
export const descriptionPairs: ReadonlyMap<string, Pair> = new Map(
  (
    [
      ['dataset', 'editableDatasetProperties', 'datasetProperties'],
      ['container', 'editableContainerProperties', 'containerProperties'],
      ['dashboard', 'editableDashboardProperties', 'dashboardInfo'],
      ['chart', 'editableChartProperties', 'chartInfo'],
      ['dataJob', 'editableDataJobProperties', 'dataJobInfo'],
      ['dataFlow', 'editableDataFlowProperties', 'dataFlowInfo'],
      ['notebook', 'editableNotebookProperties', 'notebookInfo'],
      ['mlModel', 'editableMlModelProperties', 'mlModelProperties'],
      ['mlModelGroup', 'editableMlModelGroupProperties', 'mlModelGroupProperties'],
      ['mlFeature', 'editableMlFeatureProperties', 'mlFeatureProperties'],
      ['mlFeatureTable', 'editableMlFeatureTableProperties', 'mlFeatureTableProperties'],
      ['mlPrimaryKey', 'editableMlPrimaryKeyProperties', 'mlPrimaryKeyProperties'],
    ] as const
  ).map(([type, edited, ingested]) => [type, { edited, ingested }]),
);

/** The edited description when it is not empty, else the ingested one; `undefined` for types without the pair. */
export function effectiveDescription(entity: LoadedEntity): JsonValue | undefined {
  const pair = descriptionPairs.get(entity.type);
  if (pair === undefined) return undefined;
  const edited = entity.aspects.get(pair.edited)?.body['description'];
  if (edited !== undefined && !isEmptyValue(edited)) return edited;
  return entity.aspects.get(pair.ingested)?.body['description'];
}
