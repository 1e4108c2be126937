import type { AspectReader, Change } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import type { Caller } from './caller.ts';
import type { Policy } from './policy.ts';
import type { Privilege } from './privilege.ts';
import {
  callerWith,
  isRemoved,
  privilegesOfRoles,
  readPolicies,
  rolesIn,
  standingAspects,
  standingOf,
} from './standing.ts';
import { mayBeToken, tokenIdOf, tokenUrnOf } from './token-text.ts';

/** How long an authenticated caller is remembered where other nodes may revoke tokens; with one node, until it changes. */
const sharedStoreMemoryMs = 1_000;
const rememberedCallersMax = 10_000;
/** Last use is noted at most this often per token, outside of any request. */
const lastUseGranularityMs = 60_000;

/** Aspects of a user that decide who a caller is and what they may do. */
const userAspects = ['corpUserKey', 'corpUserStatus', 'status', ...standingAspects] as const;
/** Aspects of a group that decide what its members may do. */
const groupAspects = ['corpGroupKey', 'roleMembership', 'status'] as const;

type Remembered = { readonly caller: Caller; readonly expiresAt: number; readonly until: number };

export type Authenticator = {
  /** The caller whom an Authorization header names; `undefined` for a missing, bad, expired or revoked token. */
  authenticate(header: string | undefined): Promise<Caller | undefined>;
  /** Forgets callers whom these changes may concern; called for every commit before it is answered. */
  forget(changes: readonly Change[]): void;
};

/** Opaque bearer tokens, looked up by their hash in the store (decision 7, reliability section 6). */
export function createAuthenticator(options: {
  readonly reader: AspectReader;
  readonly exclusive: boolean;
  now(): number;
  /** Notes that a token was used; must not block and must not fail the request. */
  noteUse(tokenId: string): void;
}): Authenticator {
  const { reader, now } = options;
  const remembered = new Map<string, Remembered>();
  const noted = new Map<string, number>();
  let policies: { readonly inForce: Promise<readonly Policy[]>; readonly until: number } | undefined;
  let epoch = 0;

  function policiesInForce(time: number): Promise<readonly Policy[]> {
    if (policies === undefined || policies.until <= time) {
      const inForce = readPolicies(reader);
      policies = { inForce, until: rememberedUntil(time) };
      const asked = policies;
      // What could not be read is asked for again.
      inForce.catch(() => {
        if (policies === asked) policies = undefined;
      });
    }
    return policies.inForce;
  }

  function rememberedUntil(time: number): number {
    return options.exclusive ? Number.POSITIVE_INFINITY : time + sharedStoreMemoryMs;
  }

  function noteUse(tokenId: string, time: number): void {
    const last = noted.get(tokenId);
    if (last !== undefined && time - last < lastUseGranularityMs) return;
    noted.set(tokenId, time);
    options.noteUse(tokenId);
  }

  async function look(text: string, time: number): Promise<Caller | undefined> {
    const tokenId = tokenIdOf(text);
    const before = epoch;
    const token = await reader.read(tokenUrnOf(tokenId), ['dataHubAccessTokenInfo']);
    const info = token.get('dataHubAccessTokenInfo')?.body;
    const actor = info?.['actorUrn'];
    const expiresAt = info?.['expiresAt'] ?? Number.POSITIVE_INFINITY;
    if (!isUrn(actor) || typeof expiresAt !== 'number' || expiresAt <= time) return undefined;
    const user = await reader.read(actor, userAspects);
    if (!mayCall(user)) return undefined;
    const standing = await standingOf(reader, actor, user);
    const caller = callerWith(standing, await policiesInForce(time), tokenId);
    if (before === epoch) {
      if (remembered.size >= rememberedCallersMax) remembered.clear();
      remembered.set(text, { caller, expiresAt, until: rememberedUntil(time) });
    }
    noteUse(tokenId, time);
    return caller;
  }

  return {
    async authenticate(header) {
      const text = bearerOf(header);
      if (text === undefined) return undefined;
      const time = now();
      const known = remembered.get(text);
      if (known !== undefined && known.until > time && known.expiresAt > time) {
        if (known.caller.tokenId !== undefined) noteUse(known.caller.tokenId, time);
        return known.caller;
      }
      return mayBeToken(text) ? look(text, time) : undefined;
    },
    forget(changes) {
      if (!changes.some(isDecisive)) return;
      epoch += 1;
      policies = undefined;
      remembered.clear();
    },
  };
}

function isDecisive({ urn, aspect }: Change): boolean {
  switch (urnType(urn)) {
    case 'dataHubAccessToken':
    case 'dataHubPolicy':
      return true;
    case 'corpuser':
      return userAspects.some((each) => each === aspect);
    case 'corpGroup':
      return groupAspects.some((each) => each === aspect);
    default:
      return false;
  }
}

/** Rights end with their owner: a deleted, removed or suspended user's tokens are dead (reliability section 3.1). */
function mayCall(user: EntityAspects): boolean {
  return user.has('corpUserKey') && !isBarred(user);
}

/** Whether a user was removed or suspended; needs the aspects `status` and `corpUserStatus`. */
export function isBarred(user: EntityAspects): boolean {
  return isRemoved(user) || user.get('corpUserStatus')?.body['status'] === 'SUSPENDED';
}

function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ')
    return undefined;
  const text = header.slice(7).trim();
  return text === '' ? undefined : text;
}

/** The privileges of the roles of a user, without those of its groups; needs the aspect `roleMembership`. */
export function privilegesOf(user: EntityAspects): ReadonlySet<Privilege> {
  return privilegesOfRoles(rolesIn(user));
}
