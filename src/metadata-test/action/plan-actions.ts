import type { AuditStamp } from '../../aspect/aspect.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import type { AspectDraft } from '../../command/aspect-draft.ts';
import { listIn, textIn } from '../../entity/stored-member.ts';
import type { PropertyDefinition } from '../../structured-property/property-definition.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import type { Action } from '../predicate.ts';
import {
  type AssociationPatch,
  elementsNamed,
  identityOf,
  nameOfElement,
  patched,
  sourceOfElement,
} from './association-patch.ts';
import { isGiving, targetOfAction } from './effects.ts';
import { ownerKindOf } from './owner-kind.ts';
import { unfitProperty } from './unfit-property.ts';

/** What planning needs beside the aspects. */
export type PlanContext = {
  readonly entity: Urn;
  readonly test: Urn;
  /** Of each association that is added (A3). */
  readonly attribution: JsonObject;
  readonly stamp: AuditStamp;
  /** A4: only what the test added is removed. */
  readonly removeOnlyOwn: boolean;
  /** Data products that hold the entity. */
  readonly products: readonly Urn[];
  /** Whether a data product that an action names does not exist. */
  isMissing(product: string): boolean;
  /** What a structured property takes; `undefined` for one that is not defined, which has no rule. */
  definitionOf(property: string): PropertyDefinition | undefined;
  /** Whether the test itself did what this patch takes back, where the association cannot say so itself. */
  isOwn(association: string): boolean;
  /** A5: why a patch is not done although it would change something. */
  refusal(patch: AssociationPatch): string | undefined;
};

export type PlannedPatch = AssociationPatch & { readonly action: string; readonly index: number };

export type Plan = {
  readonly patches: readonly PlannedPatch[];
  /** Why something was left out that would have changed something. */
  readonly refused: readonly string[];
};

/**
 * What the actions would change, one after the other, which is nothing where all is as wanted (A1, A2); the draft has the
 * changes afterwards. Actions that are kept and not applied (forms) change nothing.
 */
export function planActions(actions: readonly Action[], draft: AspectDraft, context: PlanContext): Plan {
  const patches: PlannedPatch[] = [];
  const refused: string[] = [];
  for (const [index, action] of actions.entries()) {
    const missing = missingProduct(action, context);
    if (missing !== undefined) {
      refused.push(missing);
      continue;
    }
    const all = patchesOf(action, draft, context);
    const unfit = unfitProperty(action, all, context.entity, context.definitionOf);
    if (unfit !== undefined) {
      refused.push(unfit);
      continue;
    }
    const reasons = all.map((patch) => context.refusal(patch));
    const [first] = reasons.filter((reason) => reason !== undefined);
    // Where there is room for one value, taking one away and leaving out what replaces it would be worse than either.
    const isWhole = first !== undefined && isSingle(action);
    for (const [at, patch] of all.entries()) {
      const reason = isWhole ? first : reasons[at];
      if (reason !== undefined) {
        refused.push(reason);
        continue;
      }
      draft.put(patch.urn, patch.aspect, patched(draft.body(patch.urn, patch.aspect), patch, context.stamp));
      patches.push({ ...patch, action: action.type, index });
    }
  }
  return { patches, refused };
}

function isSingle({ type }: Action): boolean {
  const kind = targetOfAction(type)?.kind;
  return kind === 'domain' || kind === 'dataProduct' || kind === 'structuredProperty';
}

/** A product that is gone is not made again by what would be put into it. */
function missingProduct({ type, values: [product] }: Action, { isMissing }: PlanContext): string | undefined {
  const isPut = targetOfAction(type)?.kind === 'dataProduct' && isGiving(type);
  return isPut && product !== undefined && isMissing(product)
    ? `there is no data product ${product}`
    : undefined;
}

function patchesOf(action: Action, draft: AspectDraft, context: PlanContext): readonly AssociationPatch[] {
  const target = targetOfAction(action.type);
  if (target === undefined) return [];
  const gives = isGiving(action.type);
  switch (target.kind) {
    case 'tags':
      return onList('globalTags', 'tags', 'tag', action.values, gives, draft, context, (tag) => ({ tag }));
    case 'terms':
      return onList('glossaryTerms', 'terms', 'urn', action.values, gives, draft, context, (urn) => ({
        urn,
      }));
    case 'owners': {
      const kind = ownerKindOf(action);
      return onList('ownership', 'owners', 'owner', action.values, gives, draft, context, (owner) => ({
        owner,
        ...kind,
      }));
    }
    case 'domain':
      return onDomain(gives ? action.values : [], draft, context);
    case 'dataProduct':
      return onDataProduct(gives ? action.values : [], draft, context);
    case 'structuredProperty':
      return onStructuredProperty(action.values, gives, draft, context);
    case 'deprecation':
      return onDeprecation(gives, draft, context);
  }
}

function onList(
  aspect: string,
  list: string,
  member: string,
  values: readonly string[],
  gives: boolean,
  draft: AspectDraft,
  context: PlanContext,
  associationOf: (value: string) => JsonObject,
): readonly AssociationPatch[] {
  const { entity, attribution } = context;
  const body = draft.body(entity, aspect);
  return [...new Set(values)].flatMap((value): readonly AssociationPatch[] => {
    const found = elementsNamed(body, list, member, value);
    const where = { urn: entity, aspect, list, member, value };
    if (gives) {
      return found.length > 0
        ? []
        : [{ ...where, op: 'add', elements: [{ ...associationOf(value), attribution }] }];
    }
    return isRemovable(found, where, context) ? [{ ...where, op: 'remove', elements: found }] : [];
  });
}

type Where = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly list: string;
  readonly member: string;
  readonly value: string;
};

/** A4: whoever set it, or only what the test itself added. */
function isRemovable(found: readonly JsonValue[], where: Where, context: PlanContext): boolean {
  if (found.length === 0) return false;
  if (!context.removeOnlyOwn) return true;
  if (found.every((element) => sourceOfElement(element) === context.test)) return true;
  const isSaid = found.some((element) => sourceOfElement(element) !== null);
  return !isSaid && context.isOwn(identityOf({ ...where, op: 'add', elements: [] }));
}

/** Where there is room for one value: what is there goes, what is wanted comes. */
function replacing(
  where: Omit<Where, 'value'>,
  wanted: string | undefined,
  element: JsonValue,
  draft: AspectDraft,
  context: PlanContext,
): readonly AssociationPatch[] {
  const body = draft.body(where.urn, where.aspect);
  const names = listIn(body, where.list).map((each) => nameOfElement(each, where.member));
  const others = [...new Set(names)].filter((name) => name !== undefined).filter((name) => name !== wanted);
  const removals = others.flatMap((value): readonly AssociationPatch[] => {
    const elements = elementsNamed(body, where.list, where.member, value);
    const isAllowed = wanted !== undefined || isRemovable(elements, { ...where, value }, context);
    return isAllowed ? [{ ...where, op: 'remove', value, elements }] : [];
  });
  if (wanted === undefined || names.includes(wanted)) return removals;
  return [...removals, { ...where, op: 'add', value: wanted, elements: [element] }];
}

/** The list of domains is texts alone, so who set one stands beside it. */
function onDomain(
  values: readonly string[],
  draft: AspectDraft,
  context: PlanContext,
): readonly AssociationPatch[] {
  const [domain] = values;
  const where = { urn: context.entity, aspect: 'domains' };
  const main = replacing({ ...where, list: 'domains', member: '' }, domain, domain ?? '', draft, context);
  if (main.length === 0) return [];
  const attributed = domain === undefined ? '' : { domain, attribution: context.attribution };
  const beside = replacing(
    { ...where, list: 'domainAssociations', member: 'domain' },
    domain,
    attributed,
    draft,
    {
      ...context,
      removeOnlyOwn: false,
    },
  );
  return [...main, ...beside];
}

/** A product holds its assets; an asset is in one product. */
function onDataProduct(
  values: readonly string[],
  draft: AspectDraft,
  context: PlanContext,
): readonly AssociationPatch[] {
  const [wanted] = values;
  const { entity, stamp } = context;
  const place = { aspect: 'dataProductProperties', list: 'assets', member: 'destinationUrn', value: entity };
  const removals = context.products
    .filter((urn) => urn !== wanted)
    .flatMap((urn): readonly AssociationPatch[] => {
      const elements = elementsNamed(draft.body(urn, place.aspect), place.list, place.member, entity);
      const where = { ...place, urn };
      const isAllowed =
        elements.length > 0 && (wanted !== undefined || isRemovable(elements, where, context));
      return isAllowed ? [{ ...where, op: 'remove', elements }] : [];
    });
  if (wanted === undefined || !isUrn(wanted)) return removals;
  const body = draft.body(wanted, place.aspect);
  if (elementsNamed(body, place.list, place.member, entity).length > 0) return removals;
  const element = { destinationUrn: entity, created: stamp, lastModified: stamp };
  return [...removals, { ...place, urn: wanted, op: 'add', elements: [element] }];
}

function onStructuredProperty(
  [property, ...values]: readonly string[],
  gives: boolean,
  draft: AspectDraft,
  context: PlanContext,
): readonly AssociationPatch[] {
  if (property === undefined) return [];
  const { entity, attribution, stamp } = context;
  const body = draft.body(entity, 'structuredProperties');
  const where = {
    urn: entity,
    aspect: 'structuredProperties',
    list: 'properties',
    member: 'propertyUrn',
    value: property,
  };
  const found = elementsNamed(body, where.list, where.member, property);
  if (!gives) return isRemovable(found, where, context) ? [{ ...where, op: 'remove', elements: found }] : [];
  const isNumeric = context.definitionOf(property)?.valueType?.id === 'number';
  const wanted = values.map((value) =>
    isNumeric && Number.isFinite(Number(value)) ? { double: Number(value) } : { string: value },
  );
  if (found.length === 1 && isSameValues(found, wanted)) return [];
  const element = { propertyUrn: property, values: wanted, created: stamp, lastModified: stamp, attribution };
  const removal: readonly AssociationPatch[] =
    found.length === 0 ? [] : [{ ...where, op: 'remove', elements: found }];
  return [...removal, { ...where, op: 'add', elements: [element] }];
}

function isSameValues(found: readonly JsonValue[], wanted: readonly JsonObject[]): boolean {
  const textOf = (values: readonly JsonValue[]): string =>
    values
      .map((value) => JSON.stringify(value))
      .toSorted()
      .join();
  const [only] = found.map((element) => listIn(isJsonObject(element) ? element : undefined, 'values'));
  return only !== undefined && textOf(only) === textOf(wanted);
}

function onDeprecation(
  gives: boolean,
  draft: AspectDraft,
  context: PlanContext,
): readonly AssociationPatch[] {
  const { entity, stamp } = context;
  const body = draft.body(entity, 'deprecation');
  if ((body?.['deprecated'] === true) === gives) return [];
  const after = { deprecated: gives, actor: stamp.actor, note: textIn(body, 'note') ?? '' };
  const patch: AssociationPatch = { urn: entity, aspect: 'deprecation', op: 'set', before: body, after };
  const given = identityOf({ ...patch, after: { deprecated: true } });
  return gives || !context.removeOnlyOwn || context.isOwn(given) ? [patch] : [];
}
