import type { AuditStamp } from '../../aspect/aspect.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { ownersByType } from '../../association/owner.ts';
import { listIn, objectIn, textIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';

/** One change to one association of an aspect, with what it takes to take it back (specification 3.10, A2). JSON as it is. */
export type AssociationPatch = {
  /** The entity that holds the aspect: of a data product the product, else the entity that the action is for. */
  readonly urn: Urn;
  readonly aspect: string;
} & (
  | {
      readonly op: 'add' | 'remove';
      readonly list: string;
      /** Which member of an element names it; empty where elements are texts. */
      readonly member: string;
      readonly value: string;
      /** What is added, or what was there. */
      readonly elements: readonly JsonValue[];
    }
  | { readonly op: 'set'; readonly before: JsonObject | undefined; readonly after: JsonObject }
);

/** Equal for patches that do the same to the same association. */
export function identityOf(patch: AssociationPatch): string {
  const what =
    patch.op === 'set' ? JSON.stringify(patch.after['deprecated']) : `${patch.list} ${patch.value}`;
  return `${patch.op} ${patch.urn} ${patch.aspect} ${what}`;
}

/** What names an element of a list of associations. */
export function nameOfElement(element: JsonValue, member: string): string | undefined {
  if (typeof element === 'string') return member === '' ? element : undefined;
  if (!isJsonObject(element)) return undefined;
  const name = element[member];
  return typeof name === 'string' ? name : undefined;
}

export function elementsNamed(
  body: JsonObject | undefined,
  list: string,
  member: string,
  value: string,
): readonly JsonValue[] {
  return listIn(body, list).filter((element) => nameOfElement(element, member) === value);
}

/** The URN of whoever attributed an element to itself. */
export function sourceOfElement(element: JsonValue): string | null {
  return isJsonObject(element) ? textIn(objectIn(element, 'attribution'), 'source') : null;
}

/** The body after the patch; whoever holds such an aspect is told when it changed. */
export function patched(
  body: JsonObject | undefined,
  patch: AssociationPatch,
  stamp: AuditStamp,
): JsonObject {
  if (patch.op === 'set') return { ...body, ...patch.after };
  const { list, member, value } = patch;
  const others = listIn(body, list).filter((element) => nameOfElement(element, member) !== value);
  const elements = patch.op === 'add' ? [...others, ...patch.elements] : others;
  return {
    ...body,
    [list]: elements,
    ...inStep(patch.aspect, elements),
    ...stamped(patch.aspect, stamp),
  };
}

/** What an aspect holds a second time, grouped otherwise, has to follow its list. */
function inStep(aspect: string, elements: readonly JsonValue[]): JsonObject {
  if (aspect !== 'ownership') return {};
  return { ownerTypes: ownersByType(elements.filter((element) => isJsonObject(element))) };
}

function stamped(aspect: string, stamp: AuditStamp): JsonObject {
  if (aspect === 'glossaryTerms') return { auditStamp: stamp };
  return aspect === 'ownership' ? { lastModified: stamp } : {};
}

/** Whether what the patch did is still as it left it. */
export function isAsLeft(body: JsonObject | undefined, patch: AssociationPatch): boolean {
  if (patch.op === 'set') {
    return Object.entries(patch.after).every(([name, value]) => isSame(body?.[name], value));
  }
  const found = elementsNamed(body, patch.list, patch.member, patch.value);
  if (patch.op === 'remove') return found.length === 0;
  return (
    found.length === patch.elements.length &&
    found.every((each, index) => isSame(each, patch.elements[index]))
  );
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === undefined || right === undefined ? left === right : jsonEqual(left, right);
}

/** The patch that takes the patch back. */
export function reversed(patch: AssociationPatch, body: JsonObject | undefined): AssociationPatch {
  if (patch.op === 'set')
    return { ...patch, before: body, after: patch.before ?? { ...patch.after, deprecated: false } };
  return { ...patch, op: patch.op === 'add' ? 'remove' : 'add' };
}
