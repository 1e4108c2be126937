import type { JsonObject } from '../aspect/json.ts';
import type { Demand } from '../auth/caller.ts';
import type { AspectDraft } from '../command/aspect-draft.ts';
import { requireColumn, withColumnRecord } from '../entity/column.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { objectIn, objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import type { TermsChange } from './term-associations.ts';

/** What terms are attached to: an entity, or a column of it by its field path. */
export type TermTarget = {
  readonly resourceUrn: string;
  readonly subResourceType?: 'DATASET_FIELD' | null;
  readonly subResource?: string | null;
};

/** A target with its URN parsed. */
export type Resource = { readonly urn: Urn; readonly target: TermTarget };

/** Throws BAD_REQUEST for a null among the targets, INVALID_URN. */
export function resourcesOf(targets: readonly (TermTarget | null)[]): Resource[] {
  return targets.map((target, index) => {
    if (target === null) {
      throw new PostilError('BAD_REQUEST', `resources[${index}] is null. Send an object with a resourceUrn.`);
    }
    return { urn: parseUrn(target.resourceUrn), target };
  });
}

/** Contract section 7.3, step 2. */
export function demandOf({ urn, target }: Resource): Demand {
  const own = isGiven(target.subResource) ? 'EDIT_DATASET_COL_GLOSSARY_TERMS' : 'EDIT_ENTITY_GLOSSARY_TERMS';
  return { anyOf: ['EDIT_ENTITY', own], on: urn };
}

/** The aspects that a change of these targets reads. */
export function aspectsRead(resources: readonly Resource[]): readonly string[] {
  const isColumn = ({ target }: Resource): boolean => isGiven(target.subResource);
  return [
    ...(resources.every(isColumn) ? [] : ['glossaryTerms']),
    ...(resources.some(isColumn) ? ['schemaMetadata', 'editableSchemaMetadata'] : []),
  ];
}

/** Contract section 7.3, steps a and b; the texts are DataHub's, two full stops included. */
export function checkTerm(term: Urn, existing: ReadonlySet<Urn>): void {
  const start = `Failed to validate label with urn ${term}.`;
  if (urnType(term) !== 'glossaryTerm') {
    throw new PostilError('BAD_REQUEST', `${start} Urn type does not match entity type glossaryTerm..`);
  }
  if (!existing.has(term)) throw new PostilError('TERM_NOT_FOUND', `${start} Urn does not exist.`);
}

/**
 * Checks a target and changes its terms in the draft (contract section 7.3, steps c to g). A removal also reaches the
 * terms that ingestion put on the column: a reader sees both, and what was detached has to be gone.
 * Throws ENTITY_NOT_FOUND, BAD_REQUEST, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN, UNKNOWN_ASPECT.
 */
export function changeTarget(
  draft: AspectDraft,
  { urn, target }: Resource,
  existing: ReadonlySet<Urn>,
  change: TermsChange,
  alsoIngested = false,
): void {
  const { subResourceType, subResource } = target;
  if (!existing.has(urn)) {
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `Failed to update resource with urn ${urn}. Entity does not exist.`,
    );
  }
  if (isGiven(subResourceType) && !isGiven(subResource)) {
    throw new PostilError(
      'BAD_REQUEST',
      `Failed to update resource with urn ${urn}. ` +
        `SubResourceType (${subResourceType}) provided without a subResource.`,
    );
  }
  if (!isGiven(subResource)) {
    requireAspect(urnType(urn), 'glossaryTerms');
    draft.put(urn, 'glossaryTerms', change(draft.body(urn, 'glossaryTerms')));
    return;
  }
  if (!isGiven(subResourceType)) {
    throw new PostilError(
      'BAD_REQUEST',
      `Failed to updates resource with urn ${urn}. ` +
        `SubResource (${subResource}) provided without a subResourceType.`,
    );
  }
  const stored = draft.stored(urn, 'schemaMetadata');
  const path = requireColumn(urn, stored, subResource);
  const schema = draft.body(urn, 'schemaMetadata') ?? {};
  const editable = draft.body(urn, 'editableSchemaMetadata');
  draft.put(
    urn,
    'editableSchemaMetadata',
    withColumnRecord(editable, schema, path, (record) => withChangedTerms(record, change)),
  );
  if (alsoIngested) draft.put(urn, 'schemaMetadata', withIngestedTerms(schema, path, change));
}

function withChangedTerms(holder: JsonObject, change: TermsChange): JsonObject {
  const before = objectIn(holder, 'glossaryTerms');
  const after = change(before);
  return after === before ? holder : { ...holder, glossaryTerms: after };
}

function withIngestedTerms(schema: JsonObject, path: string, change: TermsChange): JsonObject {
  const before = objectsIn(schema, 'fields');
  const fields = before.map((field) =>
    field['fieldPath'] === path ? withChangedTerms(field, change) : field,
  );
  return fields.every((field, index) => field === before[index]) ? schema : { ...schema, fields };
}

/** An empty text counts as none (contract section 7.3). */
function isGiven<Text extends string>(text: Text | null | undefined): text is Text {
  return text !== null && text !== undefined && text !== '';
}
