import type { FieldResolver, PreserialisedResolver } from './resolver.ts';

/** What a request brings: coerced variables, and the values of the literals that were lifted out of its document. */
export type RequestValues = {
  readonly variables: { readonly [name: string]: unknown };
  readonly literals: readonly string[];
};

/** The arguments of a field: the same for every request, or made of its values. Reading throws BAD_REQUEST. */
export type ArgumentsPlan =
  | { readonly isConstant: true; readonly value: unknown }
  | { readonly isConstant: false; readonly read: (values: RequestValues) => unknown };

/** How a resolved value becomes JSON text. */
export type Completion = LeafCompletion | ListCompletion | ObjectCompletion | AbstractCompletion;

type CompletionOf<Kind extends string> = {
  readonly kind: Kind;
  readonly isNonNull: boolean;
  /** The type as it is written in SDL, without `!` at the end; for messages. */
  readonly typeText: string;
};

export type LeafCompletion = CompletionOf<'leaf'> & {
  /** Throws when the value does not belong to the type. */
  readonly write: (value: unknown) => string;
};
export type ListCompletion = CompletionOf<'list'> & { readonly item: Completion };
export type ObjectCompletion = CompletionOf<'object'> & { readonly selection: SelectionPlan };
export type AbstractCompletion = CompletionOf<'abstract'> & {
  /** `undefined`: the value's `__typename` tells. */
  readonly resolveType: FieldResolver | undefined;
  /** The selection on one of the possible object types, compiled when first needed; `undefined` for any other name. */
  readonly selectionOf: (typeName: string) => SelectionPlan | undefined;
};

export type FieldPlan = {
  readonly responseKey: string;
  readonly name: string;
  readonly parentTypeName: string;
  /** `{"key":` for the first field of an object, `,"key":` for the others. */
  readonly prefix: string;
  /** Where the field stands, once for each place it was merged from: offsets in the key of the document. */
  readonly offsets: readonly number[];
  readonly hasArguments: boolean;
  /** The whole text of the field where it is always the same (`__typename`). */
  readonly constantText: string | undefined;
  /** `undefined`: the property of the field's name. */
  readonly resolve: FieldResolver | undefined;
  readonly preserialised: PreserialisedResolver | undefined;
  readonly arguments: ArgumentsPlan;
  readonly completion: Completion;
};

/** The fields of one object type in the order of the answer; fragments, directives and duplicates are gone. */
export type SelectionPlan = { readonly typeName: string; readonly fields: readonly FieldPlan[] };

export type OperationPlan = { readonly isSerial: boolean; readonly selection: SelectionPlan };
