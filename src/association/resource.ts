import type { AspectDraft } from '../command/aspect-draft.ts';
import { requireColumn } from '../entity/column.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';

/** What something is attached to: an entity, or a column of it by its field path (GraphQL `ResourceRefInput`). */
export type ResourceRef = {
  readonly resourceUrn: string;
  readonly subResourceType?: 'DATASET_FIELD' | null;
  readonly subResource?: string | null;
};

/** A reference with its URN parsed. */
export type Resource = { readonly urn: Urn; readonly target: ResourceRef };

/** Throws BAD_REQUEST for a null among the references, INVALID_URN. */
export function resourcesOf(targets: readonly (ResourceRef | null)[]): Resource[] {
  return targets.map((target, index) => {
    if (target === null) {
      throw new PostilError('BAD_REQUEST', `resources[${index}] is null. Send an object with a resourceUrn.`);
    }
    return { urn: parseUrn(target.resourceUrn), target };
  });
}

/** Whether the reference names a column; an empty text counts as none (contract section 7.3). */
export function namesColumn({ target }: Resource): boolean {
  return isGiven(target.subResource);
}

/**
 * The schema's own path of the column that is meant, `undefined` for the entity itself (contract section 7.3, steps c to
 * g). The draft holds `schemaMetadata`. Throws ENTITY_NOT_FOUND, BAD_REQUEST, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN.
 */
export function requireResource(
  draft: AspectDraft,
  { urn, target }: Resource,
  existing: ReadonlySet<Urn>,
): string | undefined {
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
  if (!isGiven(subResource)) return undefined;
  if (!isGiven(subResourceType)) {
    throw new PostilError(
      'BAD_REQUEST',
      `Failed to updates resource with urn ${urn}. ` +
        `SubResource (${subResource}) provided without a subResourceType.`,
    );
  }
  return requireColumn(urn, draft.stored(urn, 'schemaMetadata'), subResource);
}

function isGiven<Text extends string>(text: Text | null | undefined): text is Text {
  return text !== null && text !== undefined && text !== '';
}

/** For what only whole entities have. Throws BAD_REQUEST behind `what`, such as "owners", when a column is named. */
export function requireWholeEntities(resources: readonly Resource[], what: string): void {
  const column = resources.find(namesColumn);
  if (column === undefined) return;
  throw new PostilError(
    'BAD_REQUEST',
    `Malformed input provided: ${what} cannot be applied to subresources. ` +
      `Send ${column.urn} without subResource (${column.target.subResource}).`,
  );
}
