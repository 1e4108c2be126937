import { attach, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { tagLabel } from './tag-label.ts';

export type AddTagsInput = ResourceRef & { readonly tagUrns: readonly string[] };

/** Attaches tags to an entity or a column; what is attached already stays as it is (contract section 7.14). */
export const addTags: Command<AddTagsInput, true> = {
  name: 'addTags',
  demands: (input) => labellingDemands(tagLabel, labellingOf(input)),
  decide: (view, input, context) => attach(tagLabel, view, labellingOf(input), context),
};

function labellingOf(input: AddTagsInput): { labels: readonly string[]; resources: readonly ResourceRef[] } {
  return { labels: input.tagUrns, resources: [input] };
}
