import { detachFromAll, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { termLabel } from './term-label.ts';

export type BatchRemoveTermsInput = {
  readonly termUrns: readonly string[];
  readonly resources: readonly (ResourceRef | null)[];
};

/**
 * Detaches terms from several entities and columns, all or nothing. Terms are not looked up: what is not attached, or is
 * no term at all, is nothing to detach (contract section 7.7).
 */
export const batchRemoveTerms: Command<BatchRemoveTermsInput, true> = {
  name: 'batchRemoveTerms',
  demands: ({ termUrns: labels, resources }) => labellingDemands(termLabel, { labels, resources }),
  decide: (view, { termUrns: labels, resources }, context) =>
    detachFromAll(termLabel, view, { labels, resources }, context),
};
