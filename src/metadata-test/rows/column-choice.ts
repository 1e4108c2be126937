import { operatorOf } from '../operators.ts';
import type { Leaf, PathStep } from '../predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { type ListSource, listSources } from './list-sources.ts';
import { type Node, type Reading, readingsOf } from './node-readings.ts';

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

/** Operators that only ask how many values there are. */
const presenceOperators: ReadonlySet<string> = new Set([
  'exists',
  'is_empty',
  'count_at_least',
  'count_at_most',
  'count_equals',
]);

/** Operators that only ask whether there is a value. */
const existence: ReadonlySet<string> = new Set(['exists', 'is_empty']);

/** Whether an operator asks about the number of values alone, whatever they are. */
export function asksPresence(operator: string | undefined): boolean {
  return operator !== undefined && presenceOperators.has(operator);
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
  return operator === undefined ? source.column !== 'structuredProperties' : existence.has(operator);
}

function isMember(source: ListSource, step: PathStep): boolean {
  return step.kind === 'Field' && source.members?.includes(step.name) === true;
}

function profilesTell({ steps, operator }: Reading): boolean {
  const [first, second] = steps;
  if (first?.kind === 'Aspect') {
    const [, fields, , member] = steps;
    return (
      first.name === 'schemaMetadata' &&
      fields?.kind === 'Field' &&
      fields.name === 'fields' &&
      member?.kind === 'Field' &&
      member.name === 'nativeDataType'
    );
  }
  if (first?.kind !== 'Virtual' || (first.name !== 'columns' && first.name !== 'schemaFields')) return false;
  if (second === undefined) {
    return (
      operator === undefined || existence.has(operator) || operator === 'schema_fields_have_descriptions'
    );
  }
  if (second.kind !== 'Field') return false;
  if (second.name === 'description') return steps.length === 2 && asksPresence(operator);
  return profileMembers.has(second.name);
}

const profileMembers: ReadonlySet<string> = new Set(['nativeDataType', 'tags', 'terms']);

/**
 * Whether a leaf reads of the ingested schema what column profiles have together with what people added: then no profile
 * that satisfies it means no column that does.
 */
export function isBoundedByProfiles(node: Node): node is Leaf {
  if (node.kind !== 'Leaf' || readingsOf(node) === undefined) return false;
  const quantifier = operatorOf(node.operator)?.quantifier;
  if (quantifier !== 'any' && quantifier !== 'none') return false;
  const [aspect, fields, , ...inside] = node.path.steps;
  if (aspect?.kind !== 'Aspect' || aspect.name !== 'schemaMetadata') return false;
  if (fields?.kind !== 'Field' || fields.name !== 'fields') return false;
  const names = inside.map((step) => (step.kind === 'Field' ? step.name : step.kind));
  if (names.length === 1) return names[0] === 'description' && existence.has(node.operator);
  const start = names.slice(0, 4).join('.');
  return start === 'globalTags.tags.Flatten.tag' || start === 'glossaryTerms.terms.Flatten.urn';
}
