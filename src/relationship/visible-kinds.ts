import type { Caller } from '../auth/caller.ts';
import { canSee } from '../auth/can-see.ts';
import { parseUrn } from '../urn/urn.ts';
import { referenceTable } from './reference-table.ts';

const policyAspect = 'dataHubPolicyInfo';
const anyPolicy = parseUrn('urn:li:dataHubPolicy:any');

/** Edges that only policies have: whom they are for. */
const kindsOfPolicies: ReadonlySet<string> = new Set(
  (referenceTable[policyAspect] ?? [])
    .map(({ kind }) => kind ?? '')
    .filter(
      (kind) =>
        !Object.entries(referenceTable).some(
          ([aspect, rows]) => aspect !== policyAspect && rows.some((row) => row.kind === kind),
        ),
    ),
);

/** The kinds of edges of which a caller may be told; for those who may not see policies, not that there are any about somebody. */
export function kindsVisibleTo(caller: Caller, kinds: readonly string[]): readonly string[] {
  if (!kinds.some((kind) => kindsOfPolicies.has(kind)) || canSee(caller, anyPolicy)) return kinds;
  return kinds.filter((kind) => !kindsOfPolicies.has(kind));
}
