import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { fineGrainedLineages } from '../entity/fine-grained-lineage.ts';
import { referredEntity, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { booleanIn, listIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { DatasetProperties } from './dataset-properties.ts';
import { datasetKey, datasetProperties } from './dataset-properties.ts';
import { effectiveDescription } from './edited-columns.ts';

export const datasetResolvers: Resolvers = {
  Query: {
    dataset: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'dataset'),
  },
  Dataset: {
    name: ({ urn }: EntityValue) => datasetKey(urn).name,
    origin: ({ urn }: EntityValue) => datasetKey(urn).origin,
    properties: fromAspect('datasetProperties', datasetProperties),
    editableProperties: fromAspect('editableDatasetProperties', (body) => ({
      description: textIn(body, 'description'),
      name: textIn(body, 'name'),
    })),
    effectiveDescription: async ({ urn }: EntityValue, _args, context) => {
      const names = ['datasetProperties', 'editableDatasetProperties'];
      const stored = await context.loadAll(urn, names);
      const [ingested, edited] = names.map((name) => stored.get(name)?.body);
      return effectiveDescription(ingested, edited);
    },
    description: fromAspect('datasetProperties', (body) => textIn(body, 'description')),
    externalUrl: fromAspect('datasetProperties', (body) => textIn(body, 'externalUrl')),
    uri: fromAspect('datasetProperties', (body) => textIn(body, 'uri')),
    viewProperties: fromAspect('viewProperties', (body) => ({
      materialized: booleanIn(body, 'materialized') ?? false,
      logic: textIn(body, 'viewLogic') ?? '',
      formattedLogic: textIn(body, 'formattedViewLogic'),
      language: textIn(body, 'viewLanguage') ?? '',
    })),
    siblings: fromAspect('siblings', (body) => ({
      isPrimary: booleanIn(body, 'primary'),
      siblings: listIn(body, 'siblings').flatMap((sibling) => referredEntity(sibling) ?? []),
    })),
    fineGrainedLineages: fromAspect('upstreamLineage', fineGrainedLineages),
  },
  DatasetProperties: {
    customProperties: customPropertiesField,
    // Taking the URN apart costs more than reading the description, so it is done when it is asked for.
    name: ({ body, urn }: DatasetProperties) => textIn(body, 'name') ?? datasetKey(urn).name,
    origin: ({ urn }: DatasetProperties) => datasetKey(urn).origin,
  },
};
