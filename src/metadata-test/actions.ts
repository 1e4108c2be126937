import { carries } from './property-catalogue.ts';

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
  /** What it is done to: types that DataHub names, and the aspect that changes; absent when it can be anything. */
  readonly on?: { readonly types: readonly string[]; readonly aspect?: string };
};

const dataAssets = ['dataset', 'dashboard', 'chart', 'dataJob', 'dataFlow', 'container'] as const;
const products = [...dataAssets, 'dataProduct'] as const;
const all = [...products, 'glossaryTerm', 'glossaryNode', 'domain'] as const;

const on = {
  tags: { types: products, aspect: 'globalTags' },
  terms: { types: products, aspect: 'glossaryTerms' },
  owners: { types: all, aspect: 'ownership' },
  domain: { types: all, aspect: 'domains' },
  dataProduct: { types: dataAssets },
  structuredProperty: { types: all, aspect: 'structuredProperties' },
  deprecation: { types: all, aspect: 'deprecation' },
} as const;

const tags: ActionKind = { least: 1, most: Infinity, valueTypes: ['tag'], on: on.tags };
const terms: ActionKind = { least: 1, most: Infinity, valueTypes: ['glossaryTerm'], on: on.terms };
const owners: ActionKind = { least: 1, most: Infinity, valueTypes: ['corpuser', 'corpGroup'], on: on.owners };
const deprecation: ActionKind = { least: 0, most: 0, valueTypes: [], on: on.deprecation };
const form: ActionKind = { least: 0, most: Infinity, valueTypes: undefined, takesParams: true };

/** The kinds of action by id, in the order of the reference documentation. */
export const actionKinds: { readonly [id: string]: ActionKind | undefined } = {
  add_tags: tags,
  remove_tags: tags,
  add_glossary_terms: terms,
  remove_glossary_terms: terms,
  add_owners: owners,
  remove_owners: owners,
  set_domain: { least: 1, most: 1, valueTypes: ['domain'], on: on.domain },
  unset_domain: { least: 0, most: 0, valueTypes: [], on: on.domain },
  set_data_product: { least: 1, most: 1, valueTypes: ['dataProduct'], on: on.dataProduct },
  unset_data_product: { least: 0, most: 0, valueTypes: [], on: on.dataProduct },
  set_structured_property: {
    least: 2,
    most: Infinity,
    valueTypes: undefined,
    namesProperty: true,
    on: on.structuredProperty,
  },
  unset_structured_property: {
    least: 1,
    most: 1,
    valueTypes: ['structuredProperty'],
    on: on.structuredProperty,
  },
  deprecate: deprecation,
  un_deprecate: deprecation,
  assign_form: form,
  unassign_form: form,
  set_form_prompt_incomplete: form,
};

/** Whether entities of the type can have it done to them: as DataHub says, else if they carry the aspect that changes. */
export function appliesTo({ on: target }: ActionKind, type: string): boolean {
  if (target === undefined || target.types.includes(type)) return true;
  const isKnown = (all as readonly string[]).includes(type);
  return !isKnown && target.aspect !== undefined && carries(type, target.aspect);
}

export function actionKindOf(id: string): ActionKind | undefined {
  return Object.hasOwn(actionKinds, id) ? actionKinds[id] : undefined;
}
