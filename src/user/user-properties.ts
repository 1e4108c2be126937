import type { JsonObject } from '../aspect/json.ts';
import { referredEntities, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { booleanIn, integerIn, listIn, textIn, textsIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL types `CorpUserProperties` and `CorpUserInfo`. */
export type UserProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly active: boolean;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly manager: EntityValue | null;
  readonly departmentId: number | null;
  readonly departmentName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fullName: string | null;
  readonly countryCode: string | null;
};

/** What `corpUserInfo` says. */
export function userProperties(body: JsonObject, urn: Urn): UserProperties {
  return {
    urn,
    body,
    active: booleanIn(body, 'active') ?? false,
    displayName: textIn(body, 'displayName'),
    email: textIn(body, 'email'),
    title: textIn(body, 'title'),
    manager: referredEntityIn(body, 'managerUrn', 'corpuser') ?? null,
    departmentId: integerIn(body, 'departmentId'),
    departmentName: textIn(body, 'departmentName'),
    firstName: textIn(body, 'firstName'),
    lastName: textIn(body, 'lastName'),
    fullName: textIn(body, 'fullName'),
    countryCode: textIn(body, 'countryCode'),
  };
}

/** The GraphQL types `CorpUserEditableProperties` and `CorpUserEditableInfo`. */
export type EditableUserProperties = {
  readonly displayName: string | null;
  readonly title: string | null;
  readonly aboutMe: string | null;
  readonly teams: readonly string[] | null;
  readonly skills: readonly string[] | null;
  readonly pictureLink: string | null;
  readonly slack: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly platforms: readonly EntityValue[] | null;
};

/** What `corpUserEditableInfo` says. */
export function editableUserProperties(body: JsonObject): EditableUserProperties {
  return {
    displayName: textIn(body, 'displayName'),
    title: textIn(body, 'title'),
    aboutMe: textIn(body, 'aboutMe'),
    teams: textsIn(body, 'teams'),
    skills: textsIn(body, 'skills'),
    pictureLink: textIn(body, 'pictureLink'),
    slack: textIn(body, 'slack'),
    phone: textIn(body, 'phone'),
    email: textIn(body, 'email'),
    platforms:
      body['platforms'] === undefined ? null : referredEntities(listIn(body, 'platforms'), 'dataPlatform'),
  };
}

/** The GraphQL types `CorpGroupProperties` and `CorpGroupInfo`. */
export type GroupProperties = {
  readonly displayName: string | null;
  readonly description: string | null;
  readonly email: string | null;
  readonly slack: string | null;
  readonly admins: readonly EntityValue[];
  readonly members: readonly EntityValue[];
  readonly groups: readonly string[] | null;
};

/** What `corpGroupInfo` says. */
export function groupProperties(body: JsonObject): GroupProperties {
  return {
    displayName: textIn(body, 'displayName'),
    description: textIn(body, 'description'),
    email: textIn(body, 'email'),
    slack: textIn(body, 'slack'),
    admins: referredEntities(listIn(body, 'admins'), 'corpuser'),
    members: referredEntities(listIn(body, 'members'), 'corpuser'),
    groups: textsIn(body, 'groups'),
  };
}
