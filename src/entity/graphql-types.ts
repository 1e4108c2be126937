import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, parseUrn, urnParts, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { entityTypeOf, keyBodyOf, requireEntityType } from './entity-registry.ts';

/** An entity as resolvers pass it on: what its URN says. Everything else is loaded when it is asked for. */
export type EntityValue = {
  readonly __typename: string;
  readonly urn: Urn;
  /** Value of the GraphQL enum `EntityType`. */
  readonly type: string;
};

type GraphqlEntity = {
  /** Value of the GraphQL enum `EntityType`. */
  readonly type: string;
  /** The GraphQL object type; absent as long as there is none. */
  readonly object?: string;
};

/**
 * How the entity types of the registry appear in GraphQL. Types that are not listed are `OTHER`. Giving an entity type an
 * object makes it resolvable by `entity`, in relationships and wherever else an entity is referred to.
 */
const graphqlEntities: { readonly [entityType: string]: GraphqlEntity } = {
  dataset: { type: 'DATASET', object: 'Dataset' },
  schemaField: { type: 'SCHEMA_FIELD', object: 'SchemaFieldEntity' },
  glossaryTerm: { type: 'GLOSSARY_TERM', object: 'GlossaryTerm' },
  glossaryNode: { type: 'GLOSSARY_NODE', object: 'GlossaryNode' },
  tag: { type: 'TAG', object: 'Tag' },
  domain: { type: 'DOMAIN', object: 'Domain' },
  container: { type: 'CONTAINER', object: 'Container' },
  dataPlatform: { type: 'DATA_PLATFORM', object: 'DataPlatform' },
  dataPlatformInstance: { type: 'DATA_PLATFORM_INSTANCE', object: 'DataPlatformInstance' },
  corpuser: { type: 'CORP_USER', object: 'CorpUser' },
  corpGroup: { type: 'CORP_GROUP', object: 'CorpGroup' },
  ownershipType: { type: 'CUSTOM_OWNERSHIP_TYPE', object: 'OwnershipTypeEntity' },
  test: { type: 'TEST', object: 'Test' },
  assertion: { type: 'ASSERTION', object: 'Assertion' },
  businessAttribute: { type: 'BUSINESS_ATTRIBUTE', object: 'BusinessAttribute' },
  chart: { type: 'CHART', object: 'Chart' },
  dashboard: { type: 'DASHBOARD', object: 'Dashboard' },
  dataContract: { type: 'DATA_CONTRACT' },
  dataFlow: { type: 'DATA_FLOW', object: 'DataFlow' },
  dataHubAccessToken: { type: 'ACCESS_TOKEN' },
  dataHubConnection: { type: 'DATAHUB_CONNECTION' },
  dataHubExecutionRequest: { type: 'EXECUTION_REQUEST' },
  dataHubIngestionSource: { type: 'INGESTION_SOURCE' },
  dataHubPolicy: { type: 'DATAHUB_POLICY' },
  dataHubRole: { type: 'DATAHUB_ROLE', object: 'DataHubRole' },
  dataHubView: { type: 'DATAHUB_VIEW', object: 'DataHubView' },
  dataJob: { type: 'DATA_JOB', object: 'DataJob' },
  dataProcessInstance: { type: 'DATA_PROCESS_INSTANCE', object: 'DataProcessInstance' },
  dataProduct: { type: 'DATA_PRODUCT', object: 'DataProduct' },
  dataType: { type: 'DATA_TYPE', object: 'DataTypeEntity' },
  entityType: { type: 'ENTITY_TYPE', object: 'EntityTypeEntity' },
  erModelRelationship: { type: 'ER_MODEL_RELATIONSHIP', object: 'ERModelRelationship' },
  form: { type: 'FORM' },
  incident: { type: 'INCIDENT', object: 'Incident' },
  mlFeature: { type: 'MLFEATURE', object: 'MLFeature' },
  mlFeatureTable: { type: 'MLFEATURE_TABLE', object: 'MLFeatureTable' },
  mlModel: { type: 'MLMODEL', object: 'MLModel' },
  mlModelGroup: { type: 'MLMODEL_GROUP', object: 'MLModelGroup' },
  mlPrimaryKey: { type: 'MLPRIMARY_KEY', object: 'MLPrimaryKey' },
  notebook: { type: 'NOTEBOOK' },
  post: { type: 'POST' },
  query: { type: 'QUERY', object: 'QueryEntity' },
  role: { type: 'ROLE' },
  structuredProperty: { type: 'STRUCTURED_PROPERTY', object: 'StructuredPropertyEntity' },
};

const rows: ReadonlyMap<string, GraphqlEntity> = new Map(Object.entries(graphqlEntities));

/** The names of all GraphQL object types that are entities. */
export const entityObjects: readonly string[] = [...rows.values()].flatMap(({ object }) => object ?? []);

/** The value of the enum `EntityType` for an entity type of the registry; `OTHER` for those without one. */
export function graphqlEntityType(entityType: string): string {
  return rows.get(entityType)?.type ?? 'OTHER';
}

/**
 * The entity types of the registry that a value of the enum `EntityType` means and that can be read through GraphQL. Empty for
 * values without any: there is no such entity, or it has no object.
 */
export function readableEntityTypes(type: string): readonly string[] {
  return [...rows].flatMap(([name, row]) => (row.type === type && row.object !== undefined ? name : []));
}

/** The entity types of the registry that can be read through GraphQL. */
export function readableTypes(): readonly string[] {
  return [...rows].flatMap(([name, row]) => (row.object === undefined ? [] : name));
}

/** Whether entities of this type of the registry can be read through GraphQL. */
export function isReadableType(entityType: string): boolean {
  return rows.get(entityType)?.object !== undefined;
}

/**
 * The entity that a stored reference means; `undefined` for text that is no URN, for URNs whose key does not fit their type
 * and for types that have no GraphQL object.
 */
export function referredEntity(reference: unknown): EntityValue | undefined {
  return isUrn(reference) ? entityOf(reference) : undefined;
}

/** The same for a member that may only refer to entities of one type. */
export function referredEntityIn(
  body: JsonObject | undefined,
  member: string,
  entityType: string,
): EntityValue | undefined {
  const reference = body?.[member];
  return isUrn(reference) && urnType(reference) === entityType ? entityOf(reference) : undefined;
}

/** The entities of one type that a list refers to, in its order; other elements are left out. */
export function referredEntities(references: readonly unknown[], entityType: string): EntityValue[] {
  return references.flatMap((reference) =>
    isUrn(reference) && urnType(reference) === entityType ? (entityOf(reference) ?? []) : [],
  );
}

/**
 * The entity of a URN that a caller sent, stored or not (decision 10). Throws INVALID_URN, UNKNOWN_ENTITY_TYPE, or BAD_REQUEST
 * for entity types that have no GraphQL object.
 */
export function requestedEntity(text: string): EntityValue {
  return entityOfRequested(requestedUrn(text));
}

function entityOfRequested(urn: Urn): EntityValue {
  const entity = entityWithFittingKey(urn);
  if (entity === undefined) {
    throw new PostilError(
      'BAD_REQUEST',
      `Entities of type ${urnType(urn)} cannot be read through GraphQL (${urn}); ` +
        `the types that can be are ${[...rows].flatMap(([type, row]) => (row.object === undefined ? [] : type)).join(', ')}.`,
    );
  }
  return entity;
}

/** The same where only one type will do. Throws INVALID_URN for others. */
export function requestedEntityOf(text: string, entityType: string): EntityValue {
  const urn = parseUrn(text);
  if (urnType(urn) !== entityType) {
    throw new PostilError(
      'INVALID_URN',
      `Invalid urn ${JSON.stringify(text)}: expected the urn of a ${entityType}, not of a ${urnType(urn)}.`,
    );
  }
  keyBodyOf(urn);
  return entityOfRequested(urn);
}

/** A URN that a caller sent, of a known type and with a key that fits it. Throws INVALID_URN, UNKNOWN_ENTITY_TYPE. */
export function requestedUrn(text: string): Urn {
  const urn = parseUrn(text);
  requireEntityType(urnType(urn));
  keyBodyOf(urn);
  return urn;
}

function entityOf(urn: Urn): EntityValue | undefined {
  return keyFits(urn) ? entityWithFittingKey(urn) : undefined;
}

function entityWithFittingKey(urn: Urn): EntityValue | undefined {
  const type = urnType(urn);
  const row = rows.get(type);
  if (row?.object === undefined) return undefined;
  // A column is shown with its parent, so that has to be one that can be shown.
  if (type === 'schemaField' && referredEntity(urnParts(urn)[0]) === undefined) return undefined;
  return { __typename: row.object, urn, type: row.type };
}

/** A key of one part always fits; of several parts, those that are URNs have to be ones of the right type. */
function keyFits(urn: Urn): boolean {
  const type = entityTypeOf(urnType(urn));
  if (type === undefined) return false;
  if (type.keyFields.length === 1) return true;
  try {
    keyBodyOf(urn);
    return true;
  } catch (error) {
    if (error instanceof PostilError) return false;
    throw error;
  }
}
