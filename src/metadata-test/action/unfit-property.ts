import { isJsonObject } from '../../aspect/json.ts';
import { objectsIn } from '../../entity/stored-member.ts';
import { assignmentProblem } from '../../structured-property/check-assignments.ts';
import { storedValueOf, type PropertyDefinition } from '../../structured-property/property-definition.ts';
import type { Urn } from '../../urn/urn.ts';
import type { Action } from '../predicate.ts';
import type { AssociationPatch } from './association-patch.ts';
import { targetOfAction } from './effects.ts';

/**
 * Why an action does not give values of a structured property, or does not take them away: what is refused by every other
 * way (wire 5.2) is left out. `undefined` when there is nothing against it, or nothing to do.
 */
export function unfitProperty(
  { type, values: [property] }: Action,
  patches: readonly AssociationPatch[],
  entity: Urn,
  definitionOf: (property: string) => PropertyDefinition | undefined,
): string | undefined {
  if (targetOfAction(type)?.kind !== 'structuredProperty' || property === undefined) return undefined;
  const definition = definitionOf(property);
  if (definition === undefined || patches.length === 0) return undefined;
  const given = patches.flatMap((patch) => (patch.op === 'add' ? patch.elements : []));
  const values = given.flatMap((element) =>
    isJsonObject(element) ? objectsIn(element, 'values').flatMap((value) => storedValueOf(value)) : [],
  );
  return assignmentProblem(
    definition,
    entity,
    values,
    patches.some(({ op }) => op === 'remove'),
  );
}
