import { attach, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { termLabel } from './term-label.ts';

export type AddTermsInput = ResourceRef & { readonly termUrns: readonly string[] };

/** Attaches terms to an entity or a column; what is attached already stays as it is (contract section 7.3). */
export const addTerms: Command<AddTermsInput, true> = {
  name: 'addTerms',
  demands: (input) => labellingDemands(termLabel, labellingOf(input)),
  decide: (view, input, context) => attach(termLabel, view, labellingOf(input), context),
};

function labellingOf(input: AddTermsInput): { labels: readonly string[]; resources: readonly ResourceRef[] } {
  return { labels: input.termUrns, resources: [input] };
}
