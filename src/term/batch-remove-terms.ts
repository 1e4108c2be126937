import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { removing } from './term-associations.ts';
import { aspectsRead, changeTarget, demandOf, resourcesOf, type TermTarget } from './term-target.ts';

export type BatchRemoveTermsInput = {
  readonly termUrns: readonly string[];
  readonly resources: readonly (TermTarget | null)[];
};

/**
 * Detaches terms from several entities and columns, all or nothing. Terms are not looked up: what is not attached, or is
 * no term at all, is nothing to detach (contract section 7.7).
 */
export const batchRemoveTerms: Command<BatchRemoveTermsInput, true> = {
  name: 'batchRemoveTerms',
  demands(input) {
    for (const term of input.termUrns) parseUrn(term);
    return resourcesOf(input.resources).map(demandOf);
  },
  async decide(view, input, { caller, now }) {
    const resources = resourcesOf(input.resources);
    const urns = resources.map(({ urn }) => urn);
    const existing = await view.existing([...new Set(urns)]);
    const draft = await draftAspects(view, urns, aspectsRead(resources));
    const terms = new Set(input.termUrns.map(parseUrn));
    const change = removing(terms, { time: now, actor: caller.actor });
    for (const resource of resources) changeTarget(draft, resource, existing, change, true);
    return { writes: draft.writes(), result: true };
  },
};
