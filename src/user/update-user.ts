import type { JsonValue } from '../aspect/json.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { requireUser } from './require-user.ts';

export type UpdateUserInput = {
  readonly urn: string;
  readonly displayName?: string | null;
  readonly title?: string | null;
  readonly aboutMe?: string | null;
  readonly teams?: readonly string[] | null;
  readonly skills?: readonly string[] | null;
  readonly pictureLink?: string | null;
  readonly slack?: string | null;
  readonly phone?: string | null;
  readonly email?: string | null;
  readonly platformUrns?: readonly string[] | null;
  readonly personaUrn?: string | null;
};

/** How the members of the input are called in `corpUserEditableInfo`. */
const storedNames = {
  displayName: 'displayName',
  title: 'title',
  aboutMe: 'aboutMe',
  teams: 'teams',
  skills: 'skills',
  pictureLink: 'pictureLink',
  slack: 'slack',
  phone: 'phone',
  email: 'email',
  platformUrns: 'platforms',
  personaUrn: 'persona',
} as const satisfies Partial<Record<keyof UpdateUserInput, string>>;

/**
 * Changes what a user is shown as; users may change themselves. What was ingested is kept apart, and what is absent stays.
 * Answers the user's URN.
 */
export const updateUser: Command<UpdateUserInput, Urn> = {
  name: 'updateCorpUserProperties',
  demands({ urn }, { actor }) {
    const user = parseUrn(urn);
    return user === actor
      ? []
      : [{ anyOf: ['EDIT_ENTITY', 'EDIT_USER_PROFILE', 'MANAGE_USERS_AND_GROUPS'], on: user }];
  },
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    await requireUser(view, urn);
    for (const platform of input.platformUrns ?? []) {
      if (urnType(parseUrn(platform)) !== 'dataPlatform') {
        throw new PostilError('BAD_REQUEST', `platformUrns: ${platform} is not the urn of a data platform.`);
      }
    }
    if (typeof input.personaUrn === 'string') parseUrn(input.personaUrn);
    const changes = Object.entries(storedNames).flatMap(([name, stored]): [string, JsonValue][] => {
      const value = Object.entries(input).find(([given]) => given === name)?.[1];
      return value === null || value === undefined ? [] : [[stored, value]];
    });
    const draft = await draftAspects(view, [urn], ['corpUserEditableInfo']);
    if (changes.length > 0) {
      const before = draft.body(urn, 'corpUserEditableInfo');
      draft.put(urn, 'corpUserEditableInfo', { ...before, ...Object.fromEntries(changes) });
    }
    return { writes: draft.writes(), result: urn };
  },
};
