import { jsonEqual } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { addLink, type AddLinkInput } from './add-link.ts';
import { checkLinkUrl, isLink, linkDemands, readLinks, settingsMember } from './link-memory.ts';

export type UpsertLinkInput = AddLinkInput;

/** Adds a related link, or replaces the settings of the one with the same url and label; without settings it stays. */
export const upsertLink: Command<UpsertLinkInput, true> = {
  name: 'upsertLink',
  demands: (input) => linkDemands(input.resourceUrn),
  async decide(view, input, context) {
    const { linkUrl, label, resourceUrn, settings } = input;
    const resource = parseUrn(resourceUrn);
    checkLinkUrl(resource, linkUrl);
    const links = await readLinks(view, resource);
    if (!links.elements.some((element) => isLink(element, linkUrl, label))) {
      return addLink.decide(view, input, context);
    }
    const member = settingsMember(settings);
    const updateStamp = { time: context.now, actor: context.caller.actor };
    const changed = links.elements.map((element) => {
      const isKept = member.settings === undefined || jsonEqual(element['settings'], member.settings);
      return isKept || !isLink(element, linkUrl, label) ? element : { ...element, ...member, updateStamp };
    });
    if (changed.some((element, index) => element !== links.elements[index])) links.put(changed);
    return { writes: links.writes(), result: true };
  },
};
