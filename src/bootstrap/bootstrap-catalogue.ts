import { firstAdministrator } from '../access-token/prepare-first-administrator.ts';
import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Command } from '../command/command.ts';
import { listIn, objectIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';
import { bootstrapAspects, type BootstrapAspect } from './bootstrap-aspects.ts';
import { bootstrappedVersion, bootstrapVersion, markerWrite } from './bootstrap-marker.ts';

/**
 * Stores what every catalogue has from the beginning, as far as this one was not given it before. What is there stays as it
 * is, and what somebody deleted stays away (decision 28). Answers how many aspects were stored.
 */
export const bootstrapCatalogue: Command<Record<never, never>, number> = {
  name: 'bootstrapCatalogue',
  demands: () => [{ anyOf: ['MANAGE_POLICIES'] }],
  async decide(view, _input, { now }) {
    // Another node may have done it since this one looked.
    const before = await bootstrappedVersion(view);
    if (before >= bootstrapVersion) return { writes: [], result: 0 };
    const isRootAdministrator = await isAdministrator(view, firstAdministrator);
    const wanted = bootstrapAspects(now).filter(
      (each) => each.since > before && (isRootAdministrator || !isAboutRoot(each)),
    );
    const stored = await view.readMany(
      [...new Set(wanted.map(({ urn }) => urn))],
      [...new Set(wanted.map(({ aspect }) => aspect))],
    );
    const missing = wanted.filter(({ urn, aspect }) => stored.get(urn)?.has(aspect) !== true);
    const writes = missing.map(({ urn, aspect, body }) => ({ urn, aspect, body }));
    return { writes: [...writes, markerWrite(now)], result: missing.length };
  },
};

async function isAdministrator(view: Pick<AspectReader, 'read'>, user: Urn): Promise<boolean> {
  const membership = (await view.read(user, ['roleMembership'])).get('roleMembership');
  return listIn(membership?.body, 'roles').includes('urn:li:dataHubRole:Admin');
}

/** In a catalogue that took the first user's rights away, or the user, nothing gives them back. */
function isAboutRoot({ urn, body }: BootstrapAspect): boolean {
  return urn === firstAdministrator || listIn(objectIn(body, 'actors'), 'users').includes(firstAdministrator);
}
