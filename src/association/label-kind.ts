import type { Demand } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';
import type { ErrorCode } from '../errors/postil-error.ts';
import { namesColumn, type Resource } from './resource.ts';

/** A kind of entity that is attached to others as a label, to columns as well (contract sections 7.3 and 7.14). */
export type LabelKind = {
  readonly entityType: string;
  /** Of entities the aspect, of columns the member, whose `list` holds objects that name the label in `reference`. */
  readonly aspect: string;
  readonly list: string;
  readonly reference: string;
  /** Whether the aspect says who changed it last. */
  readonly isStamped: boolean;
  /** Of a label that does not exist. */
  readonly missing: ErrorCode;
  readonly privilege: Privilege;
  readonly columnPrivilege: Privilege;
};

/** Contract section 7.3, step 2. */
export function demandOf(kind: LabelKind, resource: Resource): Demand {
  const own = namesColumn(resource) ? kind.columnPrivilege : kind.privilege;
  return { anyOf: ['EDIT_ENTITY', own], on: resource.urn };
}
