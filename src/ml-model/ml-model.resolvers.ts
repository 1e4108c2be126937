import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import {
  dataTypeIn,
  featureProperties,
  featureTableProperties,
  mlKeyPart,
  modelGroupProperties,
  modelProperties,
} from './ml-properties.ts';

const byUrn =
  (type: string): FieldResolver<unknown, { readonly urn: string }> =>
  (_source, { urn }) =>
    requestedEntityOf(urn, type);

const keyPart =
  (part: string): FieldResolver<EntityValue> =>
  ({ urn }) =>
    mlKeyPart(urn, part);

const descriptionIn = (aspectName: string): FieldResolver<EntityValue> =>
  fromAspect(aspectName, (body: JsonObject) => textIn(body, 'description'));

const editable = (aspectName: string): FieldResolver<EntityValue> =>
  fromAspect(aspectName, (body: JsonObject) => ({ description: textIn(body, 'description') }));

const customProperties = { customProperties: customPropertiesField };

export const mlModelResolvers: Resolvers = {
  Query: {
    mlModel: byUrn('mlModel'),
    mlModelGroup: byUrn('mlModelGroup'),
    mlFeature: byUrn('mlFeature'),
    mlFeatureTable: byUrn('mlFeatureTable'),
    mlPrimaryKey: byUrn('mlPrimaryKey'),
  },
  MLModel: {
    name: keyPart('name'),
    origin: keyPart('origin'),
    description: descriptionIn('mlModelProperties'),
    properties: fromAspect('mlModelProperties', modelProperties),
    editableProperties: editable('editableMlModelProperties'),
  },
  MLModelProperties: customProperties,
  MLModelGroup: {
    name: keyPart('name'),
    origin: keyPart('origin'),
    description: descriptionIn('mlModelGroupProperties'),
    properties: fromAspect('mlModelGroupProperties', modelGroupProperties),
    editableProperties: editable('editableMlModelGroupProperties'),
  },
  MLModelGroupProperties: customProperties,
  MLFeature: {
    name: keyPart('name'),
    featureNamespace: keyPart('featureNamespace'),
    description: descriptionIn('mlFeatureProperties'),
    dataType: fromAspect('mlFeatureProperties', dataTypeIn),
    properties: fromAspect('mlFeatureProperties', featureProperties),
    featureProperties: fromAspect('mlFeatureProperties', featureProperties),
    editableProperties: editable('editableMlFeatureProperties'),
  },
  MLFeatureProperties: customProperties,
  MLPrimaryKey: {
    name: keyPart('name'),
    featureNamespace: keyPart('featureNamespace'),
    description: descriptionIn('mlPrimaryKeyProperties'),
    dataType: fromAspect('mlPrimaryKeyProperties', dataTypeIn),
    properties: fromAspect('mlPrimaryKeyProperties', featureProperties),
    primaryKeyProperties: fromAspect('mlPrimaryKeyProperties', featureProperties),
    editableProperties: editable('editableMlPrimaryKeyProperties'),
  },
  MLPrimaryKeyProperties: customProperties,
  MLFeatureTable: {
    name: keyPart('name'),
    description: descriptionIn('mlFeatureTableProperties'),
    properties: fromAspect('mlFeatureTableProperties', featureTableProperties),
    featureTableProperties: fromAspect('mlFeatureTableProperties', featureTableProperties),
    editableProperties: editable('editableMlFeatureTableProperties'),
  },
  MLFeatureTableProperties: customProperties,
};
