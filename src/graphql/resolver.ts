import type { RequestContext } from './request-context.ts';

/** Where in the answer something stands, from the inside out: response keys (aliases) and list indexes. */
export type ResponsePath = {
  readonly previous: ResponsePath | undefined;
  readonly key: string | number;
};

/** What a resolver may know about the place it is called at. */
export type FieldInfo = {
  readonly fieldName: string;
  readonly path: ResponsePath;
};

/**
 * Gives the value of one field. `source` is the value of the object the field belongs to, `args` the coerced arguments with
 * defaults filled in; callers never change either. A plain value is faster than a promise, so answer at once where possible.
 * Throws PostilError for what is expected to go wrong; anything else is masked.
 */
export type FieldResolver<Source = unknown, Args = unknown> = {
  // A method's parameters are compared both ways, so resolvers with narrower sources and arguments fit in one table.
  call(source: Source, args: Args, context: RequestContext, info: FieldInfo): unknown;
}['call'];

/** One field of a compiled selection, as far as a resolver may care. */
export type SelectedField = {
  readonly responseKey: string;
  readonly name: string;
  /** Whether arguments are written in the document. */
  readonly hasArguments: boolean;
  /** Absent for leaves. */
  readonly selection: SelectionSignature | undefined;
};

/**
 * What is selected of an object, fragments merged and directives applied. `text` is the same in one line, for comparison:
 * `fieldPath description: about type(...) { name }`; a selection on an interface or union is written `?` and has no fields.
 */
export type SelectionSignature = {
  readonly text: string;
  readonly fields: readonly SelectedField[];
};

/**
 * Gives the JSON text of a whole field, `null` included, or `undefined` where it has none: then the field is resolved and
 * written as usual. The text is trusted to have exactly the selected members in the selected order.
 */
export type PreserialisedResolver<Source = unknown, Args = unknown> = {
  call(source: Source, args: Args, context: RequestContext): Promise<string | undefined> | string | undefined;
}['call'];

export type ResolverRecord<Source = unknown, Args = unknown> = {
  readonly resolve: FieldResolver<Source, Args>;
  /**
   * The answer depends on more than aspects, fragments and existence read through the context's loader: on the caller,
   * the time, lists, relationships. Answers that contain such a field are never kept.
   */
  readonly isVolatile?: boolean;
  /** Asked once when a document is compiled: can this selection be answered from a pre-serialised piece, and how? */
  readonly preserialised?: (selection: SelectionSignature) => PreserialisedResolver<Source, Args> | undefined;
};

/**
 * The resolvers of a slice, by type and field. A field without one is the property of that name. For an interface or union,
 * `__resolveType` is given the value and gives the name of its object type; without it the value's `__typename` is taken.
 */
export type Resolvers = {
  readonly [type: string]: { readonly [field: string]: FieldResolver | ResolverRecord };
};
