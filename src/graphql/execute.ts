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
};

/** JSON text; `undefined` for a missing value that makes what is around it null. An error was recorded for it. */
type Written = string | undefined;
type MaybeLater<Value> = Value | Promise<Value>;

/**
 * Executes a compiled operation and gives the JSON text of `data`, by the rules of the specification, section 6: siblings
 * in parallel (the root fields of a mutation one after another), errors collected in `execution.errors`, null propagated to
 * the nearest nullable place. Answers at once when no resolver gave a promise. Never throws and never rejects.
 */
export function executeOperation(execution: Execution, plan: OperationPlan): MaybeLater<string> {
  if (plan.isSerial) return executeSerially(execution, plan.selection);
  const written = executeSelection(execution, plan.selection, undefined, undefined);
  return written instanceof Promise ? written.then(textOrNull) : textOrNull(written);
}

function textOrNull(written: Written): string {
  return written ?? 'null';
}

async function executeSerially(execution: Execution, selection: SelectionPlan): Promise<string> {
  if (selection.fields.length === 0) return '{}';
  let text = '';
  for (const field of selection.fields) {
    const written = await executeField(execution, field, undefined, undefined);
    if (written === undefined) return 'null';
    text += field.prefix + written;
  }
  return `${text}}`;
}

function executeSelection(
  execution: Execution,
  selection: SelectionPlan,
  source: unknown,
  path: ResponsePath | undefined,
): MaybeLater<Written> {
  const { fields } = selection;
  if (fields.length === 0) return '{}';
  let text = '';
  let parts: MaybeLater<Written>[] | undefined;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (field === undefined) continue;
    const written = executeField(execution, field, source, path);
    if (typeof written === 'string') {
      text += field.prefix + written;
    } else if (written === undefined) {
      return parts === undefined ? undefined : join(parts, undefined);
    } else {
      parts ??= [];
      parts.push(text + field.prefix, written);
      text = '';
    }
  }
  return parts === undefined ? `${text}}` : join(parts, `${text}}`);
}

/** Waits for all parts, also where the whole is lost already, so that nothing goes on behind a finished answer. */
function join(parts: MaybeLater<Written>[], end: Written): Promise<Written> {
  const [first, only] = parts;
  if (parts.length === 2 && typeof first === 'string' && only instanceof Promise) {
    return only.then((written) =>
      written === undefined || end === undefined ? undefined : first + written + end,
    );
  }
  return Promise.all(parts.map((part) => Promise.resolve(part))).then((written) => {
    let text = '';
    for (const part of written) {
      if (part === undefined) return undefined;
      text += part;
    }
    return end === undefined ? undefined : text + end;
  });
}

function executeField(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  parent: ResponsePath | undefined,
): MaybeLater<Written> {
  if (field.constantText !== undefined) return field.constantText;
  if (field.resolve === undefined && field.preserialised === undefined) {
    return executeProperty(execution, field, source, parent);
  }
  try {
    if (execution.isCancelled) throw new PostilError('TIMED_OUT', 'The request took too long.');
    const args = field.arguments.isConstant ? field.arguments.value : field.arguments.read(execution.values);
    if (field.preserialised !== undefined) {
      const text = field.preserialised(source, args, execution.context);
      if (typeof text === 'string') return text;
      if (text !== undefined) {
        return text.then(
          (later) => later ?? resolveCaught(execution, field, source, args, parent),
          (cause: unknown) => fail(execution, field, field.completion, parent, field.responseKey, cause),
        );
      }
    }
    return resolveField(execution, field, source, args, parent);
  } catch (cause) {
    return fail(execution, field, field.completion, parent, field.responseKey, cause);
  }
}

/** Calls the resolver; what it throws is for the caller to catch. */
function resolveField(
  execution: Execution,
  field: FieldPlan,
  source: unknown,
  args: unknown,
  parent: ResponsePath | undefined,
): MaybeLater<Written> {
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
): MaybeLater<Written> {
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
): MaybeLater<Written> {
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
): MaybeLater<Written> {
  if (!isPromise(value)) return complete(execution, field, completion, value, parent, key);
  return Promise.resolve(value).then(
    (later) => complete(execution, field, completion, later, parent, key),
    (cause: unknown) => fail(execution, field, completion, parent, key, cause),
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
): MaybeLater<Written> {
  if (value === null || value === undefined) {
    if (!completion.isNonNull) return 'null';
    return fail(execution, field, completion, parent, key, new NullInNonNullField(completion.typeText));
  }
  if (value instanceof Error) return fail(execution, field, completion, parent, key, value);
  try {
    switch (completion.kind) {
      case 'leaf':
        return completion.write(value);
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
function nullable(completion: Completion, written: MaybeLater<Written>): MaybeLater<Written> {
  if (completion.isNonNull || typeof written === 'string') return written;
  return written === undefined ? 'null' : written.then(textOrNull);
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
): MaybeLater<Written> {
  if (!isIterable(value)) {
    throw new Error(`Expected a list for the field '${field.name}' of '${field.parentTypeName}'`);
  }
  let text = '[';
  let parts: MaybeLater<Written>[] | undefined;
  let index = 0;
  for (const item of value) {
    if (index > 0) text += ',';
    const written = completeMaybeLater(execution, field, completion.item, item, path, index);
    index += 1;
    if (typeof written === 'string') {
      text += written;
    } else if (written === undefined) {
      return parts === undefined ? undefined : join(parts, undefined);
    } else {
      parts ??= [];
      parts.push(text, written);
      text = '';
    }
  }
  return parts === undefined ? `${text}]` : join(parts, `${text}]`);
}

/** Finds the object type of a value of an interface or union, and writes the value as that. */
function completeAbstract(
  execution: Execution,
  field: FieldPlan,
  completion: AbstractCompletion,
  value: unknown,
  parent: ResponsePath | undefined,
  key: string | number,
): MaybeLater<Written> {
  const path = { previous: parent, key };
  const write = (typeName: unknown): MaybeLater<Written> => {
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
  return Promise.resolve(typeName).then(write, (cause: unknown) =>
    fail(execution, field, completion, parent, key, cause),
  );
}
