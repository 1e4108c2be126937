import type { AuditStamp } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';
import type { LabelKind } from './label-kind.ts';

/** What becomes of a list of labels: the aspect, or the member of that name of a column. The same object: nothing. */
export type LabelChange = (labels: JsonObject | undefined) => JsonObject | undefined;

/** Appends the labels that are not there yet, each once, in the order given (contract section 7.3). */
export function adding(kind: LabelKind, urns: readonly Urn[], stamp: AuditStamp): LabelChange {
  return (labels) => {
    const associations = objectsIn(labels, kind.list);
    const missing = new Set<unknown>(urns);
    for (const association of associations) missing.delete(association[kind.reference]);
    if (missing.size === 0) return labels;
    const added = urns.filter((urn) => missing.delete(urn)).map((urn) => ({ [kind.reference]: urn }));
    return withList(kind, labels, [...associations, ...added], stamp);
  };
}

/** Drops every association with one of the labels; an emptied list stays as an empty list (contract section 7.6). */
export function removing(kind: LabelKind, urns: ReadonlySet<Urn>, stamp: AuditStamp): LabelChange {
  const removed: ReadonlySet<unknown> = urns;
  return (labels) => {
    const associations = objectsIn(labels, kind.list);
    const kept = associations.filter((association) => !removed.has(association[kind.reference]));
    if (kept.length === associations.length) return labels;
    return withList(kind, labels, kept, stamp);
  };
}

function withList(
  kind: LabelKind,
  labels: JsonObject | undefined,
  list: readonly JsonObject[],
  stamp: AuditStamp,
): JsonObject {
  return { ...labels, [kind.list]: list, ...(kind.isStamped ? { auditStamp: stamp } : {}) };
}
