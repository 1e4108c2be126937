import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import {
  checkLinkUrl,
  isLink,
  linkDemands,
  readLinks,
  settingsMember,
  type LinkSettings,
} from './link-memory.ts';

export type AddLinkInput = {
  readonly linkUrl: string;
  readonly label: string;
  readonly resourceUrn: string;
  readonly settings?: LinkSettings | null;
};

/** Adds a related link; the same url with the same label is there once (contract section 7.13). */
export const addLink: Command<AddLinkInput, true> = {
  name: 'addLink',
  demands: (input) => linkDemands(input.resourceUrn),
  async decide(view, { linkUrl, label, resourceUrn, settings }, { caller, now }) {
    const resource = parseUrn(resourceUrn);
    checkLinkUrl(resource, linkUrl);
    const links = await readLinks(view, resource);
    if (links.elements.some((element) => isLink(element, linkUrl, label)))
      return { writes: [], result: true };
    const createStamp = { time: now, actor: caller.actor };
    links.put([
      ...links.elements,
      { url: linkUrl, description: label, createStamp, ...settingsMember(settings) },
    ]);
    return { writes: links.writes(), result: true };
  },
};
