/**
 * The one typed tree of a metadata test. Everything that a test can do (evaluate one entity, say what it reads, and
 * later compile to SQL, explain, preview) is derived from this tree and from nothing else; the dialects end here.
 * A further kind of node is a member of `Predicate`; the compiler then names every place that has to know it.
 */
export type Predicate = And | Or | None | Leaf;

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
};

export type PathStep =
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

/** A metadata test in normal form. */
export type TestDefinition = {
  /** Entity types in scope, each once, in the order of the text. */
  readonly types: readonly string[];
  readonly conditions: Predicate;
  readonly rules: Predicate;
  readonly actions: { readonly passing: readonly Action[]; readonly failing: readonly Action[] };
};

/** Every leaf below a predicate, in the order of the text. */
export function* leavesOf(predicate: Predicate): Generator<Leaf> {
  if (predicate.kind === 'Leaf') yield predicate;
  else for (const operand of predicate.operands) yield* leavesOf(operand);
}
