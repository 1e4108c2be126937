import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { entityId } from '../entity/entity-id.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntity, referredEntityIn, requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { FieldResolver, Resolvers } from '../graphql/resolver.ts';
import { urnParts } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

const platformTypes: ReadonlySet<string> = new Set([
  'FILE_SYSTEM',
  'KEY_VALUE_STORE',
  'MESSAGE_BROKER',
  'OBJECT_STORE',
  'OLAP_DATASTORE',
  'QUERY_ENGINE',
  'RELATIONAL_DB',
  'SEARCH_ENGINE',
]);

type PlatformProperties = {
  readonly type: string;
  readonly displayName: string | null;
  readonly datasetNameDelimiter: string;
  readonly logoUrl: string | null;
};

function platformProperties(body: JsonObject): PlatformProperties {
  const type = textIn(body, 'type') ?? '';
  return {
    type: platformTypes.has(type) ? type : 'OTHERS',
    displayName: textIn(body, 'displayName'),
    datasetNameDelimiter: textIn(body, 'datasetNameDelimiter') ?? '.',
    logoUrl: textIn(body, 'logoUrl'),
  };
}

const platformInKey: FieldResolver<EntityValue> = ({ urn }) =>
  referredEntityIn(keyBodyOf(urn), 'platform', 'dataPlatform');

const dataPlatformInstance = fromAspect('dataPlatformInstance', (body) =>
  referredEntityIn(body, 'instance', 'dataPlatformInstance'),
);

const unknownPlatform = 'urn:li:dataPlatform:unknown';

const storedPlatform = fromAspect('dataPlatformInstance', (body) =>
  referredEntityIn(body, 'platform', 'dataPlatform'),
);

const platformOr =
  (fallback: (urn: Urn) => string): FieldResolver<EntityValue> =>
  (source, args, context) => {
    const stored = storedPlatform(source, args, context);
    const orFallback = (platform: EntityValue | null): EntityValue | undefined =>
      platform ?? referredEntity(fallback(source.urn)) ?? referredEntity(unknownPlatform);
    return stored instanceof Promise ? stored.then(orFallback) : orFallback(stored);
  };

const knownPlatform = platformOr(() => unknownPlatform);

/** Charts, dashboards and pipelines are on the platform that the tool in their URN is called. */
const platformOfTool = platformOr((urn) => `urn:li:dataPlatform:${urnParts(urn)[0] ?? ''}`);

export const platformResolvers: Resolvers = {
  Query: {
    dataPlatform: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'dataPlatform'),
    dataPlatformInstance: (_source, { urn }: { readonly urn: string }) =>
      requestedEntityOf(urn, 'dataPlatformInstance'),
  },
  DataPlatform: {
    name: ({ urn }: EntityValue) => entityId(urn),
    properties: fromAspect('dataPlatformInfo', platformProperties),
    displayName: fromAspect('dataPlatformInfo', (body) => textIn(body, 'displayName')),
    info: fromAspect('dataPlatformInfo', platformProperties),
  },
  DataPlatformInstance: {
    platform: platformInKey,
    instanceId: ({ urn }: EntityValue) => keyBodyOf(urn)['instance'],
    properties: fromAspect('dataPlatformInstanceProperties', (body, urn) => ({
      urn,
      body,
      name: textIn(body, 'name'),
      description: textIn(body, 'description'),
      externalUrl: textIn(body, 'externalUrl'),
    })),
  },
  DataPlatformInstanceProperties: { customProperties: customPropertiesField },
  Dataset: { platform: platformInKey, dataPlatformInstance },
  MLModel: { platform: platformInKey, dataPlatformInstance },
  MLModelGroup: { platform: platformInKey, dataPlatformInstance },
  MLFeatureTable: { platform: platformInKey, dataPlatformInstance },
  MLFeature: { dataPlatformInstance },
  MLPrimaryKey: { dataPlatformInstance },
  Container: { platform: knownPlatform, dataPlatformInstance },
  Chart: { platform: platformOfTool, dataPlatformInstance },
  Dashboard: { platform: platformOfTool, dataPlatformInstance },
  DataFlow: { platform: platformOfTool, dataPlatformInstance },
  DataJob: { dataPlatformInstance },
  DataProcessInstance: { platform: storedPlatform, dataPlatformInstance },
  QueryEntity: { platform: storedPlatform },
  Assertion: { platform: knownPlatform, dataPlatformInstance },
};
