import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';

/** Who is excused from a test or from one of its rules, why, and until when (metadata-tests specification 3.13). */
export type Exemption = {
  readonly id: string;
  /** Either one entity, or a predicate of the test language that says which. */
  readonly entity?: Urn;
  readonly filter?: JsonValue;
  /** Id of a rule; absent: the whole test. */
  readonly rule?: string;
  readonly reason: string;
  readonly requestedBy: string;
  /** Absent: it is only asked for, and excuses nobody. */
  readonly approvedBy?: string;
  /** Milliseconds since the Unix epoch, both of them; it holds from the first until right before the second. */
  readonly createdAt: number;
  /** Absent only where an administrator allowed it to be without end. */
  readonly expires?: number;
};

export const exemptionStatuses = ['PENDING', 'ACTIVE', 'EXPIRING', 'EXPIRED'] as const;

/** EXPIRING is active, and ends within two weeks. */
export type ExemptionStatus = (typeof exemptionStatuses)[number];

/** How long before its end an exemption is listed as one that expires. */
const expiringMs = 14 * 24 * 3_600_000;

export function exemptionStatus({ approvedBy, expires }: Exemption, now: number): ExemptionStatus {
  if (expires !== undefined && expires <= now) return 'EXPIRED';
  if (approvedBy === undefined) return 'PENDING';
  return expires !== undefined && expires <= now + expiringMs ? 'EXPIRING' : 'ACTIVE';
}

/** What the body of an aspect `testExemptions` holds; entries that do not have the form are left out. */
export function exemptionsOf(body: JsonObject | undefined): readonly Exemption[] {
  const list = body?.['exemptions'];
  return (Array.isArray(list) ? (list as readonly JsonValue[]) : []).flatMap(
    (entry) => exemptionOf(entry) ?? [],
  );
}

function exemptionOf(entry: JsonValue): Exemption | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { id, entity, filter, rule, reason, requestedBy, approvedBy, createdAt, expires } = entry;
  if (typeof id !== 'string' || typeof requestedBy !== 'string' || typeof createdAt !== 'number') {
    return undefined;
  }
  return {
    id,
    ...(isUrn(entity) ? { entity } : {}),
    ...(filter === undefined || filter === null ? {} : { filter }),
    ...(typeof rule === 'string' ? { rule } : {}),
    reason: typeof reason === 'string' ? reason : '',
    requestedBy,
    ...(typeof approvedBy === 'string' ? { approvedBy } : {}),
    createdAt,
    ...(typeof expires === 'number' ? { expires } : {}),
  };
}
