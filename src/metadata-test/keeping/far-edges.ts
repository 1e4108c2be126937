import type { RelationshipQuery } from '../../aspect/aspect-store.ts';
import { referenceTable } from '../../relationship/reference-table.ts';
import { lineageEdge } from '../lineage.ts';
import { assertionEdge } from '../load-series.ts';
import type { PathStep } from '../predicate.ts';

/**
 * How to come back, along stored relationships, from what a path leads to, to whoever has the path: `direction` as seen from
 * the far end.
 */
export type FarEdge = Pick<RelationshipQuery, 'direction'> & { readonly kinds: readonly string[] };

/** The edge of glossary groups, domains and containers to their parents. */
export const parentEdge = 'IsPartOf';

/**
 * The way back along the steps that lead from an entity to URNs; `undefined` when no relationship is stored for them, so
 * that only evaluating everything finds who is concerned.
 */
export function farEdgeOf(steps: readonly PathStep[]): FarEdge | undefined {
  const [first, second, ...rest] = steps;
  if (first?.kind === 'Lineage') return { direction: 'OUTGOING', kinds: [lineageEdge] };
  if (first?.kind === 'Assertions') return { direction: 'OUTGOING', kinds: [assertionEdge] };
  const kinds =
    first?.kind === 'Virtual' && first.name === 'columns'
      ? columnKinds(steps)
      : first?.kind === 'Aspect' && second?.kind === 'Keyed' && rest.length === 0
        ? second.entries === 'ownerTypes'
          ? ['OwnedBy']
          : []
        : first?.kind === 'Aspect'
          ? kindsAt(first.name, fieldsOf(steps))
          : [];
  return kinds.length === 0 ? undefined : { direction: 'INCOMING', kinds };
}

function columnKinds(steps: readonly PathStep[]): readonly string[] {
  const fields = fieldsOf(steps);
  if (fields === 'tags') return ['TaggedWith'];
  return fields === 'terms' ? ['TermedWith'] : [];
}

function kindsAt(aspect: string, fields: string | undefined): readonly string[] {
  if (!Object.hasOwn(referenceTable, aspect)) return [];
  const rows = referenceTable[aspect] ?? [];
  const kinds = rows
    .filter(({ path }) => path.replaceAll('[]', '').replace(/\?$/, '') === fields)
    .flatMap(({ kind }) => kind ?? []);
  return [...new Set(kinds)];
}

/** The fields behind the first step, joined with dots; `undefined` where there is anything but fields. */
function fieldsOf(steps: readonly PathStep[]): string | undefined {
  const names: string[] = [];
  for (const step of steps.slice(1)) {
    if (step.kind === 'Field') names.push(step.name);
    else if (step.kind !== 'Flatten') return undefined;
  }
  return names.join('.');
}
