import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { type Findings, maxErrors, pointerTo, report } from './issue.ts';
import { maxOperands, maxParameters, type ReadingState } from './reading-state.ts';

const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;
const reference = /\$\{([^{}]{1,100})\}/g;

/** What `params` declares. */
export type Parameters = {
  /** The same for every entity. */
  readonly constants: ReadonlyMap<string, readonly string[]>;
  /** Those whose value depends on the entity, by name. */
  readonly bound: ReadonlyMap<string, WrittenBinding>;
};

/** A parameter whose bindings are not read yet: the first whose predicate holds gives the value, else the default. */
export type WrittenBinding = {
  readonly fallback: readonly string[];
  readonly bindings: readonly {
    readonly when: JsonValue | undefined;
    readonly texts: readonly string[];
    readonly pointer: string;
  }[];
};

/**
 * Reads `params`: constants by name, each a text, a number, true, false, or a list of them; or
 * `{"default": ..., "bindings": [{"when": predicate, "value": ...}]}`, a value for each scope.
 */
export function readParameters(
  value: JsonValue | undefined,
  pointer: string,
  findings: Findings,
): Parameters | undefined {
  if (value === undefined || value === null) return undefined;
  findings.extensions.add(pointer);
  if (!isJsonObject(value)) {
    report(findings, 'MT008', pointer, "'params' is an object: the value of each parameter by its name.");
    return undefined;
  }
  if (Object.keys(value).length > maxParameters) {
    report(findings, 'MT140', pointer, `A definition has at most ${maxParameters} parameters.`);
    return undefined;
  }
  const constants = new Map<string, readonly string[]>();
  const bound = new Map<string, WrittenBinding>();
  for (const [name, written] of Object.entries(value)) {
    const at = pointerTo(pointer, name);
    const texts = textsOf(written);
    if (!namePattern.test(name)) {
      report(findings, 'MT008', at, `'${name}' is no name for a parameter: letters, digits, '_' and '-'.`);
    } else if (texts !== undefined) constants.set(name, texts);
    else if (isJsonObject(written)) {
      const binding = readBinding(written, at, findings);
      if (binding !== undefined) bound.set(name, binding);
    } else report(findings, 'MT008', at, `A parameter is ${valueForm}.`);
  }
  return { constants, bound };
}

const valueForm = 'a string, a number, true, false, or a list of them';

function readBinding(written: JsonObject, pointer: string, findings: Findings): WrittenBinding | undefined {
  const unknown = Object.keys(written).find((key) => key !== 'default' && key !== 'bindings');
  const { bindings } = written;
  const fallback = textsOf(written['default']);
  if (unknown !== undefined || fallback === undefined || !Array.isArray(bindings)) {
    const message = `A parameter is ${valueForm}, or an object with a 'default' like that and a list of 'bindings'.`;
    report(findings, 'MT008', unknown === undefined ? pointer : pointerTo(pointer, unknown), message);
    return undefined;
  }
  const items = (bindings as readonly JsonValue[]).flatMap((item, index) => {
    const at = pointerTo(pointerTo(pointer, 'bindings'), index);
    const texts = isJsonObject(item) ? textsOf(item['value']) : undefined;
    if (isJsonObject(item) && texts !== undefined && item['when'] !== undefined) {
      return [{ when: item['when'], texts, pointer: pointerTo(at, 'when') }];
    }
    report(
      findings,
      'MT008',
      at,
      `A binding is an object with a predicate 'when' and a 'value': ${valueForm}.`,
    );
    return [];
  });
  return { fallback, bindings: items };
}

function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  const items: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : [value];
  if (items.length > maxOperands) return undefined;
  const texts: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean') return undefined;
    texts.push(String(item));
  }
  return texts;
}

/**
 * A written value with its parameters filled in: several where the whole value is one parameter that holds a list. Text
 * in definitions without `params` stays as it is. Reports MT121 for a parameter that is not declared.
 */
export function expandParameters(text: string, pointer: string, state: ReadingState): readonly string[] {
  const { parameters, findings } = state;
  if (parameters === undefined || !text.includes('${')) return [text];
  const whole = /^\$\{([^{}]{1,100})\}$/.exec(text)?.[1];
  const list = whole === undefined ? undefined : parameters.get(whole);
  if (list !== undefined) return list;
  const filled = text.replaceAll(reference, (written, name: string) => {
    const [only, ...others] = parameters.get(name) ?? [];
    if (only !== undefined && others.length === 0) return only;
    if (state.bound.has(name)) {
      const depends = `The value of parameter '${name}' depends on the entity: only conditions and rules can use it.`;
      report(findings, 'MT121', pointer, depends);
      return written;
    }
    const nearest =
      parameters.has(name) || findings.issues.length >= maxErrors
        ? undefined
        : nearestName(name, parameters.keys());
    const message = parameters.has(name)
      ? `Parameter '${name}' does not hold one value, so it can only stand alone.`
      : `There is no parameter '${name}' in 'params'.`;
    const suggestion = nearest === undefined ? undefined : text.replace(written, () => `\${${nearest}}`);
    report(findings, 'MT121', pointer, message, suggestion);
    return written;
  });
  return [filled];
}
