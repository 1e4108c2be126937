import type { Placement } from '../aspect/aspect-store.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { isUrn, urnKey, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

/** Which member of which aspect names an entity and its parent in the tree of its kind. */
type PlacementRule = {
  readonly keyAspect: string;
  readonly nameAspect: string;
  readonly parentAspect: string;
  readonly parentMember: string;
  /** The name of an entity that has none, from its id. */
  readonly nameFromId: (id: string) => string;
};

const rules: ReadonlyMap<string, PlacementRule> = new Map([
  ['glossaryTerm', glossaryRule('glossaryTermKey', 'glossaryTermInfo')],
  ['glossaryNode', glossaryRule('glossaryNodeKey', 'glossaryNodeInfo')],
  [
    'domain',
    {
      keyAspect: 'domainKey',
      nameAspect: 'domainProperties',
      parentAspect: 'domainProperties',
      parentMember: 'parentDomain',
      nameFromId: wholeId,
    },
  ],
  [
    'container',
    {
      keyAspect: 'containerKey',
      nameAspect: 'containerProperties',
      parentAspect: 'container',
      parentMember: 'container',
      nameFromId: wholeId,
    },
  ],
]);

const aspectsByType: ReadonlyMap<string, readonly string[]> = new Map(
  [...rules].map(([type, rule]) => [
    type,
    [...new Set([rule.keyAspect, rule.nameAspect, rule.parentAspect])],
  ]),
);
const none: readonly string[] = [];

/** The aspects that `placementOf` needs for entities of this type; none for types that form no tree. */
export function placementAspects(entityType: string): readonly string[] {
  return aspectsByType.get(entityType) ?? none;
}

/**
 * Where an entity stands in the tree of its kind: its name and its parent, `undefined` at the root. A glossary term or
 * node without a name bears the last dot-separated part of its id (contract section 5), others bear their id. `undefined`
 * for types that form no tree, and when none of the `placementAspects` is there: the entity does not exist.
 */
export function placementOf(
  urn: Urn,
  aspects: { readonly [aspect: string]: JsonObject | undefined },
): Placement | undefined {
  const type = urnType(urn);
  const rule = rules.get(type);
  if (rule === undefined) return undefined;
  if (placementAspects(type).every((aspect) => aspects[aspect] === undefined)) return undefined;
  return {
    urn,
    parent: urnIn(aspects[rule.parentAspect]?.[rule.parentMember]),
    name: nameIn(aspects[rule.nameAspect]) ?? rule.nameFromId(urnKey(urn)),
  };
}

function glossaryRule(keyAspect: string, infoAspect: string): PlacementRule {
  return {
    keyAspect,
    nameAspect: infoAspect,
    parentAspect: infoAspect,
    parentMember: 'parentNode',
    nameFromId: lastDottedPart,
  };
}

function nameIn(body: JsonObject | undefined): string | undefined {
  const name = body?.['name'];
  // A store keeps text in UTF-8, which has no half characters.
  return typeof name === 'string' && name !== '' ? name.toWellFormed() : undefined;
}

function urnIn(value: JsonValue | undefined): Urn | undefined {
  return isUrn(value) ? value : undefined;
}

function lastDottedPart(id: string): string {
  const name = id.substring(id.lastIndexOf('.') + 1);
  return name === '' ? id : name;
}

function wholeId(id: string): string {
  return id;
}
