import type { JsonObject } from '../aspect/json.ts';
import { auditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import { referredEntity, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import {
  filledTextIn,
  integerIn,
  knownTextIn,
  listIn,
  objectIn,
  objectsIn,
  textIn,
} from '../entity/stored-member.ts';

/** What `incidentInfo` says, by the fields of the GraphQL type `Incident`. */
export type IncidentInfo = {
  readonly incidentType: string;
  readonly customType: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly incidentStatus: IncidentStatus;
  readonly priority: string | null;
  readonly assignees: readonly EntityValue[] | null;
  readonly entity: EntityValue | null;
  readonly source: object | null;
  readonly startedAt: number | null;
  readonly created: AuditStampValue;
};

type IncidentStatus = {
  readonly state: string;
  readonly stage: string | null;
  readonly message: string | null;
  readonly lastUpdated: AuditStampValue;
};

const incidentTypes: ReadonlySet<string> = new Set([
  'FRESHNESS',
  'VOLUME',
  'FIELD',
  'SQL',
  'DATA_SCHEMA',
  'OPERATIONAL',
  'CUSTOM',
]);
const stages: ReadonlySet<string> = new Set([
  'TRIAGE',
  'INVESTIGATION',
  'WORK_IN_PROGRESS',
  'FIXED',
  'NO_ACTION_REQUIRED',
]);
const sourceTypes: ReadonlySet<string> = new Set(['MANUAL', 'ASSERTION_FAILURE']);

/** Priorities are stored as numbers, the most urgent is 0. */
const priorities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;

/** Reads an `incidentInfo` body. Kinds that are not known are custom ones, which say in their own words what they are. */
export function incidentInfo(body: JsonObject): IncidentInfo {
  const type = textIn(body, 'type');
  const isKnown = type !== null && incidentTypes.has(type);
  return {
    incidentType: isKnown ? type : 'CUSTOM',
    customType: textIn(body, 'customType') ?? (isKnown ? null : type),
    title: textIn(body, 'title'),
    description: textIn(body, 'description'),
    incidentStatus: statusOf(objectIn(body, 'status')),
    priority: priorities[integerIn(body, 'priority') ?? -1] ?? null,
    assignees: assigneesOf(body),
    entity: referredEntity(listIn(body, 'entities')[0]) ?? null,
    source: sourceOf(objectIn(body, 'source')),
    startedAt: integerIn(body, 'startedAt'),
    created: auditStampIn(body, 'created'),
  };
}

function statusOf(status: JsonObject | undefined): IncidentStatus {
  return {
    state: textIn(status, 'state') === 'RESOLVED' ? 'RESOLVED' : 'ACTIVE',
    stage: knownTextIn(status, 'stage', stages),
    message: filledTextIn(status, 'message'),
    lastUpdated: auditStampIn(status, 'lastUpdated'),
  };
}

function assigneesOf(body: JsonObject): readonly EntityValue[] | null {
  if (body['assignees'] === undefined) return null;
  return objectsIn(body, 'assignees').flatMap(
    (assignee) =>
      referredEntityIn(assignee, 'actor', 'corpuser') ??
      referredEntityIn(assignee, 'actor', 'corpGroup') ??
      [],
  );
}

function sourceOf(source: JsonObject | undefined): object | null {
  const type = knownTextIn(source, 'type', sourceTypes);
  return type === null ? null : { type, source: referredEntity(source?.['sourceUrn']) ?? null };
}
