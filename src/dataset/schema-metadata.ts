import type { JsonObject } from '../aspect/json.ts';
import { unionMember } from '../entity/column-type.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import { keyBodyOf, urnFromKey } from '../entity/entity-registry.ts';
import { referredEntities, referredEntity, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { integerIn, listIn, objectIn, objectsIn, textIn, textsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { datasetKey } from './dataset-properties.ts';
import { editedColumns } from './edited-columns.ts';

/** The GraphQL types `SchemaMetadata` and `Schema`; the columns and whatever else is large is made when it is asked for. */
export type SchemaValue = {
  readonly datasetUrn: Urn;
  readonly body: JsonObject;
  /** What people set on the columns; `undefined` for old versions, which are shown as they were ingested. */
  readonly editable: JsonObject | undefined;
  readonly aspectVersion: number;
  readonly name: string;
  readonly platformUrn: string;
  readonly version: number;
  readonly cluster: string | null;
  readonly hash: string;
  readonly primaryKeys: readonly string[] | null;
  readonly createdAt: number | null;
};

/** A stored schema; what it lacks is taken from the URN of its dataset. `aspectVersion` is 0 for the latest. */
export function schemaValue(
  urn: Urn,
  body: JsonObject,
  editable: JsonObject | undefined,
  aspectVersion: number,
): SchemaValue {
  const key = datasetKey(urn);
  return {
    datasetUrn: urn,
    body,
    editable,
    aspectVersion,
    name: textIn(body, 'schemaName') ?? key.name,
    platformUrn: textIn(body, 'platform') ?? key.platform,
    version: integerIn(body, 'version') ?? 0,
    cluster: textIn(body, 'cluster'),
    hash: textIn(body, 'hash') ?? '',
    primaryKeys: textsIn(body, 'primaryKeys'),
    createdAt: integerIn(objectIn(body, 'created'), 'time'),
  };
}

/** The columns in stored order, each with what people set on it; fields without a path are left out. */
export function columnsOf({ datasetUrn, body, editable }: SchemaValue): readonly ColumnValue[] {
  const edited = editedColumns(body, editable);
  return objectsIn(body, 'fields').flatMap((ingested) => {
    const path = textIn(ingested, 'fieldPath');
    return path === null ? [] : { urn: datasetUrn, ingested, edited: edited.get(path) };
  });
}

type PlatformSchema =
  | { readonly __typename: 'TableSchema'; readonly schema: string }
  | { readonly __typename: 'KeyValueSchema'; readonly keySchema: string; readonly valueSchema: string };

/** The member that holds the text, by the class of the platform's schema. */
const schemaTexts: ReadonlyMap<string, string> = new Map([
  ['EspressoSchema', 'documentSchema'],
  ['OracleDDL', 'tableSchema'],
  ['MySqlDDL', 'tableSchema'],
  ['PrestoDDL', 'rawSchema'],
  ['KafkaSchema', 'documentSchema'],
  ['BinaryJsonSchema', 'schema'],
  ['OrcSchema', 'schema'],
  ['OtherSchema', 'rawSchema'],
]);

/** The schema as its platform writes it; `null` for kinds without a text. */
export function platformSchemaOf({ body }: SchemaValue): PlatformSchema | null {
  const [className, schema] = unionMember(objectIn(body, 'platformSchema'));
  if (className === 'KeyValueSchema') {
    return {
      __typename: 'KeyValueSchema',
      keySchema: textIn(schema, 'keySchema') ?? '',
      valueSchema: textIn(schema, 'valueSchema') ?? '',
    };
  }
  const member = schemaTexts.get(className);
  const text = member === undefined ? null : textIn(schema, member);
  return text === null ? null : { __typename: 'TableSchema', schema: text };
}

/** The GraphQL type `ForeignKeyConstraint`. */
export type ForeignKey = {
  readonly name: string | null;
  readonly foreignFields: readonly EntityValue[];
  readonly sourceFields: readonly EntityValue[];
  readonly foreignDataset: EntityValue | null;
};

/** `null` when the schema says nothing about foreign keys. */
export function foreignKeysOf({ body }: SchemaValue): readonly ForeignKey[] | null {
  if (body['foreignKeys'] === undefined) return null;
  return objectsIn(body, 'foreignKeys').map((key) => ({
    name: textIn(key, 'name'),
    foreignFields: referredEntities(listIn(key, 'foreignFields'), 'schemaField'),
    sourceFields: referredEntities(listIn(key, 'sourceFields'), 'schemaField'),
    foreignDataset: referredEntityIn(key, 'foreignDataset', 'dataset') ?? null,
  }));
}

/** The column as an entity; `null` when its path makes no URN, because it is too long or the column has none. */
export function columnEntity(urn: Urn, fieldPath: string): EntityValue | null {
  try {
    return referredEntity(urnFromKey('schemaField', { parent: urn, fieldPath })) ?? null;
  } catch (error) {
    if (error instanceof PostilError) return null;
    throw error;
  }
}

/** What the URN of a column says: the entity it belongs to and its path. */
export function columnKey(urn: Urn): {
  readonly parent: EntityValue | undefined;
  readonly fieldPath: string;
} {
  const key = keyBodyOf(urn);
  return { parent: referredEntity(key['parent']), fieldPath: textIn(key, 'fieldPath') ?? '' };
}
