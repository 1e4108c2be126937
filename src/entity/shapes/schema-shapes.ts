import { auditStamp, globalTags, glossaryTerms } from './attachment-shapes.ts';
import {
  anything,
  boolean,
  descriptionText,
  integer,
  list,
  record,
  required,
  text,
  union,
  urnOf,
} from './shape.ts';
import type { Shape } from './shape.ts';

const empty = record({});

const columnType = union({
  'com.linkedin.schema.BooleanType': empty,
  'com.linkedin.schema.FixedType': empty,
  'com.linkedin.schema.StringType': empty,
  'com.linkedin.schema.BytesType': empty,
  'com.linkedin.schema.NumberType': empty,
  'com.linkedin.schema.DateType': empty,
  'com.linkedin.schema.TimeType': empty,
  'com.linkedin.schema.EnumType': empty,
  'com.linkedin.schema.NullType': empty,
  'com.linkedin.schema.MapType': record({ keyType: text, valueType: text }),
  'com.linkedin.schema.ArrayType': record({ nestedType: list(text) }),
  'com.linkedin.schema.UnionType': record({ nestedTypes: list(text) }),
  'com.linkedin.schema.RecordType': empty,
});

const platformSchema = union({
  'com.linkedin.schema.EspressoSchema': record({
    documentSchema: required(text),
    tableSchema: required(text),
  }),
  'com.linkedin.schema.OracleDDL': record({ tableSchema: required(text) }),
  'com.linkedin.schema.MySqlDDL': record({ tableSchema: required(text) }),
  'com.linkedin.schema.PrestoDDL': record({ rawSchema: required(text) }),
  'com.linkedin.schema.KafkaSchema': record({
    documentSchema: required(text),
    documentSchemaType: text,
    keySchema: text,
    keySchemaType: text,
  }),
  'com.linkedin.schema.BinaryJsonSchema': record({ schema: required(text) }),
  'com.linkedin.schema.OrcSchema': record({ schema: required(text) }),
  'com.linkedin.schema.Schemaless': empty,
  'com.linkedin.schema.KeyValueSchema': record({ keySchema: required(text), valueSchema: required(text) }),
  'com.linkedin.schema.OtherSchema': record({ rawSchema: required(text) }),
});

const column = record({
  fieldPath: required(text),
  jsonPath: text,
  nullable: boolean,
  description: text,
  label: text,
  created: auditStamp,
  lastModified: auditStamp,
  type: required(record({ type: required(columnType) })),
  nativeDataType: required(text),
  recursive: boolean,
  globalTags,
  glossaryTerms,
  isPartOfKey: boolean,
  isPartitioningKey: boolean,
  jsonProps: text,
});

/** Columns and what people wrote about them; field paths are not empty and occur once (wire 5.2). */
export const schemaShapes: { readonly [aspect: string]: Shape } = {
  schemaMetadata: record({
    schemaName: required(text),
    platform: required(urnOf('dataPlatform')),
    version: required(integer),
    created: auditStamp,
    lastModified: auditStamp,
    deleted: auditStamp,
    dataset: urnOf('dataset'),
    cluster: text,
    hash: required(text),
    platformSchema: required(platformSchema),
    fields: required(list(column, 'fieldPath')),
    primaryKeys: list(text),
    foreignKeysSpecs: anything,
    foreignKeys: list(
      record({
        name: required(text),
        foreignFields: required(list(urnOf('schemaField'))),
        sourceFields: required(list(urnOf('schemaField'))),
        foreignDataset: required(urnOf('dataset')),
      }),
    ),
  }),
  editableSchemaMetadata: record({
    created: auditStamp,
    lastModified: auditStamp,
    deleted: auditStamp,
    editableSchemaFieldInfo: required(
      list(
        record({ fieldPath: required(text), description: descriptionText, globalTags, glossaryTerms }),
        'fieldPath',
      ),
    ),
  }),
  schemafieldInfo: record({ name: text, schemaFieldAliases: list(urnOf('schemaField')) }),
  schemaFieldAliases: record({ aliases: list(urnOf('schemaField')) }),
  businessAttributes: record({
    businessAttribute: record({ businessAttributeUrn: required(urnOf('businessAttribute')) }),
  }),
};
