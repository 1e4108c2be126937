import { BREAK, Kind, print, specifiedRules, validate, visit } from 'graphql';
import type { ASTNode, DocumentNode, GraphQLError, GraphQLSchema, ValidationRule } from 'graphql';

/** An error of validation in graphql-java's words; `offset` is where its first node begins in the parsed text. */
export type ValidationProblem = { readonly message: string; readonly offsets: readonly number[] };

/** graphql-java's name for what the library's rule finds (contract section 3.4); clients look for these words. */
const errorTypes: Readonly<Record<string, string>> = {
  ExecutableDefinitionsRule: 'NonExecutableDefinition',
  UniqueOperationNamesRule: 'DuplicateOperationName',
  LoneAnonymousOperationRule: 'LoneAnonymousOperationViolation',
  SingleFieldSubscriptionsRule: 'SubscriptionMultipleRootFields',
  KnownTypeNamesRule: 'UnknownType',
  FragmentsOnCompositeTypesRule: 'FragmentTypeConditionInvalid',
  VariablesAreInputTypesRule: 'NonInputTypeOnVariable',
  ScalarLeafsRule: 'SubselectionRequired',
  FieldsOnCorrectTypeRule: 'FieldUndefined',
  UniqueFragmentNamesRule: 'DuplicateFragmentName',
  KnownFragmentNamesRule: 'UndefinedFragment',
  NoUnusedFragmentsRule: 'UnusedFragment',
  PossibleFragmentSpreadsRule: 'InvalidFragmentType',
  NoFragmentCyclesRule: 'FragmentCycle',
  UniqueVariableNamesRule: 'DuplicateVariableName',
  NoUndefinedVariablesRule: 'UndefinedVariable',
  NoUnusedVariablesRule: 'UnusedVariable',
  KnownDirectivesRule: 'UnknownDirective',
  UniqueDirectivesPerLocationRule: 'DuplicateDirectiveName',
  KnownArgumentNamesRule: 'UnknownArgument',
  UniqueArgumentNamesRule: 'DuplicateArgumentNames',
  ValuesOfCorrectTypeRule: 'WrongType',
  ProvidedRequiredArgumentsRule: 'MissingFieldArgument',
  VariablesInAllowedPositionRule: 'VariableTypeMismatch',
  OverlappingFieldsCanBeMergedRule: 'FieldsConflict',
  UniqueInputFieldNamesRule: 'DuplicateInputFieldName',
  MaxIntrospectionDepthRule: 'MaxIntrospectionDepth',
};

/** Validates a document by all rules of the specification and reports at most `maxErrors` problems. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  maxErrors: number,
): readonly ValidationProblem[] {
  const ruleNames = new Map<GraphQLError, string>();
  const rules = specifiedRules.map((rule): ValidationRule => (context) => {
    const named: typeof context = Object.create(context, {
      reportError: {
        value(error: GraphQLError) {
          ruleNames.set(error, rule.name);
          context.reportError(error);
        },
      },
    });
    return rule(named);
  });
  const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: true });
  return errors.slice(0, maxErrors).map((error) => ({
    message: wordingOf(error, ruleNames.get(error) ?? '', document),
    offsets: (error.nodes ?? []).flatMap((node) => (node.loc === undefined ? [] : [node.loc.start])),
  }));
}

/** Where a node stands: the names of the fields around it, and of the argument and input members it is in. */
type Place = { readonly fields: readonly string[]; readonly inputs: readonly string[] };

type Wording = { readonly type: string; readonly text: string };

function wordingOf(error: GraphQLError, rule: string, document: DocumentNode): string {
  if (error.message === 'Validation aborted.') {
    // The library's budget for comparing fields pair by pair is used up; it does not say where.
    return 'Validation error (FieldsConflict) : Too many fields share a response key to be compared with each other';
  }
  const node = error.nodes?.[0];
  const place = node === undefined ? { fields: [], inputs: [] } : placeOf(document, node);
  const fallback = { type: errorTypes[rule] ?? 'InvalidSyntax', text: withoutSuggestion(error.message) };
  const { type, text } = knownWording(error.message, rule, place, node) ?? fallback;
  const at = place.fields.length === 0 ? '' : `@[${place.fields.join('/')}]`;
  return `Validation error (${type}${at}) : ${text}`;
}

/** The rows of the table of contract section 3.4. */
function knownWording(
  message: string,
  rule: string,
  place: Place,
  node: ASTNode | undefined,
): Wording | undefined {
  const quoted = [...message.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
  const [first = '', second = ''] = quoted;
  const type = errorTypes[rule] ?? '';
  switch (rule) {
    case 'FieldsOnCorrectTypeRule':
      return { type, text: `Field '${first}' in type '${second}' is undefined` };
    case 'ProvidedRequiredArgumentsRule':
      return message.startsWith('Directive')
        ? { type: 'MissingDirectiveArgument', text: `Missing directive argument '${second}'` }
        : { type, text: `Missing field argument '${second}'` };
    case 'KnownArgumentNamesRule':
      return message.includes(' on directive ')
        ? { type, text: `Unknown directive argument '${first}'` }
        : { type, text: `Unknown field argument '${first}'` };
    case 'ScalarLeafsRule':
      return message.includes('must not have')
        ? {
            type: 'SubselectionNotAllowed',
            text: `Subselection not allowed on leaf type '${second}' of field '${first}'`,
          }
        : { type, text: `Subselection required for type '${second}' of field '${first}'` };
    case 'ValuesOfCorrectTypeRule':
      return { type, text: wrongTypeText(message, quoted, place, node) };
    case 'NoUndefinedVariablesRule':
      return { type, text: `Undefined variable '${first.replace('$', '')}'` };
    case 'NoUnusedVariablesRule':
      return { type, text: `Unused variable '${first.replace('$', '')}'` };
    default:
      return undefined;
  }
}

function wrongTypeText(
  message: string,
  quoted: readonly string[],
  place: Place,
  node: ASTNode | undefined,
): string {
  const [first = ''] = quoted;
  const inputs = place.inputs.length === 0 ? '' : `argument '${place.inputs.join('.')}' `;
  const value = node === undefined || node.kind === Kind.OBJECT_FIELD ? '' : `with value '${print(node)}' `;
  if (message.endsWith('was not provided.')) {
    return `${inputs}${value}is missing required fields '[${first.slice(first.indexOf('.') + 1)}]'`;
  }
  if (message.includes('is not defined by type')) {
    const [name, ...outer] = [...place.inputs].reverse();
    return `argument '${outer.reverse().join('.')}' contains a field not in '${quoted[1] ?? ''}': '${name ?? first}'`;
  }
  if (message.startsWith('Expected value of type')) {
    const why = /; (.*)$/s.exec(message)?.[1];
    return `${inputs}${value}is not a valid '${first.replace(/!$/, '')}'${why === undefined ? '' : ` - ${why}`}`;
  }
  if (message.includes(' enum')) {
    // The last name in quotes of "does not exist in", the first of "cannot represent".
    const type = message.startsWith('Enum') ? first : (quoted.at(-1) ?? '');
    return `${inputs}${value}is not a valid '${type}' - Literal value not in allowable values for enum '${type}'`;
  }
  const scalar = /^(\w+) cannot represent/.exec(message)?.[1];
  const verdict = scalar === undefined ? 'is not valid' : `is not a valid '${scalar}'`;
  return `${inputs}${value}${verdict} - ${withoutSuggestion(message)}`;
}

function withoutSuggestion(message: string): string {
  return message.replace(/ Did you mean .*$/s, '');
}

function placeOf(document: DocumentNode, target: ASTNode): Place {
  const fields: string[] = [];
  const inputs: string[] = [];
  visit(document, {
    enter(node) {
      if (node.kind === Kind.FIELD) fields.push(node.name.value);
      // graphql-java names the fragment a field stands in, but not the operation.
      if (node.kind === Kind.FRAGMENT_DEFINITION) fields.push(node.name.value);
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) inputs.push(node.name.value);
      return node === target ? BREAK : undefined;
    },
    leave(node) {
      if (node.kind === Kind.FIELD || node.kind === Kind.FRAGMENT_DEFINITION) fields.pop();
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) inputs.pop();
    },
  });
  return { fields: [...fields], inputs: [...inputs] };
}
