import { PostilError } from '../errors/postil-error.ts';
import type {
  AbstractCompletion,
  Completion,
  FieldPlan,
  ListCompletion,
  OperationPlan,
  RequestValues,
  SelectionPlan,
} from './plan.ts';
import type { RequestContext } from './request-context.ts';
import type { ResponsePath } from './resolver.ts';
import { textOf } from './written.ts';
import type { Hole, Written } from './written.ts';

/** One error of one field: what was thrown, or a `NullInNonNullField`, and where. */
export type FieldError = {
  readonly cause: unknown;
  readonly field: FieldPlan;
  readonly path: ResponsePath;
};

/** A value that the schema promises is missing; the nearest nullable field above becomes null (specification, 6.4.4). */
export class NullInNonNullField {
  readonly typeText: string;

  constructor(typeText: string) {
    this.typeText = typeText;
  }
}

/** One execution under way. */
export type Execution = {
  readonly context: RequestContext;
  readonly values: RequestValues;
  readonly errors: FieldError[];
  /** Set from outside when time is up: no further resolver is called. */
  isCancelled: boolean;
  /** How many more characters the answer may have. Below zero nothing is written any more, and `data` is worthless. */
  charactersLeft: number;
  /** How many places wait for a promise, and what to do when none does any more. */
  waiting: number;
  onSettled: () => void;
};

/** No error takes less than this in the answer. */
const errorCharactersMin = 100;

export function createExecution(
  context: RequestContext,
  values: RequestValues,
  charactersMax: number,
): Execution {
  return {
    context,
    values,
    errors: [],
    isCancelled: false,
    charactersLeft: charactersMax,
    waiting: 0,
    onSettled: () => {},
  };
}

function settled(execution: Execution): Promise<void> {
  return new Promise((resolve) => {
    execution.onSettled = resolve;
  });
}

/** Lets a place wait for a promise; `write` and `fail` give what is written there, and do not throw. */
function writeLater(
  execution: Execution,
  promise: PromiseLike<unknown>,
  write: (value: unknown) => Written,
  writeFailure: (cause: unknown) => Written,
): Hole {
  const hole: Hole = { kind: 'hole', written: undefined };
  execution.waiting += 1;
  const settle = (written: Written): void => {
    hole.written = written;
    execution.waiting -= 1;
    if (execution.waiting === 0) execution.onSettled();
  };
  promise.then(
    (value) => settle(write(value)),
    (cause: unknown) => settle(writeFailure(cause)),
  );
  return hole;
}

/**
 * Executes a compiled operation and gives the JSON text of `data`, by the rules of the specification, section 6: siblings
 * in parallel (the root fields of a mutation one after another), errors collected in `execution.errors`, null propagated to
 * the nearest nullable place. Answers at once when no resolver gave a promise, and otherwise when all that was begun has
 * ended. Never throws and never rejects.
 */
export function executeOperation(execution: Execution, plan: OperationPlan): string | Promise<string> {
  if (plan.isSerial) return executeSerially(execution, plan.selection);
  const written = executeSelection(execution, plan.selection, undefined, undefined);
  if (execution.waiting === 0) return textOf(written) ?? 'null';
  return settled(execution).then(() => textOf(written) ?? 'null');
}

async function executeSerially(execution: Execution, selection: SelectionPlan): Promise<string> {
  if (selection.fields.length === 0) return '{}';
  let text = '';
  for (const field of selection.fields) {
    const written = executeField(execution, field, undefined, undefined);
    if (execution.waiting > 0) await settled(execution);
    const known = textOf(written);
    if (known === undefined) return 'null';
    text += field.prefix + known;
  }
  return `${text}}`;
}

function executeSelection(
  execution: Execution,
  selection: SelectionPlan,
  source: unknown,
  path: ResponsePath | undefined,
): Written {
  const { fields } = selection;
  if (fields.length === 0) return '{}';
  let text = '';
  let parts: Written[] | undefined;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (field === undefined) continue;
    execution.charactersLeft -= field.prefix.length;
    const written = executeField(execution, field, source, path);
    if (written === undefined) return undefined;
    if (typeof written === 'string') {
      text += field.prefix + written;
    } else {
      parts ??= [];
      parts.push(text + field.prefix, written);
      text = '';
    }
  }
  text += '}';
  if (parts === undefined) return text;
  parts.push(text);
  return { kind: 'pieces', parts, isNullable: false };
}

function executeField(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  parent: ResponsePath | undefined,
): Written {
  // Whoever asks for far too much is not worked for any longer, and takes no more memory, than the answer may.
  if (execution.charactersLeft < 0) return undefined;
  if (field.constantText !== undefined) return spend(execution, field.constantText);
  if (field.resolve === undefined && field.preserialised === undefined) {
    return executeProperty(execution, field, source, parent);
  }
  const { completion, responseKey } = field;
  try {
    if (execution.isCancelled) throw new PostilError('TIMED_OUT', 'The request took too long.');
    const args = field.arguments.isConstant ? field.arguments.value : field.arguments.read(execution.values);
    const text = field.preserialised?.(source, args, execution.context);
    if (typeof text === 'string') return spend(execution, text);
    if (text === undefined) return resolveField(execution, field, source, args, parent);
    return writeLater(
      execution,
      text,
      (later) =>
        typeof later === 'string'
          ? spend(execution, later)
          : resolveCaught(execution, field, source, args, parent),
      (cause) => fail(execution, field, completion, parent, responseKey, cause),
    );
  } catch (cause) {
    return fail(execution, field, completion, parent, responseKey, cause);
  }
}

function spend(execution: Execution, text: string): string {
  execution.charactersLeft -= text.length;
  return text;
}

/** Calls the resolver; what it throws is for the caller to catch. */
function resolveField(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  args: unknown,
  parent: ResponsePath | undefined,
): Written {
  const info = { fieldName: field.name, path: { previous: parent, key: field.responseKey } };
  const value = field.resolve?.(source, args, execution.context, info);
  return completeMaybeLater(execution, field, field.completion, value, parent, field.responseKey);
}

/** The same where nobody catches. */
function resolveCaught(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  args: unknown,
  parent: ResponsePath | undefined,
): Written {
  try {
    return resolveField(execution, field, source, args, parent);
  } catch (cause) {
    return fail(execution, field, field.completion, parent, field.responseKey, cause);
  }
}

/** The default resolver: the property of the field's name, called when it is a function. */
function executeProperty(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  parent: ResponsePath | undefined,
): Written {
  const { completion, responseKey } = field;
  try {
    let value = hasProperties(source) ? source[field.name] : undefined;
    if (typeof value === 'function') {
      const args = field.arguments.isConstant
        ? field.arguments.value
        : field.arguments.read(execution.values);
      const info = { fieldName: field.name, path: { previous: parent, key: responseKey } };
      value = Reflect.apply(value, source, [args, execution.context, info]) as unknown;
    }
    return completeMaybeLater(execution, field, completion, value, parent, responseKey);
  } catch (cause) {
    return fail(execution, field, completion, parent, responseKey, cause);
  }
}

function hasProperties(source: unknown): source is { readonly [name: string]: unknown } {
  return (typeof source === 'object' && source !== null) || typeof source === 'function';
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function completeMaybeLater(
  execution: Execution,
  field: FieldPlan,
  completion: Completion,
  value: unknown,
  parent: ResponsePath | undefined,
  key: string | number,
): Written {
  if (!isPromise(value)) return complete(execution, field, completion, value, parent, key);
  return writeLater(
    execution,
    value,
    (later) => complete(execution, field, completion, later, parent, key),
    (cause) => fail(execution, field, completion, parent, key, cause),
  );
}

/** Records an error at one place: null there, or, where null is not allowed, a missing value for the place above. */
function fail(
  execution: Execution,
  field: FieldPlan,
  completion: Completion,
  parent: ResponsePath | undefined,
  key: string | number,
  cause: unknown,
): Written {
  execution.errors.push({ cause, field, path: { previous: parent, key } });
  execution.charactersLeft -= errorCharactersMin;
  return completion.isNonNull ? undefined : 'null';
}

/** Writes one resolved value. Never throws: what is wrong becomes an error at this place or below it. */
function complete(
  execution: Execution,
  field: FieldPlan,
  completion: Completion,
  value: unknown,
  parent: ResponsePath | undefined,
  key: string | number,
): Written {
  if (execution.charactersLeft < 0) return undefined;
  if (value === null || value === undefined) {
    if (!completion.isNonNull) return 'null';
    return fail(execution, field, completion, parent, key, new NullInNonNullField(completion.typeText));
  }
  if (value instanceof Error) return fail(execution, field, completion, parent, key, value);
  try {
    switch (completion.kind) {
      case 'leaf':
        return spend(execution, completion.write(value));
      case 'object':
        return nullable(
          completion,
          executeSelection(execution, completion.selection, value, { previous: parent, key }),
        );
      case 'list':
        return nullable(
          completion,
          writeList(execution, field, completion, value, { previous: parent, key }),
        );
      case 'abstract':
        return completeAbstract(execution, field, completion, value, parent, key);
    }
  } catch (cause) {
    return fail(execution, field, completion, parent, key, cause);
  }
}

/** What is missing below becomes null here, if null is allowed here. */
function nullable(completion: Completion, written: Written): Written {
  if (completion.isNonNull || typeof written === 'string') return written;
  if (written === undefined) return 'null';
  if (written.kind === 'pieces') written.isNullable = true;
  return written;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function writeList(
  execution: Execution,
  field: FieldPlan,
  completion: ListCompletion,
  value: unknown,
  path: ResponsePath,
): Written {
  if (!isIterable(value)) {
    throw new Error(`Expected a list for the field '${field.name}' of '${field.parentTypeName}'`);
  }
  let text = '[';
  let parts: Written[] | undefined;
  let index = 0;
  for (const item of value) {
    if (index > 0) text += ',';
    const written = completeMaybeLater(execution, field, completion.item, item, path, index);
    index += 1;
    if (written === undefined) return undefined;
    if (typeof written === 'string') {
      text += written;
    } else {
      parts ??= [];
      parts.push(text, written);
      text = '';
    }
  }
  text += ']';
  if (parts === undefined) return text;
  parts.push(text);
  return { kind: 'pieces', parts, isNullable: false };
}

/** Finds the object type of a value of an interface or union, and writes the value as that. */
function completeAbstract(
  execution: Execution,
  field: FieldPlan,
  completion: AbstractCompletion,
  value: unknown,
  parent: ResponsePath | undefined,
  key: string | number,
): Written {
  const path = { previous: parent, key };
  const write = (typeName: unknown): Written => {
    const selection = typeof typeName === 'string' ? completion.selectionOf(typeName) : undefined;
    if (selection === undefined) {
      const problem = `'${String(typeName)}' is not a type of '${completion.typeText}'`;
      return fail(execution, field, completion, parent, key, new Error(problem));
    }
    return nullable(completion, executeSelection(execution, selection, value, path));
  };
  const typeName =
    completion.resolveType === undefined
      ? hasProperties(value) && value['__typename']
      : completion.resolveType(value, {}, execution.context, { fieldName: field.name, path });
  if (!isPromise(typeName)) return write(typeName);
  return writeLater(execution, typeName, write, (cause) =>
    fail(execution, field, completion, parent, key, cause),
  );
}
