import { attachToAll, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { termLabel } from './term-label.ts';

export type BatchAddTermsInput = {
  readonly termUrns: readonly string[];
  readonly resources: readonly (ResourceRef | null)[];
};

/** Attaches terms to several entities and columns, all or nothing, every change kept (contract section 7.5). */
export const batchAddTerms: Command<BatchAddTermsInput, true> = {
  name: 'batchAddTerms',
  demands: ({ termUrns: labels, resources }) => labellingDemands(termLabel, { labels, resources }),
  decide: (view, { termUrns: labels, resources }, context) =>
    attachToAll(termLabel, view, { labels, resources }, context),
};
