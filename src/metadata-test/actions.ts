/** What a kind of action takes; actions are checked and kept, whoever applies them reads them from the definition. */
export type ActionKind = {
  readonly least: number;
  readonly most: number;
  /** Types the values are URNs of; `undefined` when they are not all URNs. */
  readonly valueTypes: readonly string[] | undefined;
  /** The first value is the URN of a structured property. */
  readonly namesProperty?: true;
  /** Takes parameters of its own instead of values. */
  readonly takesParams?: true;
};

const tags: ActionKind = { least: 1, most: Infinity, valueTypes: ['tag'] };
const terms: ActionKind = { least: 1, most: Infinity, valueTypes: ['glossaryTerm'] };
const owners: ActionKind = { least: 1, most: Infinity, valueTypes: ['corpuser', 'corpGroup'] };
const nothing: ActionKind = { least: 0, most: 0, valueTypes: [] };
const form: ActionKind = { least: 0, most: Infinity, valueTypes: undefined, takesParams: true };

/** The kinds of action by id, in the order of the reference documentation. */
export const actionKinds: { readonly [id: string]: ActionKind | undefined } = {
  add_tags: tags,
  remove_tags: tags,
  add_glossary_terms: terms,
  remove_glossary_terms: terms,
  add_owners: owners,
  remove_owners: owners,
  set_domain: { least: 1, most: 1, valueTypes: ['domain'] },
  unset_domain: nothing,
  set_data_product: { least: 1, most: 1, valueTypes: ['dataProduct'] },
  unset_data_product: nothing,
  set_structured_property: { least: 2, most: Infinity, valueTypes: undefined, namesProperty: true },
  unset_structured_property: { least: 1, most: 1, valueTypes: ['structuredProperty'] },
  deprecate: nothing,
  un_deprecate: nothing,
  assign_form: form,
  unassign_form: form,
  set_form_prompt_incomplete: form,
};

export function actionKindOf(id: string): ActionKind | undefined {
  return Object.hasOwn(actionKinds, id) ? actionKinds[id] : undefined;
}
