import { detach, labellingDemands } from '../association/label-decisions.ts';
import type { ResourceRef } from '../association/resource.ts';
import type { Command } from '../command/command.ts';
import { tagLabel } from './tag-label.ts';

export type RemoveTagInput = ResourceRef & { readonly tagUrn: string };

/**
 * Detaches a tag from an entity or a column. The tag itself need not exist, so what was deleted long ago can be
 * detached; `false`, without an error, for the URN of anything but a tag (contract section 7.14).
 */
export const removeTag: Command<RemoveTagInput, boolean> = {
  name: 'removeTag',
  demands: (input) => labellingDemands(tagLabel, { labels: [input.tagUrn], resources: [input] }),
  decide: (view, input, context) => detach(tagLabel, view, { label: input.tagUrn, resource: input }, context),
};
