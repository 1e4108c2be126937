import {
  getDirectiveValues,
  getNullableType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLAbstractType,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { compileArguments } from './input-value.ts';
import type { SlotOf } from './input-value.ts';
import { leafWriter } from './leaf-text.ts';
import type { Completion, FieldPlan, OperationPlan, SelectionPlan } from './plan.ts';
import type { ResolverRecord, SelectedField, SelectionSignature } from './resolver.ts';
import { resolverOf, typeResolverOf } from './schema.ts';

/** A validated operation with what is needed to compile it. */
export type CompilationSource = {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly slotOf: SlotOf;
  /** Where a field stands, in the key of the document. */
  readonly offsetOf: (node: FieldNode) => number;
};

type Compilation = CompilationSource & { readonly variables: { readonly [name: string]: unknown } };

/**
 * Compiles an operation for one assignment of the variables that `@skip` and `@include` use: fragments are merged and
 * directives applied, so that nothing of that is left to do per request.
 */
export function compileOperation(
  source: CompilationSource,
  variables: { readonly [name: string]: unknown },
): OperationPlan {
  const { operation, schema } = source;
  const rootType = schema.getRootType(operation.operation);
  if (!isObjectType(rootType)) throw new Error(`The schema has no ${operation.operation} type`);
  return {
    isSerial: operation.operation === 'mutation',
    selection: compileSelection({ ...source, variables }, rootType, [operation.selectionSet]),
  };
}

function compileSelection(
  compilation: Compilation,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): SelectionPlan {
  const groups = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  for (const set of selectionSets) collectFields(compilation, type, set.selections, groups, visited);
  const fields: FieldPlan[] = [];
  for (const [responseKey, nodes] of groups) {
    const field = compileField(compilation, type, responseKey, nodes, fields.length === 0);
    if (field !== undefined) fields.push(field);
  }
  return { typeName: type.name, fields };
}

/** Specification, section 6.3.2: the fields by response key, in the order of their first appearance. */
function collectFields(
  compilation: Compilation,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  groups: Map<string, FieldNode[]>,
  visited: Set<string>,
): void {
  for (const selection of selections) {
    if (!isIncluded(compilation, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [selection]);
      else group.push(selection);
      continue;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection
        : unvisitedFragment(compilation, selection.name.value, visited);
    if (fragment === undefined || !appliesTo(compilation, fragment.typeCondition?.name.value, type)) continue;
    collectFields(compilation, type, fragment.selectionSet.selections, groups, visited);
  }
}

function unvisitedFragment(
  compilation: Compilation,
  name: string,
  visited: Set<string>,
): FragmentDefinitionNode | undefined {
  if (visited.has(name)) return undefined;
  visited.add(name);
  return compilation.fragments.get(name);
}

function isIncluded({ variables }: Compilation, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, { ...variables });
  if (skip?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, { ...variables })?.['if'] !== false;
}

function appliesTo({ schema }: Compilation, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

function compileField(
  compilation: Compilation,
  parent: GraphQLObjectType,
  responseKey: string,
  nodes: readonly FieldNode[],
  isFirst: boolean,
): FieldPlan | undefined {
  const node = nodes[0];
  if (node === undefined) return undefined;
  const name = node.name.value;
  const common = {
    responseKey,
    name,
    parentTypeName: parent.name,
    prefix: `${isFirst ? '{' : ','}${JSON.stringify(responseKey)}:`,
    offsets: nodes.map(compilation.offsetOf),
    hasArguments: node.arguments !== undefined && node.arguments.length > 0,
  };
  if (name === '__typename') {
    const constantText = JSON.stringify(parent.name);
    const completion: Completion = {
      kind: 'leaf',
      isNonNull: true,
      typeText: 'String',
      write: () => constantText,
    };
    const plain = { resolve: undefined, preserialised: undefined, completion };
    return { ...common, ...plain, constantText, arguments: { isConstant: true, value: {} } };
  }
  const definition = definitionOf(compilation.schema, parent, name);
  // As the specification says; a validated document has no such field.
  if (definition === undefined) return undefined;
  const record = resolverOf(definition) ?? introspectionOf(compilation.schema, parent, definition);
  const completion = compileType(compilation, definition.type, nodes);
  return {
    ...common,
    constantText: undefined,
    resolve: record?.resolve,
    preserialised: record?.preserialised?.(signatureOfCompletion(completion)),
    arguments: compileArguments(definition, node, compilation.slotOf),
    completion,
  };
}

function definitionOf(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  const fields = parent.getFields();
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The library's own resolvers for `__schema`, `__type` and the types below them; all answer at once. */
function introspectionOf(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
): ResolverRecord | undefined {
  if (definition === SchemaMetaFieldDef) return { resolve: () => schema };
  if (definition === TypeMetaFieldDef) {
    return { resolve: (_: unknown, { name }: { readonly name: string }) => schema.getType(name) };
  }
  const { resolve } = definition;
  if (resolve === undefined || !isIntrospectionType(parent)) return undefined;
  // Of all that the library tells its resolvers, these use nothing but the schema.
  const info = { schema } as GraphQLResolveInfo;
  return {
    resolve: (source, args: Record<string, unknown>, context) => resolve(source, args, context, info),
  };
}

function compileType(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Completion {
  const isNonNull = isNonNullType(type);
  const nullable = getNullableType(type);
  const typeText = String(nullable);
  if (isListType(nullable)) {
    return { kind: 'list', isNonNull, typeText, item: compileType(compilation, nullable.ofType, nodes) };
  }
  if (isLeafType(nullable)) return { kind: 'leaf', isNonNull, typeText, write: leafWriter(nullable) };
  const sets = nodes.flatMap((node) => (node.selectionSet === undefined ? [] : [node.selectionSet]));
  if (isObjectType(nullable)) {
    return { kind: 'object', isNonNull, typeText, selection: compileSelection(compilation, nullable, sets) };
  }
  if (!isAbstractType(nullable)) throw new Error(`${typeText} is not an output type`);
  return compileAbstract(compilation, nullable, sets, isNonNull);
}

function compileAbstract(
  compilation: Compilation,
  type: GraphQLAbstractType,
  sets: readonly SelectionSetNode[],
  isNonNull: boolean,
): Completion {
  const possible = new Map(compilation.schema.getPossibleTypes(type).map((object) => [object.name, object]));
  const compiled = new Map<string, SelectionPlan>();
  const selectionOf = (typeName: string): SelectionPlan | undefined => {
    const known = compiled.get(typeName);
    if (known !== undefined) return known;
    const object = possible.get(typeName);
    if (object === undefined) return undefined;
    const selection = compileSelection(compilation, object, sets);
    compiled.set(typeName, selection);
    return selection;
  };
  return { kind: 'abstract', isNonNull, typeText: type.name, resolveType: typeResolverOf(type), selectionOf };
}

function signatureOfCompletion(completion: Completion): SelectionSignature {
  switch (completion.kind) {
    case 'leaf':
      return { text: '', fields: [] };
    case 'list':
      return signatureOfCompletion(completion.item);
    case 'object':
      return signatureOfSelection(completion.selection);
    case 'abstract':
      return { text: '?', fields: [] };
  }
}

function signatureOfSelection({ fields }: SelectionPlan): SelectionSignature {
  const selected = fields.map((field): SelectedField => ({
    responseKey: field.responseKey,
    name: field.name,
    hasArguments: field.hasArguments,
    selection: isComposite(field.completion) ? signatureOfCompletion(field.completion) : undefined,
  }));
  return { text: selected.map(textOfSelected).join(' '), fields: selected };
}

function isComposite(completion: Completion): boolean {
  return completion.kind === 'list' ? isComposite(completion.item) : completion.kind !== 'leaf';
}

function textOfSelected({ responseKey, name, hasArguments, selection }: SelectedField): string {
  const alias = responseKey === name ? '' : `${responseKey}: `;
  const below = selection === undefined ? '' : ` { ${selection.text} }`;
  return `${alias}${name}${hasArguments ? '(...)' : ''}${below}`;
}
