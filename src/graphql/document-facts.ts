import {
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DocumentNode, FieldNode, GraphQLInputType, GraphQLSchema, StringValueNode } from 'graphql';
import { takesAnyText } from './input-value.ts';
import { resolverOf } from './schema.ts';

/** What has to be known of a validated document before a request is executed by it. */
export type DocumentFacts = {
  /** The slots of the literals that were lifted. */
  readonly slots: ReadonlyMap<StringValueNode, number>;
  /** The argument or member each lifted literal stands in. */
  readonly literalNames: readonly { readonly slot: number; readonly name: string }[];
  /** Lifted literals whose content matters to validation, because a scalar of our own stands there. */
  readonly checkedLiterals: readonly { readonly slot: number; readonly type: GraphQLInputType }[];
  /** The arguments and members that variables are given to. */
  readonly variableNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** The variables that `@skip` and `@include` use. */
  readonly conditionVariables: readonly string[];
  /** The lists written in the document: the argument or member, and the number of entries. */
  readonly lists: readonly { readonly name: string; readonly entries: number }[];
  /** A field is volatile, so the answer must not be kept. */
  readonly isVolatile: boolean;
};

/** Walks a validated document once; `slotAt` tells which literal was lifted where a string begins. */
export function gatherFacts(
  schema: GraphQLSchema,
  document: DocumentNode,
  slotAt: (node: StringValueNode) => number | undefined,
): DocumentFacts {
  const typeInfo = new TypeInfo(schema);
  const slots = new Map<StringValueNode, number>();
  const literalNames: { slot: number; name: string }[] = [];
  const checkedLiterals: { slot: number; type: GraphQLInputType }[] = [];
  const variableNames = new Map<string, Set<string>>();
  const conditionVariables = new Set<string>();
  const lists: { name: string; entries: number }[] = [];
  const names: string[] = [];
  let isVolatile = false;

  const enterName = (node: { readonly name: { readonly value: string } }): void => {
    names.push(node.name.value);
  };
  const leaveName = (): void => {
    names.pop();
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field(node) {
        const parent = typeInfo.getParentType();
        isVolatile ||= isVolatileField(schema, parent, node);
      },
      Directive(node) {
        if (node.name.value !== 'skip' && node.name.value !== 'include') return;
        for (const { value } of node.arguments ?? []) {
          if (value.kind === Kind.VARIABLE) conditionVariables.add(value.name.value);
        }
      },
      VariableDefinition: { enter: (node) => void names.push(node.variable.name.value), leave: leaveName },
      Argument: { enter: enterName, leave: leaveName },
      ObjectField: { enter: enterName, leave: leaveName },
      Variable(node, _key, parent) {
        if (parent !== undefined && 'kind' in parent && parent.kind === Kind.VARIABLE_DEFINITION) return;
        const known = variableNames.get(node.name.value) ?? new Set();
        variableNames.set(node.name.value, known.add(names.at(-1) ?? ''));
      },
      ListValue(node) {
        lists.push({ name: names.at(-1) ?? '', entries: node.values.length });
      },
      StringValue(node) {
        const slot = slotAt(node);
        if (slot === undefined) return;
        slots.set(node, slot);
        literalNames.push({ slot, name: names.at(-1) ?? '' });
        const type = typeInfo.getInputType();
        if (type && !takesAnyText(type)) checkedLiterals.push({ slot, type });
      },
    }),
  );
  return {
    slots,
    literalNames,
    checkedLiterals,
    variableNames,
    conditionVariables: [...conditionVariables].sort(),
    lists,
    isVolatile,
  };
}

/** A field of an interface is volatile when it is on any type that could stand there. */
function isVolatileField(schema: GraphQLSchema, parent: unknown, node: FieldNode): boolean {
  const types = isObjectType(parent)
    ? [parent]
    : isInterfaceType(parent) || isUnionType(parent)
      ? schema.getPossibleTypes(parent)
      : [];
  return types.some((type) => {
    const field = type.getFields()[node.name.value];
    return field !== undefined && resolverOf(field)?.isVolatile === true;
  });
}
