import type { JsonObject } from '../aspect/json.ts';
import type { AspectDraft } from '../command/aspect-draft.ts';
import { withColumnRecord } from '../entity/column.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { objectIn, objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import type { LabelChange } from './label-change.ts';
import type { LabelKind } from './label-kind.ts';
import { namesColumn, requireResource, type Resource } from './resource.ts';

/** The aspects that a change of these resources reads. */
export function aspectsRead(kind: LabelKind, resources: readonly Resource[]): readonly string[] {
  return [
    ...(resources.every(namesColumn) ? [] : [kind.aspect]),
    ...(resources.some(namesColumn) ? ['schemaMetadata', 'editableSchemaMetadata'] : []),
  ];
}

/** Contract section 7.3, steps a and b; the texts are DataHub's, two full stops included. */
export function checkLabel(kind: LabelKind, label: Urn, existing: ReadonlySet<Urn>): void {
  const start = `Failed to validate label with urn ${label}.`;
  if (urnType(label) !== kind.entityType) {
    throw new PostilError('BAD_REQUEST', `${start} Urn type does not match entity type ${kind.entityType}..`);
  }
  if (!existing.has(label)) throw new PostilError(kind.missing, `${start} Urn does not exist.`);
}

/**
 * Checks a resource and changes its labels in the draft (contract section 7.3, steps c to g). A removal also reaches the
 * labels that ingestion put on the column: a reader sees both, and what was detached has to be gone.
 * Throws ENTITY_NOT_FOUND, BAD_REQUEST, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN, UNKNOWN_ASPECT.
 */
export function changeLabels(
  kind: LabelKind,
  draft: AspectDraft,
  resource: Resource,
  existing: ReadonlySet<Urn>,
  change: LabelChange,
  alsoIngested = false,
): void {
  const { urn } = resource;
  const path = requireResource(draft, resource, existing);
  if (path === undefined) {
    requireAspect(urnType(urn), kind.aspect);
    draft.put(urn, kind.aspect, change(draft.body(urn, kind.aspect)));
    return;
  }
  const schema = draft.body(urn, 'schemaMetadata') ?? {};
  const editable = draft.body(urn, 'editableSchemaMetadata');
  draft.put(
    urn,
    'editableSchemaMetadata',
    withColumnRecord(editable, schema, path, (record) => withChanged(kind, record, change)),
  );
  if (alsoIngested) draft.put(urn, 'schemaMetadata', withIngestedChanged(kind, schema, path, change));
}

function withChanged(kind: LabelKind, holder: JsonObject, change: LabelChange): JsonObject {
  const before = objectIn(holder, kind.aspect);
  const after = change(before);
  return after === before ? holder : { ...holder, [kind.aspect]: after };
}

function withIngestedChanged(
  kind: LabelKind,
  schema: JsonObject,
  path: string,
  change: LabelChange,
): JsonObject {
  const before = objectsIn(schema, 'fields');
  const fields = before.map((field) =>
    field['fieldPath'] === path ? withChanged(kind, field, change) : field,
  );
  return fields.every((field, index) => field === before[index]) ? schema : { ...schema, fields };
}
