import { ownershipKinds } from '../../entity/ownership-kinds.ts';
import { isUrn, urnType } from '../../urn/urn.ts';
import type { Action } from '../predicate.ts';

/** As which kind of owner `add_owners` adds: DataHub's enumeration, and the ownership type entity that says the same. */
export type OwnerKind = { readonly type: string; readonly typeUrn: string };

const systemTypePrefix = 'urn:li:ownershipType:__system__';

/** Technical owners unless the action says otherwise, as DataHub's builder presets (specification 1.5). */
export function ownerKindOf({ params }: Action): OwnerKind {
  const named = params['ownershipTypeUrn'] ?? params['ownershipType'] ?? params['ownerType'];
  const text = typeof named === 'string' ? named : named?.[0];
  if (text !== undefined && isUrn(text) && urnType(text) === 'ownershipType') {
    const kind = ownershipKinds.find((each) => text === `${systemTypePrefix}${each.toLowerCase()}`);
    return { type: kind ?? 'CUSTOM', typeUrn: text };
  }
  const kind = ownershipKinds.find((each) => each === text?.toUpperCase()) ?? 'TECHNICAL_OWNER';
  return { type: kind, typeUrn: `${systemTypePrefix}${kind.toLowerCase()}` };
}
