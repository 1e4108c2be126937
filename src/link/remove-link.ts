import type { Command } from '../command/command.ts';
import { parseUrn } from '../urn/urn.ts';
import { linkDemands, readLinks } from './link-memory.ts';

export type RemoveLinkInput = {
  readonly linkUrl: string;
  /** Absent: every link with the url goes, whatever its label. */
  readonly label?: string | null;
  readonly resourceUrn: string;
};

/** Removes related links; what is not there is nothing to remove (contract section 7.13). */
export const removeLink: Command<RemoveLinkInput, true> = {
  name: 'removeLink',
  demands: (input) => linkDemands(input.resourceUrn),
  async decide(view, { linkUrl, label, resourceUrn }) {
    const links = await readLinks(view, parseUrn(resourceUrn));
    const kept = links.elements.filter(
      (element) =>
        element['url'] !== linkUrl || (typeof label === 'string' && element['description'] !== label),
    );
    if (kept.length < links.elements.length) links.put(kept);
    return { writes: links.writes(), result: true };
  },
};
