import { GraphQLError, Kind, OperationTypeNode, parse } from 'graphql';
import type { ASTNode, DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { PostilError } from '../errors/postil-error.ts';
import { compileOperation } from './compile.ts';
import { costDependsOnVariables, costOf, fragmentsOf } from './document-cost.ts';
import type { OperationWithFragments } from './document-cost.ts';
import { gatherFacts } from './document-facts.ts';
import type { DocumentFacts } from './document-facts.ts';
import type { GraphqlLimits } from './document-limits.ts';
import { shapeProblem } from './document-shape.ts';
import { abortedFailure } from './failure.ts';
import type { GraphqlFailure } from './failure.ts';
import { countEntries, measureInput, measureText } from './input-limits.ts';
import type { InputBudget } from './input-limits.ts';
import { literalFits } from './input-value.ts';
import {
  locationOf,
  offsetFromKey,
  offsetInDocument,
  offsetInKey,
  parseableText,
} from './literal-lifting.ts';
import type { ScannedDocument } from './literal-lifting.ts';
import type { OperationPlan, RequestValues } from './plan.ts';
import { validateDocument } from './validation-wording.ts';
import { compileVariables } from './variable-values.ts';
import type { VariableCoercion } from './variable-values.ts';

type Variables = { readonly [name: string]: unknown };

/** One operation of a document that was parsed, validated and found within the limits; good for all texts of its key. */
export type CompiledDocument = {
  /** Different for every document that was ever compiled by this process. */
  readonly id: number;
  readonly operationName: string | undefined;
  readonly isMutation: boolean;
  /** True when the answer depends on nothing but the document, its values and the entities that were read. */
  readonly isKeepable: boolean;
  /** Whether the literals of another text with the same key are valid where they stand. */
  readonly accepts: (literals: readonly string[]) => boolean;
  /** The values of one request: within the limits, and coerced. */
  readonly valuesOf: (scanned: ScannedDocument, variables: Variables) => PreparedValues;
  readonly planFor: (values: RequestValues) => OperationPlan;
};

export type PreparedValues =
  | { readonly values: RequestValues }
  | { readonly failures: readonly GraphqlFailure[] };

export type CompilationResult =
  | { readonly document: CompiledDocument }
  | { readonly failures: readonly GraphqlFailure[] };

let nextId = 1;
/** A document may have this many plans, one for each combination of the values of its condition variables. */
const maxPlans = 16;

/** Parses, limits, validates and compiles the operation that is asked for. */
export function compileDocument(
  schema: GraphQLSchema,
  scanned: ScannedDocument,
  operationName: string | undefined,
  limits: GraphqlLimits,
): CompilationResult {
  let document: DocumentNode;
  try {
    document = parse(parseableText(scanned));
  } catch (cause) {
    if (cause instanceof GraphQLError) return { failures: [syntaxFailure(cause, scanned)] };
    throw cause;
  }
  const fragments = fragmentsOf(document);
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  for (const operation of operations) {
    // What variables add to the cost is not known yet; this much it costs at least.
    const cost = costOf(schema, { operation, fragments }, undefined);
    const problem = shapeProblem(document, operation, fragments, limits) ?? costProblem(cost, limits);
    if (problem !== undefined) return { failures: [abortedFailure('LIMIT_EXCEEDED', problem)] };
  }
  const problems = validateDocument(schema, document, limits.validationErrors);
  if (problems.length > 0) {
    const failures = problems.map(({ message, offsets }) =>
      validationFailure(
        message,
        offsets.map((offset) => offsetInDocument(scanned, offset)),
        scanned,
      ),
    );
    return { failures };
  }
  const operation = chooseOperation(schema, operations, operationName);
  if (typeof operation === 'string') return { failures: [validationFailure(operation, [], scanned)] };
  return { document: assemble(schema, scanned, { document, operation, fragments }, limits) };
}

type ParsedOperation = OperationWithFragments & { readonly document: DocumentNode };

function assemble(
  schema: GraphQLSchema,
  scanned: ScannedDocument,
  parsed: ParsedOperation,
  limits: GraphqlLimits,
): CompiledDocument {
  const { document, operation, fragments } = parsed;
  const offsetOf = (node: ASTNode): number =>
    offsetInKey(scanned, offsetInDocument(scanned, node.loc?.start ?? 0));
  const facts = gatherFacts(schema, document, slotFinder(scanned));
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  // Another operation of the document may have conditions of its own.
  const conditionVariables = facts.conditionVariables.filter((name) => declared.has(name));
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const coerce = compileVariables(schema, operation, limits.validationErrors);
  const source = { schema, operation, fragments, slotOf: facts.slots.get.bind(facts.slots), offsetOf };
  const plans = new Map<string, OperationPlan>();
  return {
    id: nextId++,
    operationName: operation.name?.value,
    isMutation,
    isKeepable: !isMutation && !facts.isVolatile,
    accepts: (literals) =>
      facts.checkedLiterals.every(({ slot, type }) => literalFits(literals[slot] ?? '', type)),
    valuesOf: valuesReader({
      schema,
      operation,
      fragments,
      facts,
      conditionVariables,
      coerce,
      isMutation,
      limits,
      offsetOf,
    }),
    planFor({ variables }) {
      const conditions = conditionVariables.map((name) => variables[name]);
      const key = conditions.join();
      const known = plans.get(key);
      if (known !== undefined) return known;
      const plan = compileOperation(source, variables);
      if (plans.size >= maxPlans) plans.clear();
      plans.set(key, plan);
      return plan;
    },
  };
}

function costProblem(cost: number, limits: GraphqlLimits): string | undefined {
  // The wording of graphql-java.
  return cost > limits.cost ? `maximum query complexity exceeded ${cost} > ${limits.cost}` : undefined;
}

type ValueSource = OperationWithFragments & {
  readonly schema: GraphQLSchema;
  readonly facts: DocumentFacts;
  readonly conditionVariables: readonly string[];
  readonly coerce: VariableCoercion;
  readonly isMutation: boolean;
  readonly limits: GraphqlLimits;
  readonly offsetOf: (node: ASTNode) => number;
};

function valuesReader(source: ValueSource): CompiledDocument['valuesOf'] {
  const { schema, operation, facts, conditionVariables, coerce, isMutation, limits, offsetOf } = source;
  const dependsOnVariables = costDependsOnVariables(operation);

  function measure(literals: readonly string[], variables: Variables): void {
    const problem = dependsOnVariables ? costProblem(costOf(schema, source, variables), limits) : undefined;
    if (problem !== undefined) throw new PostilError('LIMIT_EXCEEDED', problem);
    const budget: InputBudget = { listEntries: 0, isMutation, limits };
    for (const { name, entries } of facts.lists) countEntries(name, entries, budget);
    for (const { slot, name } of facts.literalNames) measureText(name, literals[slot] ?? '', limits);
    for (const [variable, names] of facts.variableNames) {
      const value = variables[variable];
      for (const name of names) {
        if (typeof value === 'string') measureText(name, value, limits);
      }
      if (typeof value === 'object' && value !== null) measureInput([...names].at(-1) ?? '', value, budget);
    }
  }

  return (scanned, variables) => {
    try {
      measure(scanned.literals, variables);
    } catch (cause) {
      if (!(cause instanceof PostilError)) throw cause;
      return { failures: [abortedFailure(cause.code, cause.message)] };
    }
    const coerced = coerce(variables);
    if ('values' in coerced) {
      const { values } = coerced;
      // A variable with a default may be null, even where a directive needs a Boolean.
      const unusable = conditionVariables.find((name) => typeof values[name] !== 'boolean');
      if (unusable === undefined) return { values: { variables: values, literals: scanned.literals } };
      const message = `Variable '${unusable}' has an invalid value: @skip and @include need true or false`;
      return { failures: [validationFailure(message, [], scanned)] };
    }
    const failures = coerced.problems.map(({ message, definition }) =>
      validationFailure(
        message,
        definition === undefined ? [] : [offsetFromKey(scanned, offsetOf(definition))],
        scanned,
      ),
    );
    return { failures };
  };
}

/** Tells the slot of a literal by where it stands in the parsed text. */
function slotFinder(scanned: ScannedDocument): (node: ASTNode) => number | undefined {
  const slotsByStart = new Map<number, number>();
  for (let index = 0; index < scanned.spans.length; index += 3) {
    slotsByStart.set(scanned.spans[index] ?? 0, scanned.spans[index + 2] ?? 0);
  }
  return (node) => slotsByStart.get(offsetInDocument(scanned, node.loc?.start ?? -1));
}

/** The operation to execute, or why it is not clear which. */
function chooseOperation(
  schema: GraphQLSchema,
  operations: readonly OperationDefinitionNode[],
  operationName: string | undefined,
): OperationDefinitionNode | string {
  if (operationName === undefined && operations.length > 1) {
    return 'Must provide operation name if query contains multiple operations.';
  }
  const operation =
    operationName === undefined
      ? operations[0]
      : operations.find(({ name }) => name?.value === operationName);
  if (operation === undefined) {
    return operationName === undefined
      ? 'Must provide an operation.'
      : `Unknown operation named '${operationName}'.`;
  }
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    return 'Schema is not configured for subscriptions.';
  return schema.getRootType(operation.operation)
    ? operation
    : `Schema is not configured for ${operation.operation}s.`;
}

/** Messages quote what was sent, which may be a megabyte. */
const messageCharactersMax = 1000;

function validationFailure(
  text: string,
  offsets: readonly number[],
  scanned: ScannedDocument,
): GraphqlFailure {
  const message = text.length > messageCharactersMax ? `${text.slice(0, messageCharactersMax)}...` : text;
  const locations = offsets.map((offset) => locationOf(scanned.text, offset));
  const extensions = { classification: 'ValidationError' } as const;
  return locations.length === 0 ? { message, extensions } : { message, locations, extensions };
}

function syntaxFailure(error: GraphQLError, scanned: ScannedDocument): GraphqlFailure {
  const offset = offsetInDocument(scanned, error.positions?.[0] ?? 0);
  const location = locationOf(scanned.text, offset);
  const token = /^(?:\w+|\.\.\.|[^\w\s])/u.exec(scanned.text.slice(offset, offset + 80))?.[0] ?? '<EOF>';
  const detail = error.message.replace(/^Syntax Error: /, '').replace(/ Did you mean .*$/s, '');
  return {
    message: `Invalid syntax with offending token '${token}' at line ${location.line} column ${location.column}: ${detail}`,
    locations: [location],
    extensions: { classification: 'InvalidSyntax' },
  };
}
