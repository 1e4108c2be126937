import { isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';

/** Beyond every limit; sums stop growing here, so that fragments inside fragments cannot overflow a number. */
const beyond = 1_000_000;

export type OperationWithFragments = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** `undefined` where they are not known yet: then they add nothing, and neither do their defaults. */
type Variables = { readonly [name: string]: unknown } | undefined;

/**
 * What an operation may cost, in points, before anything is executed. The weights:
 *
 * - a field is 1 point, wherever it stands; a fragment costs what is in it, each time it is spread; of
 *   fragments on different object types in one selection only the dearest counts, because a value has one type;
 * - below a field whose argument `count` asks for n entries, or whose argument `urns` names n (either may also be a member
 *   of an argument), everything weighs 1 + floor(min(n, 1000) / 250) times as much: a page of up to 249 entries costs as
 *   much as one entry, a page of 1,000 five times as much, and pages within pages multiply;
 * - introspection (`__schema`, `__type`, `__typename` at the root) is free; the depth of its lists is limited by validation.
 */
export function costOf(
  schema: GraphQLSchema,
  { operation, fragments }: OperationWithFragments,
  variables: Variables,
): number {
  const known = new Map<string, number>();
  const defaults = new Map(
    operation.variableDefinitions?.map((definition) => [
      definition.variable.name.value,
      definition.defaultValue,
    ]),
  );

  function costOfFragment(name: string): number {
    const cost = known.get(name);
    if (cost !== undefined) return cost;
    // A cycle costs nothing here; validation refuses it.
    known.set(name, 0);
    const fragment = fragments.get(name);
    const total = fragment === undefined ? 0 : costOfSet(fragment.selectionSet, false);
    known.set(name, total);
    return total;
  }

  function costOfSet(set: SelectionSetNode, isRoot: boolean): number {
    let total = 0;
    const byType = new Map<string, number>();
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (!isRoot || !selection.name.value.startsWith('__')) total += costOfField(selection);
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const cost = isSpread
        ? costOfFragment(selection.name.value)
        : costOfSet(selection.selectionSet, isRoot);
      const { typeCondition } = (isSpread ? fragments.get(selection.name.value) : selection) ?? {};
      const type = typeCondition?.name.value ?? '';
      if (isObjectType(schema.getType(type))) byType.set(type, (byType.get(type) ?? 0) + cost);
      else total += cost;
    }
    return Math.min(total + Math.max(0, ...byType.values()), beyond);
  }

  function costOfField(field: FieldNode): number {
    if (field.selectionSet === undefined) return 1;
    return 1 + weightBelow(field, variables, defaults) * costOfSet(field.selectionSet, false);
  }

  return costOfSet(operation.selectionSet, true);
}

type Defaults = ReadonlyMap<string, ValueNode | undefined>;

function weightBelow(field: FieldNode, variables: Variables, defaults: Defaults): number {
  let entries = 0;
  for (const { name, value } of field.arguments ?? []) {
    entries = Math.max(entries, entriesOf(name.value, jsonOf(value, variables, defaults)));
  }
  return 1 + Math.floor(Math.min(entries, 1000) / 250);
}

function entriesOf(name: string, value: unknown): number {
  if (name === 'count') return Math.max(Number(value) || 0, 0);
  if (name === 'urns') return Array.isArray(value) ? value.length : 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  let entries = 0;
  for (const [member, below] of Object.entries(value)) {
    if (member === 'count' || member === 'urns') entries = Math.max(entries, entriesOf(member, below));
  }
  return entries;
}

/** As much of a value as the weights need: numbers, the lengths of lists, and the members of an object. */
function jsonOf(node: ValueNode | undefined, variables: Variables, defaults: Defaults): unknown {
  switch (node?.kind) {
    case Kind.VARIABLE: {
      const name = node.name.value;
      if (variables === undefined) return undefined;
      return Object.hasOwn(variables, name)
        ? variables[name]
        : jsonOf(defaults.get(name), variables, new Map());
    }
    case Kind.INT:
    case Kind.STRING:
      return node.value;
    case Kind.LIST:
      return node.values;
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, jsonOf(field.value, variables, defaults)]),
      );
    default:
      return undefined;
  }
}

const sizeless = new Set(['String', 'ID', 'Boolean', 'Float']);

/** Whether the cost depends on the variables of a request: some variable could hold a `count` or `urns`. */
export function costDependsOnVariables(operation: OperationDefinitionNode): boolean {
  return (operation.variableDefinitions ?? []).some(({ type }) => {
    const nullable = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    return nullable.kind === Kind.LIST_TYPE || !sizeless.has(nullable.name.value);
  });
}

/** The fragments of a document by name; of two with one name, which validation refuses, the last. */
export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}
