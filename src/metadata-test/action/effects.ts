import type { Action, TestDefinition } from '../predicate.ts';
import { ownerKindOf } from './owner-kind.ts';

/** For which verdict actions are taken. */
export type ActionSide = 'passing' | 'failing';

export const actionSides: readonly ActionSide[] = ['passing', 'failing'];

/** Aspect and list that an action works on, and the member of an element that names what is in the list. */
export type ActionTarget = {
  readonly aspect: string;
  readonly kind:
    | 'tags'
    | 'terms'
    | 'owners'
    | 'domain'
    | 'dataProduct'
    | 'structuredProperty'
    | 'deprecation';
};

/** What one action of a definition does to the entities that it is done to, as far as the definition alone tells. */
export type ActionEffect = ActionTarget & {
  readonly side: ActionSide;
  /** Whether something is there afterwards, or is not. */
  readonly gives: boolean;
  /** What is added, set or removed: URNs; of a structured property its values. Empty for `unset_...` and deprecation. */
  readonly values: readonly string[];
  /** Of a structured property, its URN; of owners, the URN of the type they are added as. */
  readonly key: string | undefined;
  /** JSON pointer to the action. */
  readonly pointer: string;
  /** Id of the action. */
  readonly action: string;
};

const targets: { readonly [prefix: string]: ActionTarget | undefined } = {
  tags: { aspect: 'globalTags', kind: 'tags' },
  glossary_terms: { aspect: 'glossaryTerms', kind: 'terms' },
  owners: { aspect: 'ownership', kind: 'owners' },
  domain: { aspect: 'domains', kind: 'domain' },
  data_product: { aspect: 'dataProductProperties', kind: 'dataProduct' },
  structured_property: { aspect: 'structuredProperties', kind: 'structuredProperty' },
  deprecate: { aspect: 'deprecation', kind: 'deprecation' },
};

/** What an action works on; `undefined` for actions that are kept and not applied (forms). */
export function targetOfAction(id: string): ActionTarget | undefined {
  const what = id.replace(/^(add|remove|set|unset|un)_/, '');
  return Object.hasOwn(targets, what) ? targets[what] : undefined;
}

/** Whether the action gives something rather than taking it away. */
export function isGiving(id: string): boolean {
  return /^(add_|set_|deprecate$)/.test(id);
}

/** Every effect of a definition, in the order of the text. Forms, which are not applied, have none. */
export function effectsOf(definition: TestDefinition): readonly ActionEffect[] {
  return actionSides.flatMap((side) =>
    definition.actions[side].flatMap((action, index) => {
      const effect = effectOf(action, side, `/actions/${side}/${index}`);
      return effect === undefined ? [] : [effect];
    }),
  );
}

function effectOf(action: Action, side: ActionSide, pointer: string): ActionEffect | undefined {
  const target = targetOfAction(action.type);
  if (target === undefined) return undefined;
  const [first, ...rest] = action.values;
  const namesProperty = target.kind === 'structuredProperty';
  const gives = isGiving(action.type);
  return {
    ...target,
    side,
    gives,
    values: namesProperty ? rest : action.values,
    key: namesProperty ? first : target.kind === 'owners' && gives ? ownerKindOf(action).typeUrn : undefined,
    pointer,
    action: action.type,
  };
}
