import type { FragmentProjection } from '../command/projection.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import { editedColumns, effectiveDescription } from './edited-columns.ts';

export const columnsFragmentName = 'columns';

/** The selection on `SchemaMetadata` that the fragment is the answer to, as `SelectionSignature.text`. */
export const columnsFragmentSelection = 'fields { fieldPath description }';

/**
 * The columns of a dataset as the specification's query asks for them, kept as text, because parsing a wide schema costs
 * more than everything else in that query. Exactly what the resolvers answer to `columnsFragmentSelection`.
 */
export const columnsFragment: FragmentProjection = {
  name: columnsFragmentName,
  entityType: 'dataset',
  aspects: ['schemaMetadata', 'editableSchemaMetadata'],
  text({ schemaMetadata, editableSchemaMetadata }) {
    if (schemaMetadata === undefined) return undefined;
    const edited = editedColumns(schemaMetadata, editableSchemaMetadata);
    const columns: string[] = [];
    for (const field of objectsIn(schemaMetadata, 'fields')) {
      const fieldPath = textIn(field, 'fieldPath');
      if (fieldPath === null) continue;
      const description = effectiveDescription(field, edited.get(fieldPath));
      columns.push(`{"fieldPath":${JSON.stringify(fieldPath)},"description":${JSON.stringify(description)}}`);
    }
    return `{"fields":[${columns.join(',')}]}`;
  },
};
