import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { removing } from './term-associations.ts';
import { aspectsRead, changeTarget, demandOf, resourcesOf, type TermTarget } from './term-target.ts';

export type RemoveTermInput = TermTarget & { readonly termUrn: string };

/**
 * Detaches a term from an entity or a column. The term itself need not exist, so what was deleted long ago can be
 * detached; `false`, without an error, for the URN of anything but a term (contract section 7.6).
 */
export const removeTerm: Command<RemoveTermInput, boolean> = {
  name: 'removeTerm',
  demands(input) {
    parseUrn(input.termUrn);
    return resourcesOf([input]).map(demandOf);
  },
  async decide(view, input, { caller, now }) {
    const term = parseUrn(input.termUrn);
    const resources = resourcesOf([input]);
    const urns = resources.map(({ urn }) => urn);
    const existing = await view.existing(urns);
    const draft = await draftAspects(view, urns, aspectsRead(resources));
    const change = removing(new Set([term]), { time: now, actor: caller.actor });
    for (const resource of resources) changeTarget(draft, resource, existing, change, true);
    return urnType(term) === 'glossaryTerm'
      ? { writes: draft.writes(), result: true }
      : { writes: [], result: false };
  },
};
