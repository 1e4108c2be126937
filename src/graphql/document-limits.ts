/**
 * What a request may ask for, before anything of it is executed (docs/reference/graphql-limits.md has the same table, and
 * a test compares the two). The numbers admit what DataHub's own clients send.
 */
export const graphqlLimits = {
  /** Names, numbers, strings and punctuators of a document. */
  tokens: 5000,
  /** Braces, brackets and parentheses inside each other, in a document and in the values of variables. */
  nesting: 200,
  /** Fields inside each other, fragments included. */
  fieldDepth: 50,
  /** Aliases among the root fields of the operation. */
  rootAliases: 64,
  /** Aliases in the whole document. */
  aliases: 250,
  /** Directives on one field, fragment or operation. */
  directivesPerPlace: 4,
  /** Directives in the whole document. */
  directives: 50,
  /** Fragment definitions. */
  fragments: 200,
  /** Fragment spreads, inline fragments included. */
  spreads: 500,
  /** Points; see `costOf` in document-cost.ts for the weights. */
  cost: 5000,
  /** Errors of validation that are reported at most. */
  validationErrors: 5,
  /** Entries of one list among the arguments of a mutation. */
  mutationListEntries: 1000,
  /** Entries of all lists among the arguments of a request. */
  listEntries: 10_000,
  /** UTF-8 bytes of a text, by the name of the argument or input member: `urn`, `...Urn`, `...Urns`. */
  urnBytes: 2048,
  /** `name`, `...Name`. */
  nameBytes: 1024,
  /** `description`, `...Description`. */
  descriptionBytes: 262_144,
  /** `url`, `...Url`. */
  urlBytes: 8192,
  /** UTF-8 bytes of an answer. */
  answerBytes: 16_777_216,
  /** How long a query may take, in milliseconds. */
  queryMs: 10_000,
  /** How long a mutation may take, in milliseconds. */
  mutationMs: 5000,
} as const;

export type GraphqlLimits = { readonly [limit in keyof typeof graphqlLimits]: number };
