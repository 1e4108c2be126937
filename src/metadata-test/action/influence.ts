import { type ForEach, type Leaf, type PathStep, type Predicate } from '../predicate.ts';
import type { ActionEffect } from './effects.ts';

/** In which ways something can change: from false to true, from true to false. */
export type Push = { readonly up: boolean; readonly down: boolean };

/** A leaf whose outcome an effect can change. */
export type Influence = Push & { readonly pointer: string };

const nothing: Push = { up: false, down: false };
const either: Push = { up: true, down: true };
const raises: Push = { up: true, down: false };
const lowers: Push = { up: false, down: true };

/**
 * How an effect, had by entities of `writtenTypes`, can change whether a predicate holds of entities of `readTypes`
 * (specification 3.10, A6). Value-aware where the value itself is asked for; whatever a path goes on from, another entity's
 * aspects and all that is not plainly about other values may change.
 */
export function influencesOn(
  predicate: Predicate,
  effect: ActionEffect,
  writtenTypes: readonly string[],
  readTypes: readonly string[],
): readonly Influence[] {
  const standpoint = { root: readTypes, types: readTypes };
  return [...walk(predicate, { ...effect, types: writtenTypesOf(effect, writtenTypes) }, standpoint)];
}

type TypedEffect = ActionEffect & { readonly types: readonly string[] };

type Standpoint = { readonly root: readonly string[]; readonly types: readonly string[] };

/** A data product holds its assets itself. */
function writtenTypesOf(effect: ActionEffect, types: readonly string[]): readonly string[] {
  return effect.kind === 'dataProduct' ? ['dataProduct'] : types;
}

function* walk(predicate: Predicate, effect: TypedEffect, from: Standpoint): Generator<Influence> {
  switch (predicate.kind) {
    case 'And':
    case 'Or':
      for (const operand of predicate.operands) yield* walk(operand, effect, from);
      return;
    case 'None':
      for (const operand of predicate.operands) {
        for (const influence of walk(operand, effect, from)) yield flipped(influence);
      }
      return;
    case 'Leaf':
      yield* influenceOnLeaf(predicate, effect, from);
      return;
    case 'ForEach':
      yield* influenceOnForEach(predicate, effect, from);
  }
}

function* influenceOnForEach(node: ForEach, effect: TypedEffect, from: Standpoint): Generator<Influence> {
  const { collection, where, satisfies, quantifier, pointer } = node;
  if (touches(collection.steps, effect, from)) yield { ...either, pointer };
  const inside = { root: from.root, types: node.elements === 'entity' ? collection.urnTypes : [] };
  if (where !== undefined) {
    for (const influence of walk(where, effect, inside)) yield { ...either, pointer: influence.pointer };
  }
  for (const influence of walk(satisfies, effect, inside)) {
    yield quantifier.kind === 'none' ? flipped(influence) : influence;
  }
}

function* influenceOnLeaf(leaf: Leaf, effect: TypedEffect, from: Standpoint): Generator<Influence> {
  const push = pushOnLeaf(leaf, effect, from);
  if (push.up || push.down) yield { ...push, pointer: leaf.pointer };
}

function flipped<P extends Push>(push: P): P {
  return { ...push, up: push.down, down: push.up };
}

/** The parts of a path between its hops, each with the types of the entities that it starts from. */
function partsOfPath(
  steps: readonly PathStep[],
  from: Standpoint,
): readonly { readonly types: readonly string[]; readonly steps: readonly PathStep[] }[] {
  const [first, ...rest] = steps;
  let part: { types: readonly string[]; steps: PathStep[] } = {
    types: first?.kind === 'Root' ? from.root : from.types,
    steps: [],
  };
  const parts = [part];
  for (const step of first?.kind === 'Root' ? rest : steps) {
    if (step.kind === 'Hop') parts.push((part = { types: step.types, steps: [] }));
    else part.steps.push(step);
  }
  return parts;
}

function touches(steps: readonly PathStep[], effect: TypedEffect, from: Standpoint): boolean {
  return partsOfPath(steps, from).some((part) => isWritten(part, effect));
}

/** Whether the part reads what the effect writes; empty types are any. */
function isWritten(
  { types, steps }: { readonly types: readonly string[]; readonly steps: readonly PathStep[] },
  effect: TypedEffect,
): boolean {
  if (types.length > 0 && !types.some((type) => effect.types.includes(type))) return false;
  const [first, ...rest] = steps;
  if (first?.kind === 'Virtual') return first.name === '__lastSynchronized';
  if (first?.kind !== 'Aspect' || first.name !== effect.aspect) return false;
  const keyed = rest.find((step) => step.kind === 'Keyed');
  if (keyed === undefined || effect.key === undefined) return true;
  return keyed.urn === effect.key;
}

function pushOnLeaf(leaf: Leaf, effect: TypedEffect, from: Standpoint): Push {
  const parts = partsOfPath(leaf.path.steps, from);
  const at = parts.findIndex((part) => isWritten(part, effect));
  const part = parts[at];
  if (part === undefined) return nothing;
  // What the path goes on to from a value that comes or goes is not known.
  if (at < parts.length - 1) return either;
  if (part.steps[0]?.kind === 'Virtual') return pushOnTime(leaf.operator);
  return pushOnValues(leaf, effect, memberOf(part.steps));
}

/** Whatever is written makes an entity younger. */
function pushOnTime(operator: string): Push {
  if (['newer_than', 'greater_than', 'greater_or_equal', 'exists'].includes(operator)) return raises;
  if (['older_than', 'less_than', 'less_or_equal'].includes(operator)) return lowers;
  return either;
}

/** The names of the fields below the aspect, joined by dots; `*` for the entry of one structured property or owner type. */
function memberOf(steps: readonly PathStep[]): string {
  return steps
    .flatMap((step) => (step.kind === 'Field' ? [step.name] : step.kind === 'Keyed' ? ['*'] : []))
    .join('.');
}

/** Where the values that an effect gives or takes stand in its aspect. */
const valueMembers: Readonly<Record<ActionEffect['kind'], readonly string[]>> = {
  tags: ['tags.tag'],
  terms: ['terms.urn'],
  owners: ['owners.owner', '*'],
  domain: ['domains'],
  dataProduct: [],
  structuredProperty: ['*'],
  deprecation: [],
};

function pushOnValues(leaf: Leaf, effect: TypedEffect, member: string): Push {
  if (effect.kind === 'deprecation') return pushOnDeprecation(leaf.operator, effect.gives, member);
  const isExact = valueMembers[effect.kind].includes(member);
  const values = isExact ? effect.values : ownerTypesIn(effect, member);
  if (values === undefined) return pushOnOther(leaf.operator, effect);
  const isSingle = effect.kind === 'domain' || effect.kind === 'structuredProperty';
  return isSingle ? pushOnSetting(leaf, effect.gives, values) : pushOnList(leaf, effect.gives, values);
}

/** Owners come with their type, which tests may ask for as well. */
function ownerTypesIn({ kind, key, gives }: TypedEffect, member: string): readonly string[] | undefined {
  if (kind !== 'owners' || member !== 'owners.typeUrn' || !gives) return undefined;
  return key === undefined ? [] : [key];
}

function pushOnDeprecation(operator: string, gives: boolean, member: string): Push {
  if (member === 'deprecated') {
    if (operator === 'is_true') return gives ? raises : lowers;
    if (operator === 'is_false') return gives ? lowers : raises;
    return operator === 'exists' ? raises : either;
  }
  // A note, a date and a replacement are left as they are.
  return member === '' || member === 'actor' ? pushOnOther(operator, { gives: true }) : nothing;
}

/** Members that come and go with an association: there is one, or there is none; all else is unknown. */
function pushOnOther(operator: string, { gives }: { readonly gives: boolean }): Push {
  if (operator === 'exists') return gives ? raises : lowers;
  if (operator === 'is_empty') return gives ? lowers : raises;
  return either;
}

/** One more value, or one less. */
function pushOnList({ operator, operands }: Leaf, gives: boolean, values: readonly string[]): Push {
  const push = pushOfAdding(operator, isAmong(values, operands));
  return gives ? push : flipped(push);
}

function isAmong(values: readonly string[], operands: Leaf['operands']): boolean {
  const wanted = new Set(operands.map(String));
  return values.some((value) => wanted.has(value));
}

function pushOfAdding(operator: string, isAsked: boolean): Push {
  switch (operator) {
    case 'equals':
    case 'contains_any':
    case 'contains_all':
      return isAsked ? raises : nothing;
    case 'not_equals':
    case 'contains_none':
      return isAsked ? lowers : nothing;
    case 'exists':
    case 'count_at_least':
    case 'contains_str':
    case 'starts_with':
    case 'ends_with':
    case 'regex_match':
    case 'within':
    case 'min_length':
      return raises;
    case 'is_empty':
    case 'count_at_most':
    case 'max_length':
      return lowers;
    default:
      return either;
  }
}

/** These values instead of whatever was there, or nothing instead of it. */
function pushOnSetting({ operator, operands }: Leaf, gives: boolean, values: readonly string[]): Push {
  if (operator === 'exists') return gives ? raises : lowers;
  if (operator === 'is_empty') return gives ? lowers : raises;
  const isMembership = ['equals', 'contains_any', 'contains_all'].includes(operator);
  const isExclusion = ['not_equals', 'contains_none'].includes(operator);
  if (!isMembership && !isExclusion) return either;
  const isAsked = gives && isAmong(values, operands);
  const hasOthers = operands.some((operand) => !values.includes(String(operand)));
  const needsAll = operator === 'contains_all';
  const push: Push = { up: isAsked, down: isAsked && !needsAll ? false : hasOthers || !gives };
  return isExclusion ? flipped(push) : push;
}
