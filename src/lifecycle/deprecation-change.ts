import type { JsonObject } from '../aspect/json.ts';
import { requireResource, resourcesOf, type Resource, type ResourceRef } from '../association/resource.ts';
import type { Demand } from '../auth/caller.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { Decision, DecisionContext, DecisionView } from '../command/command.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** What is said about using something; all of it at once, so what is absent is said no longer. */
export type DeprecationValue = {
  readonly deprecated: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly decommissionTime?: number | null;
  readonly note?: string | null;
  /** URN of what to use instead. */
  readonly replacement?: string | null;
};

type Resources = readonly (ResourceRef | null)[];

/** Throws INVALID_URN, and BAD_REQUEST for a null among the resources. */
export function deprecationDemands(resources: Resources, value: DeprecationValue): readonly Demand[] {
  replacementOf(value);
  return resourcesOf(resources).map(({ urn }) => ({
    anyOf: ['EDIT_ENTITY', 'EDIT_DEPRECATION_PRIVILEGE'],
    on: urn,
  }));
}

/**
 * Marks entities and columns as deprecated, or as not deprecated any more, all or nothing. What is said of a column is
 * said of the entity that stands for it. What is marked so already is left alone, and who marked it (decision 18). Throws
 * ENTITY_NOT_FOUND, BAD_REQUEST, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN, UNKNOWN_ASPECT.
 */
export async function changeDeprecations(
  view: DecisionView,
  references: Resources,
  value: DeprecationValue,
  { caller }: DecisionContext,
): Promise<Decision<true>> {
  const resources = resourcesOf(references);
  const replacement = replacementOf(value);
  const urns = resources.map(({ urn }) => urn);
  const replacements = replacement === undefined ? [] : [replacement];
  const existing = await view.existing([...new Set([...urns, ...replacements])]);
  if (replacement !== undefined && !existing.has(replacement)) {
    throw new PostilError(
      'ENTITY_NOT_FOUND',
      `Failed to update deprecation. The replacement ${replacement} does not exist.`,
    );
  }
  const targets = await targetsOf(view, resources, existing);
  const draft = await draftAspects(view, targets, ['deprecation', 'datasetDeprecation']);
  for (const urn of targets) {
    const body = draft.body(urn, 'deprecation');
    // Readers show the aspect that came before the general one as long as there is nothing else.
    const isShown = body !== undefined || draft.body(urn, 'datasetDeprecation') !== undefined;
    if (isSaid(body, isShown, value)) continue;
    draft.put(urn, 'deprecation', {
      ...body,
      deprecated: value.deprecated,
      note: value.note ?? '',
      decommissionTime: value.decommissionTime ?? undefined,
      replacement,
      actor: caller.actor,
    });
  }
  return { writes: draft.writes(), result: true };
}

/** The entities that bear the aspect: those that are meant, or those that stand for the columns that are. */
async function targetsOf(
  view: DecisionView,
  resources: readonly Resource[],
  existing: ReadonlySet<Urn>,
): Promise<readonly Urn[]> {
  const schemas = await draftAspects(
    view,
    resources.map(({ urn }) => urn),
    ['schemaMetadata'],
  );
  return resources.map((resource) => {
    const path = requireResource(schemas, resource, existing);
    const urn = path === undefined ? resource.urn : formatUrn('schemaField', [resource.urn, path]);
    requireAspect(urnType(urn), 'deprecation');
    return urn;
  });
}

function isSaid(body: JsonObject | undefined, isShown: boolean, value: DeprecationValue): boolean {
  const { deprecated, note, decommissionTime, replacement } = value;
  if (body === undefined && isShown) return false;
  return (
    (body?.['deprecated'] ?? false) === deprecated &&
    (body?.['note'] ?? '') === (note ?? '') &&
    (body?.['decommissionTime'] ?? null) === (decommissionTime ?? null) &&
    (body?.['replacement'] ?? null) === (replacement ?? null)
  );
}

function replacementOf({ replacement }: DeprecationValue): Urn | undefined {
  return replacement === null || replacement === undefined ? undefined : parseUrn(replacement);
}
