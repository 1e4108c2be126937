import type { RowPredicate } from '../../verdict/row-predicate.ts';
import { descriptionPairs } from '../effective-description.ts';
import type { PathStep } from '../predicate.ts';
import { carries } from '../property-catalogue.ts';
import { closedOutcome, outcomeOf } from './closed-outcome.ts';
import { listSources } from './list-sources.ts';
import { headOf, type Node } from './node-readings.ts';
import { asksPresence } from './profile-readings.ts';
import { choose, compare, either, some, unknown } from './row-answers.ts';

/**
 * What can be said about a node that a row does not tell in full: what holds for entities that have nothing of what it is
 * about, as the row can tell. The rest is unknown.
 */
export function limitedQuestion(node: Node, type: string): RowPredicate {
  const head = headOf(node);
  const [first, second] = head;
  const whenNone = closedOutcome(node, type);
  if (first?.kind === 'Aspect' && second === undefined) return aspectQuestion(node, first.name);
  const isThere = presenceOf(head);
  return isThere === undefined ? unknown : choose(isThere, unknown, whenNone);
}

/** Whether an aspect as a whole holds anything: certain when its part that the row knows does. */
function aspectQuestion(node: Node, aspect: string): RowPredicate {
  if (node.kind === 'ForEach' || !asksPresence(node.operator)) return unknown;
  const evidence = evidenceOf(aspect);
  if (evidence.length === 0) return unknown;
  return choose(either(...evidence), outcomeOf(node, '', 'text'), unknown);
}

function evidenceOf(aspect: string): readonly RowPredicate[] {
  const lists = listSources.filter((source) => source.aspect === aspect).map(({ column }) => some(column));
  if (aspect === 'schemaMetadata') return [...lists, compare('columns', '>=', 1)];
  return aspect === 'upstreamLineage' ? [...lists, compare('upstreams', '>=', 1)] : lists;
}

/** Whether an entity has any of what lies along a path; `undefined` when a row cannot tell. */
function presenceOf(head: readonly PathStep[]): RowPredicate | undefined {
  const [first, second, , member] = head;
  if (first?.kind === 'Virtual') {
    return first.name === 'columns' || first.name === 'schemaFields'
      ? compare('columns', '>=', 1)
      : undefined;
  }
  if (first?.kind === 'Lineage') {
    return first.direction === 'upstream' ? compare('upstreams', '>=', 1) : undefined;
  }
  if (first?.kind !== 'Aspect') return undefined;
  const field = second?.kind === 'Field' ? second.name : undefined;
  if (first.name === 'upstreamLineage' && field === 'upstreams') return compare('upstreams', '>=', 1);
  if (first.name === 'schemaMetadata' && field === 'fields' && member !== undefined) {
    return compare('columns', '>=', 1);
  }
  const source = listSources.find(
    (each) =>
      each.aspect === first.name &&
      (each.field === undefined || each.field === field || second?.kind === 'Keyed'),
  );
  return source === undefined ? undefined : some(source.column);
}

/** Whether the type cannot have what the node is about, so that it is the same for all of its entities (S16). */
export function isForeign(node: Node, type: string): boolean {
  const [first] = headOf(node);
  switch (first?.kind) {
    case 'Aspect':
      return !carries(type, first.name);
    case 'Lineage':
      return first.direction === 'upstream' && !carries(type, 'upstreamLineage');
    case 'Virtual':
      if (first.name === 'effective.description') return !descriptionPairs.has(type);
      return (
        (first.name === 'columns' || first.name.startsWith('schemaFields')) &&
        !carries(type, 'schemaMetadata')
      );
    default:
      return false;
  }
}
