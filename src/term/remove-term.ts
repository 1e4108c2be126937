import { detach, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { termLabel } from './term-label.ts';

export type RemoveTermInput = ResourceRef & { readonly termUrn: string };

/**
 * Detaches a term from an entity or a column. The term itself need not exist, so what was deleted long ago can be
 * detached; `false`, without an error, for the URN of anything but a term (contract section 7.6).
 */
export const removeTerm: Command<RemoveTermInput, boolean> = {
  name: 'removeTerm',
  demands: (input) => labellingDemands(termLabel, { labels: [input.termUrn], resources: [input] }),
  decide: (view, input, context) =>
    detach(termLabel, view, { label: input.termUrn, resource: input }, context),
};
