import type { EntityValue } from '../entity/graphql-types.ts';
import type { FieldResolver } from '../graphql/resolver.ts';

/** Resolves `insights` of a result: what people should know before they use what they found. */
export const insightsOf: FieldResolver<{ readonly entity: EntityValue }> = async (
  { entity },
  _args,
  context,
) => {
  const stored = await context.loadAll(entity.urn, ['status', 'deprecation']);
  return [
    ...(stored.get('status')?.body['removed'] === true
      ? [{ text: 'Marked as removed', icon: 'DeleteOutlined' }]
      : []),
    ...(stored.get('deprecation')?.body['deprecated'] === true
      ? [{ text: 'Deprecated', icon: 'WarningOutlined' }]
      : []),
  ];
};
