import { attachToAll, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { tagLabel } from './tag-label.ts';

export type BatchAddTagsInput = {
  readonly tagUrns: readonly string[];
  readonly resources: readonly (ResourceRef | null)[];
};

/** Attaches tags to several entities and columns, all or nothing, every change kept (contract section 7.14). */
export const batchAddTags: Command<BatchAddTagsInput, true> = {
  name: 'batchAddTags',
  demands: ({ tagUrns: labels, resources }) => labellingDemands(tagLabel, { labels, resources }),
  decide: (view, { tagUrns: labels, resources }, context) =>
    attachToAll(tagLabel, view, { labels, resources }, context),
};
