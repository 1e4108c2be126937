import {
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  print,
  specifiedScalarTypes,
  visit,
} from 'graphql';
import type {
  FieldNode,
  GraphQLArgument,
  GraphQLField,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLLeafType,
  StringValueNode,
  ValueNode,
} from 'graphql';
import { PostilError } from '../errors/postil-error.ts';
import type { ArgumentsPlan, RequestValues } from './plan.ts';

/** The slot of a literal that was lifted out of the document; `undefined` for one that stays the same. */
export type SlotOf = (node: StringValueNode) => number | undefined;

/** Reads an input value; `undefined` when it does not fit its type (as the library's `valueFromAST`). */
type ValueReader = (values: RequestValues) => unknown;

const noArguments: ArgumentsPlan = { isConstant: true, value: Object.freeze({}) };

/**
 * Compiles the arguments of one field of a validated document, by the rules of the specification, section 6.4.1: defaults
 * for what is absent, single values as lists, variables as they were coerced.
 */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  slotOf: SlotOf,
): ArgumentsPlan {
  if (field.args.length === 0) return noArguments;
  const written = new Map(node.arguments?.map((argument) => [argument.name.value, argument.value]));
  const readers = field.args.map((argument) => compileArgument(argument, written.get(argument.name), slotOf));
  const read = (values: RequestValues): unknown => {
    const coerced: Record<string, unknown> = {};
    for (let index = 0; index < readers.length; index += 1) readers[index]?.(values, coerced);
    return coerced;
  };
  const isConstant = node.arguments?.every(({ value }) => isConstantValue(value, slotOf)) ?? true;
  return isConstant ? { isConstant, value: read({ variables: {}, literals: [] }) } : { isConstant, read };
}

function compileArgument(
  argument: GraphQLArgument,
  node: ValueNode | undefined,
  slotOf: SlotOf,
): (values: RequestValues, coerced: Record<string, unknown>) => void {
  const { name, type, defaultValue } = argument;
  if (node === undefined) {
    if (defaultValue === undefined) return () => {};
    return (_, coerced) => {
      coerced[name] = defaultValue;
    };
  }
  const read = compileValue(node, type, slotOf);
  const variableName = node.kind === Kind.VARIABLE ? node.name.value : undefined;
  return (values, coerced) => {
    if (variableName !== undefined && !Object.hasOwn(values.variables, variableName)) {
      if (defaultValue !== undefined) coerced[name] = defaultValue;
      else if (isNonNullType(type)) {
        throw new PostilError(
          'BAD_REQUEST',
          `Argument '${name}' of required type '${String(type)}' was given the variable '${variableName}', which has no value`,
        );
      }
      return;
    }
    const value = read(values);
    if (value === undefined) {
      const isNull = variableName !== undefined && values.variables[variableName] === null;
      const problem = isNull ? 'must not be null' : `has the invalid value ${print(node)}`;
      throw new PostilError('BAD_REQUEST', `Argument '${name}' of type '${String(type)}' ${problem}`);
    }
    coerced[name] = value;
  };
}

function isConstantValue(node: ValueNode, slotOf: SlotOf): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return false;
    case Kind.STRING:
      return slotOf(node) === undefined;
    case Kind.LIST:
      return node.values.every((value) => isConstantValue(value, slotOf));
    case Kind.OBJECT:
      return node.fields.every(({ value }) => isConstantValue(value, slotOf));
    default:
      return true;
  }
}

function compileValue(node: ValueNode, type: GraphQLInputType, slotOf: SlotOf): ValueReader {
  if (isNonNullType(type)) {
    const read = compileValue(node, type.ofType, slotOf);
    return (values) => read(values) ?? undefined;
  }
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (values) => (Object.hasOwn(values.variables, name) ? values.variables[name] : undefined);
  }
  if (node.kind === Kind.NULL) return () => null;
  if (isListType(type)) return compileList(node, type.ofType, slotOf);
  if (isInputObjectType(type)) return compileObject(node, type, slotOf);
  if (isLeafType(type)) return compileLeaf(node, type, slotOf);
  return () => undefined;
}

function isMissing(node: ValueNode, values: RequestValues): boolean {
  return node.kind === Kind.VARIABLE && values.variables[node.name.value] === undefined;
}

function compileList(node: ValueNode, itemType: GraphQLInputType, slotOf: SlotOf): ValueReader {
  if (node.kind !== Kind.LIST) {
    const read = compileValue(node, itemType, slotOf);
    return (values) => {
      const value = read(values);
      return value === undefined ? undefined : [value];
    };
  }
  const items = node.values.map((item) => ({ item, read: compileValue(item, itemType, slotOf) }));
  return (values) => {
    const list: unknown[] = [];
    for (const { item, read } of items) {
      const value = isMissing(item, values) && !isNonNullType(itemType) ? null : read(values);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  };
}

function compileObject(node: ValueNode, type: GraphQLInputObjectType, slotOf: SlotOf): ValueReader {
  if (node.kind !== Kind.OBJECT) return () => undefined;
  const written = new Map(node.fields.map((field) => [field.name.value, field.value]));
  const members = Object.values(type.getFields()).map(({ name, type: memberType, defaultValue }) => {
    const value = written.get(name);
    const read = value === undefined ? undefined : compileValue(value, memberType, slotOf);
    return { name, value, read, defaultValue, isRequired: isNonNullType(memberType) };
  });
  return (values) => {
    // The library makes these objects without a prototype, so a member may have any name.
    const object: Record<string, unknown> = Object.create(null);
    let count = 0;
    for (const { name, value, read, defaultValue, isRequired } of members) {
      if (value === undefined || read === undefined || isMissing(value, values)) {
        if (defaultValue !== undefined) object[name] = defaultValue;
        else if (isRequired) return undefined;
        continue;
      }
      const member = read(values);
      if (member === undefined || (type.isOneOf && member === null)) return undefined;
      object[name] = member;
      count += 1;
    }
    return type.isOneOf && count !== 1 ? undefined : object;
  };
}

const plainTexts = new Set(['String', 'ID']);

/** Whether any text is a value of the type, so that a literal need not be checked again for every request. */
export function takesAnyText(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return plainTexts.has(named.name) && specifiedScalarTypes.some(({ name }) => name === named.name);
}

/** A scalar of our own may take lists and objects as literals; its values are then read from the literal as a whole. */
function compileLeaf(node: ValueNode, type: GraphQLLeafType, slotOf: SlotOf): ValueReader {
  if (isConstantValue(node, slotOf)) {
    const value = parseLiteral(node, type, {});
    return () => value;
  }
  const slot = node.kind === Kind.STRING ? slotOf(node) : undefined;
  if (slot !== undefined && takesAnyText(type)) return (values) => values.literals[slot];
  return (values) => parseLiteral(withLiterals(node, values.literals, slotOf), type, values.variables);
}

/** The value of a literal of a leaf type; `undefined` when it has none. */
function parseLiteral(
  node: ValueNode,
  type: GraphQLLeafType,
  variables: RequestValues['variables'],
): unknown {
  try {
    return type.parseLiteral(node, { ...variables });
  } catch {
    return undefined;
  }
}

function withLiterals(node: ValueNode, literals: readonly string[], slotOf: SlotOf): ValueNode {
  return visit(node, {
    StringValue(text) {
      const slot = slotOf(text);
      return slot === undefined ? undefined : { ...text, value: literals[slot] ?? '' };
    },
  });
}

/** Whether a lifted literal fits the leaf type it stands for; other types were checked when the document was validated. */
export function literalFits(value: string, type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return !isLeafType(named) || parseLiteral({ kind: Kind.STRING, value }, named, {}) !== undefined;
}
