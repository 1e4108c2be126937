import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { type Findings, note, pointerTo, report } from './issue.ts';
import type { Rule, Severity } from './predicate.ts';
import { readScoped } from './read-scoped.ts';
import { maxLeaves, type ReadingState } from './reading-state.ts';

export const severities: readonly Severity[] = ['error', 'warn', 'info'];

/** What a message may have filled in. */
export const captures: readonly string[] = ['name', 'count', 'sample'];

const ruleKeys: readonly string[] = ['id', 'severity', 'message', 'docs'];

/**
 * Reads `rules`: a list of rules, `{"and": [...]}` of rules, or one rule. Each is a predicate with keys of its own. The
 * answer is only good when no error was reported.
 */
export function readRules(
  value: JsonValue,
  pointer: string,
  state: ReadingState,
): readonly Rule[] | undefined {
  const list = listOf(value, pointer);
  if (list === undefined) {
    const rule = readRule(value, pointer, 1, 1, state);
    return rule === undefined ? undefined : [rule];
  }
  if (Array.isArray(value)) note(state.findings, 'N6', pointer, 'A list of predicates means and.');
  const rules: Rule[] = [];
  const ids = new Set<string>();
  for (const [index, item] of list.items.entries()) {
    if (state.leaves > maxLeaves) break;
    const rule = readRule(item, pointerTo(list.pointer, index), index + 1, 2, state);
    if (rule === undefined) continue;
    if (ids.has(rule.id)) {
      report(state.findings, 'MT008', pointerTo(rule.pointer, 'id'), `There are two rules '${rule.id}'.`);
    }
    ids.add(rule.id);
    rules.push(rule);
  }
  return rules;
}

/** A conjunction that has no keys of a rule is a list of rules. */
function listOf(
  value: JsonValue,
  pointer: string,
): { readonly items: readonly JsonValue[]; readonly pointer: string } | undefined {
  if (Array.isArray(value)) return { items: value, pointer };
  if (!isJsonObject(value)) return undefined;
  const key = isDraft(value) ? 'operands' : Object.keys(value).length === 1 ? 'and' : '';
  const items = value[key];
  return Array.isArray(items) ? { items, pointer: pointerTo(pointer, key) } : undefined;
}

/** `{"operator": "and", "operands": [...]}`, as DataHub's builder drafts it. */
function isDraft(value: JsonObject): boolean {
  const operator = value['operator'];
  return typeof operator === 'string' && operator.toLowerCase() === 'and' && Object.keys(value).length === 2;
}

function readRule(
  value: JsonValue,
  pointer: string,
  position: number,
  depth: number,
  state: ReadingState,
): Rule | undefined {
  const written = isJsonObject(value) ? value : {};
  const severity = readSeverity(written['severity'], pointerTo(pointer, 'severity'), state.findings);
  if (severity !== 'error') state.findings.extensions.add(pointerTo(pointer, 'severity'));
  const id = readText(written, 'id', pointer, state.findings) ?? `rule-${position}`;
  const message = readText(written, 'message', pointer, state.findings);
  const docs = readText(written, 'docs', pointer, state.findings);
  if (docs !== undefined && !isWebAddress(docs)) {
    report(
      state.findings,
      'MT008',
      pointerTo(pointer, 'docs'),
      "'docs' is a URL that starts with http:// or https://.",
    );
  }
  if (message !== undefined) checkCaptures(message, pointerTo(pointer, 'message'), state.findings);
  const predicate = readScoped(withoutKeys(value), pointer, state, depth);
  if (predicate === undefined) return undefined;
  return {
    id,
    severity,
    ...(message === undefined ? {} : { message }),
    ...(docs === undefined ? {} : { docs }),
    predicate,
    pointer,
  };
}

/** The predicate of a rule, without what is about the rule. */
function withoutKeys(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !ruleKeys.some((key) => Object.hasOwn(value, key))) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !ruleKeys.includes(key)));
}

export function readSeverity(value: JsonValue | undefined, pointer: string, findings: Findings): Severity {
  if (value === undefined) return 'error';
  const severity = severities.find((name) => name === value);
  if (severity !== undefined) return severity;
  const nearest = typeof value === 'string' ? nearestName(value, severities) : undefined;
  report(findings, 'MT008', pointer, `'severity' is one of ${severities.join(', ')}.`, nearest);
  return 'error';
}

function readText(value: JsonObject, key: string, pointer: string, findings: Findings): string | undefined {
  const text = value[key];
  if (text === undefined || text === null) return undefined;
  if (typeof text === 'string' && text !== '' && text.length <= 2_000) return text;
  report(findings, 'MT008', pointerTo(pointer, key), `'${key}' is a text of 1 to 2000 characters.`);
  return undefined;
}

/** People follow it from explanations, so nothing may run by following it. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function checkCaptures(message: string, pointer: string, findings: Findings): void {
  for (const [written, name = ''] of message.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)) {
    if (captures.includes(name)) continue;
    const nearest = nearestName(name, captures);
    const suggestion = nearest === undefined ? undefined : message.replace(written, () => `{{${nearest}}}`);
    const known = captures.map((capture) => `{{${capture}}}`).join(', ');
    report(findings, 'MT008', pointer, `A message can have ${known} filled in, not ${written}.`, suggestion);
  }
}
