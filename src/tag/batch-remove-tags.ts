import { detachFromAll, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { tagLabel } from './tag-label.ts';

export type BatchRemoveTagsInput = {
  readonly tagUrns: readonly string[];
  readonly resources: readonly (ResourceRef | null)[];
};

/**
 * Detaches tags from several entities and columns, all or nothing. Tags are not looked up: what is not attached, or is
 * no tag at all, is nothing to detach (contract section 7.14).
 */
export const batchRemoveTags: Command<BatchRemoveTagsInput, true> = {
  name: 'batchRemoveTags',
  demands: ({ tagUrns: labels, resources }) => labellingDemands(tagLabel, { labels, resources }),
  decide: (view, { tagUrns: labels, resources }, context) =>
    detachFromAll(tagLabel, view, { labels, resources }, context),
};
