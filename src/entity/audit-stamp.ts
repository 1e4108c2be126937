import type { JsonObject } from '../aspect/json.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import { referredEntity } from './graphql-types.ts';
import type { EntityValue } from './graphql-types.ts';
import { integerIn, objectIn, textIn } from './stored-member.ts';

/** The GraphQL type `AuditStamp` (contract section 10.8). */
export type AuditStampValue = { readonly time: number; readonly actor: string | null };

const unknown: AuditStampValue = { time: 0, actor: null };

/** A stored stamp, or time 0 without an actor when there is none. */
export function auditStampIn(body: JsonObject | undefined, member: string): AuditStampValue {
  return optionalAuditStampIn(body, member) ?? unknown;
}

/** A stored stamp, or `null` when there is none. */
export function optionalAuditStampIn(body: JsonObject | undefined, member: string): AuditStampValue | null {
  const stamp = objectIn(body, member);
  return stamp === undefined ? null : { time: integerIn(stamp, 'time') ?? 0, actor: textIn(stamp, 'actor') };
}

/** The GraphQL type `ResolvedAuditStamp`: the actor as an entity, if it is a user. */
export function resolvedAuditStamp(stamp: { readonly time: number; readonly actor: string }): {
  readonly time: number;
  readonly actor: EntityValue | null;
} {
  const isUser = isUrn(stamp.actor) && urnType(stamp.actor) === 'corpuser';
  return { time: stamp.time, actor: isUser ? (referredEntity(stamp.actor) ?? null) : null };
}
