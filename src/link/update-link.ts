import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { checkLinkUrl, isLink, linkDemands, readLinks } from './link-memory.ts';

export type UpdateLinkInput = {
  readonly currentUrl: string;
  readonly currentLabel: string;
  readonly linkUrl: string;
  readonly label: string;
  readonly resourceUrn: string;
};

/**
 * Replaces url and label of a related link in its place; who created it and when stays (contract section 7.13). Its
 * settings stay too, because the input cannot say them (decision 15).
 */
export const updateLink: Command<UpdateLinkInput, true> = {
  name: 'updateLink',
  demands: (input) => linkDemands(input.resourceUrn),
  async decide(view, { currentUrl, currentLabel, linkUrl, label, resourceUrn }, { caller, now }) {
    const resource = parseUrn(resourceUrn);
    checkLinkUrl(resource, linkUrl);
    const links = await readLinks(view, resource);
    const current = links.elements.find((element) => isLink(element, currentUrl, currentLabel));
    if (current === undefined) {
      throw new PostilError(
        'BAD_REQUEST',
        `Failed to update the link '${currentUrl}' with label '${currentLabel}'. The link does not exist`,
      );
    }
    if (currentUrl === linkUrl && currentLabel === label) return { writes: [], result: true };
    if (links.elements.some((element) => isLink(element, linkUrl, label))) {
      throw new PostilError('ALREADY_EXISTS', `The link '${linkUrl}' with label '${label}' already exists`);
    }
    const updateStamp = { time: now, actor: caller.actor };
    const updated = { ...current, url: linkUrl, description: label, updateStamp };
    // Ingestion may have stored the link twice; one of them is enough.
    const others = links.elements.filter(
      (element) => element === current || !isLink(element, currentUrl, currentLabel),
    );
    links.put(others.map((element) => (element === current ? updated : element)));
    return { writes: links.writes(), result: true };
  },
};
