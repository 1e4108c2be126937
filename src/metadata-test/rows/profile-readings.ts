import type { Leaf, PathStep } from '../predicate.ts';
import { headOf, type Node, type Reading } from './node-readings.ts';

/** Operators that only ask how many values there are. */
const presenceOperators: ReadonlySet<string> = new Set([
  'exists',
  'is_empty',
  'count_at_least',
  'count_at_most',
  'count_equals',
]);

/** Whether an operator asks about the number of values alone, whatever they are. */
export function asksPresence(operator: string | undefined): boolean {
  return operator !== undefined && presenceOperators.has(operator);
}

/** Whether an operator only asks whether there is a value. */
export function asksExistence(operator: string | undefined): boolean {
  return operator === 'exists' || operator === 'is_empty';
}

/** Whether column profiles say all that is read: of columns as readers see them, as they are ingested, or of edits. */
export function profilesTell({ steps, operator }: Reading): boolean {
  const [first] = steps;
  if (first?.kind === 'Virtual') return unitedTell(steps, operator);
  const inside = insideRecord(steps);
  if (inside === undefined) return false;
  const [member, ...rest] = inside;
  if (member === undefined) return operator === undefined || asksExistence(operator);
  if (member.kind !== 'Field') return false;
  switch (member.name) {
    case 'nativeDataType':
      return first?.kind === 'Aspect' && first.name === 'schemaMetadata';
    case 'description':
    case 'fieldPath':
      return rest.length === 0 && asksExistence(operator);
    case 'globalTags':
      return attachedTell(rest, operator, 'tags', 'tag');
    case 'glossaryTerms':
      return attachedTell(rest, operator, 'terms', 'urn');
    default:
      return false;
  }
}

function unitedTell([first, second, ...rest]: readonly PathStep[], operator: string | undefined): boolean {
  if (first?.kind !== 'Virtual' || (first.name !== 'columns' && first.name !== 'schemaFields')) return false;
  if (second === undefined) {
    return (
      operator === undefined || asksExistence(operator) || operator === 'schema_fields_have_descriptions'
    );
  }
  if (second.kind !== 'Field') return false;
  if (second.name === 'description') return rest.length === 0 && asksPresence(operator);
  return unitedMembers.has(second.name);
}

const unitedMembers: ReadonlySet<string> = new Set(['nativeDataType', 'tags', 'terms']);

function attachedTell(
  rest: readonly PathStep[],
  operator: string | undefined,
  list: string,
  reference: string,
): boolean {
  const [elements, , member] = rest;
  if (elements === undefined) return asksExistence(operator);
  if (elements.kind !== 'Field' || elements.name !== list) return false;
  if (member === undefined) return operator === undefined || asksExistence(operator);
  return member.kind === 'Field' && member.name === reference;
}

/** The list in each of the two aspects whose elements profiles are made of. */
const recordLists: ReadonlyMap<string, string> = new Map([
  ['schemaMetadata', 'fields'],
  ['editableSchemaMetadata', 'editableSchemaFieldInfo'],
]);

/** The steps inside an element of one of these lists; `undefined` for ways to anywhere else. */
function insideRecord([aspect, list, , ...inside]: readonly PathStep[]): readonly PathStep[] | undefined {
  if (aspect?.kind !== 'Aspect' || list?.kind !== 'Field') return undefined;
  return recordLists.get(aspect.name) === list.name ? inside : undefined;
}

const keptMembers: ReadonlySet<string> = new Set(['description', 'globalTags', 'glossaryTerms']);

/**
 * Asks whether there is what a node is about, as far as column profiles tell; where there is none, the node says what it says
 * of nothing. `undefined` for nodes about anything else.
 */
export function profileBound(node: Node): Leaf | undefined {
  const head = headOf(node);
  const inside = insideRecord(head);
  if (inside === undefined) return undefined;
  const [member] = inside;
  const isKept = member?.kind === 'Field' && keptMembers.has(member.name);
  const path = node.kind === 'Leaf' ? node.path : node.collection;
  return {
    kind: 'Leaf',
    path: { ...path, steps: head.slice(0, isKept ? 4 : 3) },
    operator: 'exists',
    operands: [],
    pointer: node.pointer,
  };
}
