import {
  coerceInputValue,
  getVariableValues,
  isInputType,
  isNonNullType,
  getNullableType,
  isScalarType,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import { takesAnyText } from './input-value.ts';

export type VariableProblem = {
  readonly message: string;
  readonly definition: VariableDefinitionNode | undefined;
};

/** The coerced variables, or what is wrong with them. */
export type CoercedVariables =
  | { readonly values: { readonly [name: string]: unknown } }
  | { readonly problems: readonly VariableProblem[] };

/** Coerces what a request sent, by the rules of the specification, section 6.1.2. */
export type VariableCoercion = (sent: { readonly [name: string]: unknown }) => CoercedVariables;

/** Compiles the coercion for one operation; the common case, plain texts, costs almost nothing per request. */
export function compileVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  maxErrors: number,
): VariableCoercion {
  const definitions = operation.variableDefinitions ?? [];
  const variables = definitions.flatMap((definition) => {
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) return [];
    return {
      name: definition.variable.name.value,
      type,
      isNonNull: isNonNullType(type),
      isText: isScalarType(getNullableType(type)) && takesAnyText(type),
      defaultValue: definition.defaultValue && valueFromAST(definition.defaultValue, type),
    };
  });

  return (sent) => {
    const values: Record<string, unknown> = Object.create(null);
    let isGood = true;
    const onError = (): void => {
      isGood = false;
    };
    for (const { name, type, isNonNull, isText, defaultValue } of variables) {
      if (!Object.hasOwn(sent, name)) {
        if (defaultValue !== undefined) values[name] = defaultValue;
        else if (isNonNull) isGood = false;
        continue;
      }
      const value = sent[name];
      if (isText && typeof value === 'string') values[name] = value;
      else values[name] = coerceInputValue(value, type, onError);
    }
    return isGood ? { values } : { problems: problemsOf(schema, definitions, sent, maxErrors) };
  };
}

/** Only when something is wrong: the library says what. */
function problemsOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  sent: { readonly [name: string]: unknown },
  maxErrors: number,
): readonly VariableProblem[] {
  const { errors = [] } = getVariableValues(schema, definitions, sent, { maxErrors, hideSuggestions: true });
  return errors.slice(0, maxErrors).map(({ message, nodes }) => {
    const start = nodes?.[0]?.loc?.start;
    const definition = definitions.find(({ loc, type, variable }) =>
      [loc?.start, type.loc?.start, variable.loc?.start].includes(start),
    );
    return { message: wordingOf(message), definition };
  });
}

/** graphql-java's wording (contract section 3.4). */
function wordingOf(message: string): string {
  const missing = /^Variable "\$(\w+)" of (?:required|non-null) type "([^"]+)" /.exec(message);
  if (missing !== null) {
    const [, name = '', type = ''] = missing;
    return `Variable '${name}' has an invalid value: Variable '${name}' has coerced Null value for NonNull type '${type}'`;
  }
  return message
    .replace(/ Did you mean .*$/s, '')
    .replace(/^Variable "\$(\w+)" got invalid value /, "Variable '$1' has an invalid value: ");
}
