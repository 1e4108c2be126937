import type { PathStep } from '../predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { type ListSource, listSources } from './list-sources.ts';
import { type Node, type Reading, readingsOf } from './node-readings.ts';
import { asksExistence, asksPresence, profilesTell } from './profile-readings.ts';

/** Whether all texts of one row together say what a node asks, text by text, and whether there is one at most. */
export type ColumnChoice = { readonly column: ListColumn; readonly isSingle: boolean };

/** The list column that tells everything a node reads; `undefined` when none does. */
export function columnFor(node: Node): ColumnChoice | undefined {
  const readings = readingsOf(node);
  if (readings === undefined) return undefined;
  const source = listSources.find((each) => readings.every((reading) => tells(each, reading)));
  if (source !== undefined) return source;
  return readings.every(profilesTell) ? { column: 'columnProfiles', isSingle: false } : undefined;
}

function tells(source: ListSource, { steps, operator }: Reading): boolean {
  const [aspect, ...inside] = steps;
  if (aspect?.kind !== 'Aspect' || aspect.name !== source.aspect) return false;
  const [first, ...rest] = inside;
  if (source.field === undefined) {
    return first === undefined ? asksPresence(operator) : isMember(source, first);
  }
  if (first?.kind === 'Keyed') {
    return (
      source.column === (first.entries === 'structuredProperties' ? 'structuredProperties' : 'ownerships')
    );
  }
  if (first?.kind !== 'Field' || first.name !== source.field) return false;
  if (source.members === undefined) return true;
  const [, member] = rest;
  if (member !== undefined) return isMember(source, member);
  // A text keeps a part of the element: whether it is empty, but not that it differs from others. One with several
  // values is several texts.
  return operator === undefined ? source.column !== 'structuredProperties' : asksExistence(operator);
}

function isMember(source: ListSource, step: PathStep): boolean {
  return step.kind === 'Field' && source.members?.includes(step.name) === true;
}
