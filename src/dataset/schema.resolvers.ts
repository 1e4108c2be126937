import { fromAspect } from '../entity/aspect-field.ts';
import { dataTypeOf } from '../entity/column-type.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { booleanIn, integerIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { PreserialisedResolver, ResolverRecord, Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';
import { columnsFragmentName, columnsFragmentSelection } from './columns-fragment.ts';
import { effectiveDescription } from './edited-columns.ts';
import {
  columnEntity,
  columnKey,
  columnsOf,
  foreignKeysOf,
  platformSchemaOf,
  schemaValue,
} from './schema-metadata.ts';
import type { SchemaValue } from './schema-metadata.ts';

type VersionArgument = { readonly version?: number | null };

async function latestSchema(urn: Urn, context: RequestContext): Promise<SchemaValue | null> {
  const stored = await context.loadAll(urn, ['schemaMetadata', 'editableSchemaMetadata']);
  const schema = stored.get('schemaMetadata');
  if (schema === undefined) return null;
  return schemaValue(urn, schema.body, stored.get('editableSchemaMetadata')?.body, 0);
}

const columnsFromFragment: PreserialisedResolver<EntityValue, VersionArgument> = (
  { urn },
  { version },
  context,
) => (isLatest(version) ? context.fragment(urn, columnsFragmentName) : undefined);

const schemaMetadata: ResolverRecord<EntityValue, VersionArgument> = {
  resolve: async ({ urn }, { version }, context) => {
    if (isLatest(version)) return latestSchema(urn, context);
    // A stored version never changes, but it may be stored after it was asked for; loading makes the answer depend on that.
    const latest = await context.load(urn, 'schemaMetadata');
    if (latest === undefined) return null;
    const asked = await context.reader.readVersion(urn, 'schemaMetadata', version);
    return asked === undefined ? null : schemaValue(urn, asked.body, undefined, version);
  },
  preserialised: (selection) =>
    selection.text === columnsFragmentSelection ? columnsFromFragment : undefined,
};

function isLatest(version: number | null | undefined): version is 0 | null | undefined {
  return version === undefined || version === null || version === 0;
}

const largeMembers = {
  platformSchema: platformSchemaOf,
  fields: columnsOf,
  foreignKeys: foreignKeysOf,
};

export const schemaResolvers: Resolvers = {
  Dataset: {
    schemaMetadata,
    schema: async ({ urn }: EntityValue, _args, context) => {
      const [schema, stored] = await Promise.all([
        latestSchema(urn, context),
        context.load(urn, 'schemaMetadata'),
      ]);
      return schema && { ...schema, lastObserved: integerIn(stored?.systemMetadata, 'lastObserved') };
    },
    editableSchemaMetadata: fromAspect('editableSchemaMetadata', (body, urn) => ({
      editableSchemaFieldInfo: objectsIn(body, 'editableSchemaFieldInfo').flatMap((edited) =>
        textIn(edited, 'fieldPath') === null ? [] : { urn, ingested: undefined, edited },
      ),
    })),
  },
  SchemaMetadata: largeMembers,
  Schema: {
    ...largeMembers,
    // An equal schema that is ingested again is no change, but is observed later.
    lastObserved: {
      isVolatile: true,
      resolve: ({ lastObserved }: { readonly lastObserved: number | null }) => lastObserved,
    },
  },
  SchemaField: {
    fieldPath: ({ ingested }: ColumnValue) => textIn(ingested, 'fieldPath'),
    jsonPath: ({ ingested }: ColumnValue) => textIn(ingested, 'jsonPath'),
    label: ({ ingested }: ColumnValue) => textIn(ingested, 'label'),
    nullable: ({ ingested }: ColumnValue) => booleanIn(ingested, 'nullable') ?? false,
    description: ({ ingested, edited }: ColumnValue) => effectiveDescription(ingested, edited),
    sourceDescription: ({ ingested }: ColumnValue) => textIn(ingested, 'description'),
    type: ({ ingested }: ColumnValue) => dataTypeOf(ingested),
    nativeDataType: ({ ingested }: ColumnValue) => textIn(ingested, 'nativeDataType'),
    recursive: ({ ingested }: ColumnValue) => booleanIn(ingested, 'recursive') ?? false,
    isPartOfKey: ({ ingested }: ColumnValue) => booleanIn(ingested, 'isPartOfKey') ?? false,
    isPartitioningKey: ({ ingested }: ColumnValue) => booleanIn(ingested, 'isPartitioningKey'),
    jsonProps: ({ ingested }: ColumnValue) => textIn(ingested, 'jsonProps'),
    schemaFieldEntity: ({ urn, ingested }: ColumnValue) =>
      columnEntity(urn, textIn(ingested, 'fieldPath') ?? ''),
  },
  EditableSchemaFieldInfo: {
    fieldPath: ({ edited }: ColumnValue) => textIn(edited, 'fieldPath'),
    description: ({ edited }: ColumnValue) => textIn(edited, 'description'),
  },
  SchemaFieldEntity: {
    fieldPath: ({ urn }: EntityValue) => columnKey(urn).fieldPath,
    parent: ({ urn }: EntityValue) => columnKey(urn).parent,
  },
};
