import { ancestorsOf, fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { referredEntities, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';

const container = fromAspect('container', (body) => referredEntityIn(body, 'container', 'container'));

const parentContainers: FieldResolver<EntityValue> = async ({ urn }, _args, context) => {
  const containers = await ancestorsOf(urn, async (child) => {
    const stored = await context.load(child, 'container');
    return referredEntityIn(stored?.body, 'container', 'container')?.urn;
  });
  return { count: containers.length, containers: referredEntities(containers, 'container') };
};

export const containerResolvers: Resolvers = {
  Query: {
    container: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'container'),
  },
  Container: {
    properties: fromAspect('containerProperties', (body, urn) => ({
      urn,
      body,
      name: textIn(body, 'name') ?? entityId(urn),
      description: textIn(body, 'description'),
      externalUrl: textIn(body, 'externalUrl'),
      qualifiedName: textIn(body, 'qualifiedName'),
    })),
    editableProperties: fromAspect('editableContainerProperties', (body) => ({
      description: textIn(body, 'description'),
    })),
    container,
    parentContainers,
  },
  ContainerProperties: { customProperties: customPropertiesField },
  Dataset: { container, parentContainers },
  MLModel: { container, parentContainers },
  MLModelGroup: { container, parentContainers },
  Chart: { container, parentContainers },
  Dashboard: { container, parentContainers },
  DataFlow: { container, parentContainers },
  DataJob: { container, parentContainers },
  DataProcessInstance: { container, parentContainers },
};
