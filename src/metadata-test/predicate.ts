import type { JsonValue } from '../aspect/json.ts';

/**
 * The one typed tree of a metadata test. Everything that a test can do (evaluate one entity, say what it reads, and
 * later compile to SQL, explain, preview) is derived from this tree and from nothing else; the dialects end here.
 * A further kind of node is a member of `Predicate`; the compiler then names every place that has to know it.
 */
export type Predicate = And | Or | None | Leaf | ForEach;

/** All hold; true when there is none (S10). `pointer` says where in the text the node stands, for messages only. */
export type And = {
  readonly kind: 'And';
  readonly operands: readonly Predicate[];
  readonly pointer: string;
};

/** One holds; false when there is none (S10). */
export type Or = { readonly kind: 'Or'; readonly operands: readonly Predicate[]; readonly pointer: string };

/** None holds: what `not` means over a list (S9). */
export type None = {
  readonly kind: 'None';
  readonly operands: readonly Predicate[];
  readonly pointer: string;
};

export type Leaf = {
  readonly kind: 'Leaf';
  readonly path: Path;
  /** Id of an operator of operators.ts. */
  readonly operator: string;
  /** Typed: numbers (milliseconds for points in time) where the operator compares numbers, else strings. */
  readonly operands: readonly Operand[];
  readonly pointer: string;
};

export type Operand = string | number;

/** Asks about the elements of a collection: how many of those that `where` selects satisfy `satisfies`. */
export type ForEach = {
  readonly kind: 'ForEach';
  readonly collection: Path;
  /**
   * What the paths of `where` and `satisfies` start from: `entity`: elements are URNs, and paths start from the entities
   * they name; `value`: paths start inside the element, with a step `Element`.
   */
  readonly elements: 'entity' | 'value';
  /** Absent: every element. */
  readonly where?: Predicate;
  readonly satisfies: Predicate;
  readonly quantifier: Quantifier;
  /** Whether it holds when no element is selected. */
  readonly onEmpty: 'fail' | 'pass';
  readonly pointer: string;
};

export type Quantifier =
  | { readonly kind: 'all' | 'any' | 'none' }
  /** `ratio` of the selected elements, rounded up, or `count` of them. */
  | { readonly kind: 'atLeast'; readonly ratio: number }
  | { readonly kind: 'atLeast'; readonly count: number };

/** What one value at the end of a path is, as far as the catalogue knows. */
export type ValueType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'urn'
  | 'record'
  | 'map'
  | 'column'
  | 'entityType'
  | 'any';

/** A resolved property path: from the entity, step by step, to its values. */
export type Path = {
  /** The normal form, as `property` of the canonical text. */
  readonly text: string;
  readonly steps: readonly PathStep[];
  readonly valueType: ValueType;
  /** Of `urn` values: the entity types they may have; empty when the catalogue does not say. */
  readonly urnTypes: readonly string[];
  /** Whether there may be several values. */
  readonly isList: boolean;
  /** Where it is written, for messages only. */
  readonly pointer: string;
};

export type PathStep =
  /** Back to the entity under test, from inside a `forEach`. First step only. */
  | { readonly kind: 'Root' }
  /** The element that the innermost `forEach` is at. First step only. */
  | { readonly kind: 'Element' }
  /** URNs along the lineage, `hops` edges far. Last step, or before `Hop`. */
  | { readonly kind: 'Lineage'; readonly direction: 'upstream' | 'downstream'; readonly hops: number }
  /** URNs of the assertions about the entity. In read sets only. */
  | { readonly kind: 'Assertions' }
  /** The latest version of an aspect of the entity. */
  | { readonly kind: 'Aspect'; readonly name: string }
  | { readonly kind: 'Field'; readonly name: string }
  /** Every element of a list; a value that is no list stays as it is. */
  | { readonly kind: 'Flatten' }
  /** From a URN to the entity it names; empty `types`: any. The next step is `Aspect` or `Virtual`. */
  | { readonly kind: 'Hop'; readonly types: readonly string[] }
  /** A value that is computed from the entity. */
  | { readonly kind: 'Virtual'; readonly name: VirtualProperty }
  /** The entry of an aspect that belongs to one URN, such as the values of one structured property. */
  | { readonly kind: 'Keyed'; readonly entries: KeyedEntries; readonly urn: string };

export const virtualProperties = [
  'urn',
  'entityType',
  'schemaFields',
  'schemaFields.length',
  '__firstSynchronized',
  '__lastSynchronized',
  '__lastObserved',
  'effective.description',
  'columns',
] as const;

export type VirtualProperty = (typeof virtualProperties)[number];

/** `structuredProperties`: values of one property. `ownerTypes`: owners of one ownership type. */
export type KeyedEntries = 'structuredProperties' | 'ownerTypes';

export type Action = {
  readonly type: string;
  readonly values: readonly string[];
  /** What is not a plain list, such as the ownership type of `add_owners`; empty for most. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
};

export type Severity = 'error' | 'warn' | 'info';

/** One rule: what must hold, and how to speak about it. */
export type Rule = {
  /** The name that was given, or the position: `rule-1`, `rule-2`, ... */
  readonly id: string;
  /** Only rules of severity `error` decide the verdict. */
  readonly severity: Severity;
  /** What to say when it does not hold; `{{name}}`, `{{count}}` and `{{sample}}` are filled in. */
  readonly message?: string;
  /** Where people can read more. */
  readonly docs?: string;
  readonly predicate: Predicate;
  readonly pointer: string;
};

/** A metadata test in normal form. */
export type TestDefinition = {
  /** Entity types in scope, each once, in the order of the text. */
  readonly types: readonly string[];
  readonly conditions: Predicate;
  readonly rules: readonly Rule[];
  readonly actions: { readonly passing: readonly Action[]; readonly failing: readonly Action[] };
  /** Further keys of the extended language, checked and kept as they were written. */
  readonly keys: Readonly<Record<string, JsonValue>>;
};

/** The conditions and the rules, in the order of the text. */
export function predicatesOf(definition: TestDefinition): readonly Predicate[] {
  return [definition.conditions, ...definition.rules.map((rule) => rule.predicate)];
}

/** Every leaf below a predicate, those about the elements of a collection included, in the order of the text. */
export function* leavesOf(predicate: Predicate): Generator<Leaf> {
  if (predicate.kind === 'Leaf') yield predicate;
  else for (const part of partsOf(predicate)) yield* leavesOf(part);
}

/** Every node of a predicate, itself first. */
export function* nodesOf(predicate: Predicate): Generator<Predicate> {
  yield predicate;
  for (const part of partsOf(predicate)) yield* nodesOf(part);
}

/** The leaves that are about the entity itself: those below a `forEach` only as far as they escape to it. */
export function* rootLeavesOf(predicate: Predicate, isInside = false): Generator<Leaf> {
  if (predicate.kind === 'Leaf') {
    if (!isInside || predicate.path.steps[0]?.kind === 'Root') yield predicate;
    return;
  }
  const inside = isInside || predicate.kind === 'ForEach';
  for (const part of partsOf(predicate)) yield* rootLeavesOf(part, inside);
}

/** The predicates directly below a predicate. */
export function partsOf(predicate: Predicate): readonly Predicate[] {
  if (predicate.kind === 'Leaf') return [];
  if (predicate.kind !== 'ForEach') return predicate.operands;
  return predicate.where === undefined ? [predicate.satisfies] : [predicate.where, predicate.satisfies];
}
