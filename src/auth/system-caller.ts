import { parseUrn } from '../urn/urn.ts';
import type { Caller } from './caller.ts';
import { privileges } from './privilege.ts';

/** The service itself: at its start, and on a command line that has the store's folder, which is every right there is. */
export const systemCaller: Caller = {
  actor: parseUrn('urn:li:corpuser:__datahub_system'),
  privileges: new Set(privileges),
  tokenId: undefined,
};
