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

export type BatchAddTermsInput = {
  readonly termUrns: readonly string[];
  readonly resources: readonly (TermTarget | null)[];
};

/** Attaches terms to several entities and columns, all or nothing, every change kept (contract section 7.5). */
export const batchAddTerms: Command<BatchAddTermsInput, true> = {
  name: 'batchAddTerms',
  demands(input) {
    for (const term of input.termUrns) parseUrn(term);
    return resourcesOf(input.resources).map(demandOf);
  },
  async decide(view, input, { caller, now }) {
    const terms = input.termUrns.map(parseUrn);
    const resources = resourcesOf(input.resources);
    const urns = resources.map(({ urn }) => urn);
    const existing = await view.existing([...new Set([...terms, ...urns])]);
    for (const term of terms) checkTerm(term, existing);
    const draft = await draftAspects(view, urns, aspectsRead(resources));
    const change = adding(terms, { time: now, actor: caller.actor });
    for (const resource of resources) changeTarget(draft, resource, existing, change);
    return { writes: draft.writes(), result: true };
  },
};
