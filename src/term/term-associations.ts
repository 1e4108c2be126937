import type { AuditStamp } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';
import type { Urn } from '../urn/urn.ts';

/**
 * What becomes of a list of term associations: the aspect `glossaryTerms`, or the member of that name of a column. The
 * same object when nothing changes.
 */
export type TermsChange = (terms: JsonObject | undefined) => JsonObject | undefined;

/** Appends the terms that are not there yet, each once, in the order given (contract section 7.3). */
export function adding(termUrns: readonly Urn[], stamp: AuditStamp): TermsChange {
  return (terms) => {
    const associations = objectsIn(terms, 'terms');
    const missing = new Set<unknown>(termUrns);
    for (const association of associations) missing.delete(association['urn']);
    if (missing.size === 0) return terms;
    const added = termUrns.filter((urn) => missing.delete(urn)).map((urn) => ({ urn }));
    return { ...terms, terms: [...associations, ...added], auditStamp: stamp };
  };
}

/** Drops every association with one of the terms; an emptied list stays as an empty list (contract section 7.6). */
export function removing(termUrns: ReadonlySet<Urn>, stamp: AuditStamp): TermsChange {
  const removed: ReadonlySet<unknown> = termUrns;
  return (terms) => {
    const associations = objectsIn(terms, 'terms');
    const kept = associations.filter((association) => !removed.has(association['urn']));
    if (kept.length === associations.length) return terms;
    return { ...terms, terms: kept, auditStamp: stamp };
  };
}
