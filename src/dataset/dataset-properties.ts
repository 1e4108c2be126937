import type { JsonObject } from '../aspect/json.ts';
import { auditStampIn } from '../entity/audit-stamp.ts';
import type { AuditStampValue } from '../entity/audit-stamp.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { integerIn, objectIn, textIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `DatasetProperties` (contract section 10.2); `body` is kept for members that are made when asked for. */
export type DatasetProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly qualifiedName: string | null;
  readonly description: string | null;
  readonly externalUrl: string | null;
  readonly created: number | null;
  readonly createdActor: string | null;
  readonly lastModified: AuditStampValue;
  readonly lastModifiedActor: string | null;
};

/** The parts of a dataset's URN. Throws INVALID_URN when they do not fit. */
export function datasetKey(urn: Urn): {
  readonly name: string;
  readonly platform: string;
  readonly origin: string;
} {
  const key = keyBodyOf(urn);
  return {
    name: textIn(key, 'name') ?? '',
    platform: textIn(key, 'platform') ?? '',
    origin: textIn(key, 'origin') ?? '',
  };
}

/** What `datasetProperties` says. */
export function datasetProperties(body: JsonObject, urn: Urn): DatasetProperties {
  const created = objectIn(body, 'created');
  const lastModified = auditStampIn(body, 'lastModified');
  return {
    urn,
    body,
    qualifiedName: textIn(body, 'qualifiedName'),
    description: textIn(body, 'description'),
    externalUrl: textIn(body, 'externalUrl'),
    created: integerIn(created, 'time'),
    createdActor: textIn(created, 'actor'),
    lastModified,
    lastModifiedActor: lastModified.actor,
  };
}
