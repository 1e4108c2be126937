import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { adding } from './term-associations.ts';
import {
  aspectsRead,
  changeTarget,
  checkTerm,
  demandOf,
  resourcesOf,
  type TermTarget,
} from './term-target.ts';

export type AddTermsInput = TermTarget & { readonly termUrns: readonly string[] };

/** Attaches terms to an entity or a column; what is attached already stays as it is (contract section 7.3). */
export const addTerms: Command<AddTermsInput, true> = {
  name: 'addTerms',
  demands(input) {
    for (const term of input.termUrns) parseUrn(term);
    return resourcesOf([input]).map(demandOf);
  },
  async decide(view, input, { caller, now }) {
    const terms = input.termUrns.map(parseUrn);
    const resources = resourcesOf([input]);
    const urns = resources.map(({ urn }) => urn);
    const existing = await view.existing([...terms, ...urns]);
    const draft = await draftAspects(view, urns, aspectsRead(resources));
    // The order of DataHub: the first term, the resource, the other terms.
    const [first, ...others] = terms;
    if (first !== undefined) checkTerm(first, existing);
    const change = adding(terms, { time: now, actor: caller.actor });
    for (const resource of resources) changeTarget(draft, resource, existing, change);
    for (const term of others) checkTerm(term, existing);
    return { writes: draft.writes(), result: true };
  },
};
