import { isJsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { type Findings, pointerTo, report } from './issue.ts';
import { maxOperands, type ReadingState } from './reading-state.ts';

const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;
const reference = /\$\{([^{}]{1,100})\}/g;

/** Reads `params`: constants by name, each a text, a number, true, false, or a list of them. */
export function readParameters(
  value: JsonValue | undefined,
  pointer: string,
  findings: Findings,
): ReadonlyMap<string, readonly string[]> | undefined {
  if (value === undefined || value === null) return undefined;
  findings.extensions.add(pointer);
  if (!isJsonObject(value)) {
    report(findings, 'MT008', pointer, "'params' is an object: the value of each parameter by its name.");
    return undefined;
  }
  const parameters = new Map<string, readonly string[]>();
  for (const [name, written] of Object.entries(value)) {
    const at = pointerTo(pointer, name);
    const texts = textsOf(written);
    if (!namePattern.test(name)) {
      report(findings, 'MT008', at, `'${name}' is no name for a parameter: letters, digits, '_' and '-'.`);
    } else if (texts === undefined) {
      report(findings, 'MT008', at, 'A parameter is a string, a number, true, false, or a list of them.');
    } else parameters.set(name, texts);
  }
  return parameters;
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
    const nearest = parameters.has(name) ? undefined : nearestName(name, parameters.keys());
    const message = parameters.has(name)
      ? `Parameter '${name}' does not hold one value, so it can only stand alone.`
      : `There is no parameter '${name}' in 'params'.`;
    const suggestion = nearest === undefined ? undefined : text.replace(written, () => `\${${nearest}}`);
    report(findings, 'MT121', pointer, message, suggestion);
    return written;
  });
  return [filled];
}
