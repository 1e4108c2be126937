import { isJsonObject } from '../aspect/json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';
import { isUrn, urnType } from '../urn/urn.ts';
import { isRunningUrl } from './link-url.ts';
import { shapeOf } from './shapes/aspect-shapes.ts';
import type { RecordShape, Shape } from './shapes/shape.ts';

/** One thing that is wrong with an aspect: where (a JSON pointer, '' is the aspect itself) and what. */
export type Issue = { readonly pointer: string; readonly message: string };

type Step = string | number;
type Walk = { readonly at: Step[]; readonly issues: Issue[] };

/** Who sends a thousand wrong columns is told about the first of them. */
const maxIssues = 50;
const noIssues: readonly Issue[] = [];

/**
 * What is wrong with the body of an aspect; empty when nothing is. Checked are the kinds of values, required members,
 * enumerations, URNs (well-formed and of an allowed type, wire 5.3; they need not exist), text sizes, and that field paths
 * are neither empty nor repeated (wire 5.2). Members that no shape names are no error, null counts as absent. An aspect
 * without a shape only has to be an object. At most 50 issues are listed.
 */
export function validateAspect(aspect: string, body: JsonValue): readonly Issue[] {
  if (!isJsonObject(body)) return [{ pointer: '', message: `must be an object, not ${kindOf(body)}` }];
  const shape = shapeOf(aspect);
  if (shape === undefined) return noIssues;
  const walk: Walk = { at: [], issues: [] };
  check(shape, body, walk);
  return walk.issues;
}

function check(shape: Shape, value: JsonValue, walk: Walk): void {
  switch (shape.kind) {
    case 'any':
      return;
    case 'string':
      if (typeof value !== 'string') expected('a string', value, walk);
      else if (shape.maxBytes !== undefined && isLonger(value, shape.maxBytes)) {
        report(`is longer than ${shape.maxBytes} bytes`, walk);
      } else if (shape.isLink === true && isRunningUrl(value)) {
        report('must be a link to a page, without javascript:, data: or vbscript:', walk);
      }
      return;
    case 'number':
      if (typeof value !== 'number') expected('a number', value, walk);
      return;
    case 'integer':
      if (!Number.isInteger(value)) expected('an integer', value, walk);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') expected('true or false', value, walk);
      return;
    case 'enum':
      if (typeof value !== 'string' || !shape.values.has(value)) {
        expected(`one of ${[...shape.values].join(', ')}`, value, walk);
      }
      return;
    case 'urn':
      checkUrn(shape.types, value, walk);
      return;
    case 'list':
      if (!isArray(value)) expected('a list', value, walk);
      else checkList(shape, value, walk);
      return;
    case 'map':
      if (!isJsonObject(value)) expected('an object', value, walk);
      else checkMap(shape.values, value, walk);
      return;
    case 'union':
      if (!isJsonObject(value)) expected('an object with one member', value, walk);
      else checkUnion(shape.branches, value, walk);
      return;
    case 'record':
      if (!isJsonObject(value)) expected('an object', value, walk);
      else checkRecord(shape, value, walk);
  }
}

function checkUrn(types: ReadonlySet<string> | undefined, value: JsonValue, walk: Walk): void {
  if (!isUrn(value)) expected('a urn', value, walk);
  else if (types !== undefined && !types.has(urnType(value))) {
    expected(`a ${[...types].join(' or ')} urn`, value, walk);
  }
}

function checkList(shape: Shape & { readonly kind: 'list' }, list: JsonArray, walk: Walk): void {
  const seen = shape.distinct === undefined ? undefined : new Set<JsonValue>();
  const depth = walk.at.length;
  for (const [index, item] of list.entries()) {
    if (walk.issues.length >= maxIssues) return;
    walk.at.push(index);
    if (item === null) report('must not be null', walk);
    else check(shape.items, item, walk);
    if (shape.distinct !== undefined && seen !== undefined && isJsonObject(item)) {
      checkDistinct(shape.distinct, item[shape.distinct], seen, walk);
    }
    walk.at.length = depth;
  }
}

function checkDistinct(name: string, value: JsonValue | undefined, seen: Set<JsonValue>, walk: Walk): void {
  if (typeof value !== 'string') return;
  walk.at.push(name);
  if (value === '') report('must not be empty', walk);
  else if (seen.has(value)) report(`repeats ${JSON.stringify(value)}`, walk);
  seen.add(value);
}

function checkMap(values: Shape, map: JsonObject, walk: Walk): void {
  const depth = walk.at.length;
  for (const name in map) {
    const value = map[name];
    if (value === undefined || value === null) continue;
    if (walk.issues.length >= maxIssues) return;
    walk.at.push(name);
    check(values, value, walk);
    walk.at.length = depth;
  }
}

function checkUnion(branches: ReadonlyMap<string, Shape>, value: JsonObject, walk: Walk): void {
  const [name, ...others] = Object.keys(value);
  const branch = name === undefined ? undefined : branches.get(name);
  const inner = name === undefined ? undefined : value[name];
  if (name === undefined || branch === undefined || inner === undefined || others.length > 0) {
    report(`must have exactly one of the members ${[...branches.keys()].join(', ')}`, walk);
    return;
  }
  walk.at.push(name);
  if (inner === null) report('must not be null', walk);
  else check(branch, inner, walk);
  walk.at.pop();
}

function checkRecord(shape: RecordShape, value: JsonObject, walk: Walk): void {
  const depth = walk.at.length;
  let missing = shape.requiredCount;
  for (const name in value) {
    const member = shape.members.get(name);
    if (member === undefined) continue;
    const inner = value[name];
    if (inner === undefined || inner === null) continue;
    if (member.required) missing -= 1;
    walk.at.push(name);
    check(member.shape, inner, walk);
    walk.at.length = depth;
  }
  if (missing === 0) return;
  for (const [name, member] of shape.members) {
    if (!member.required || (value[name] !== undefined && value[name] !== null)) continue;
    walk.at.push(name);
    report('is required', walk);
    walk.at.length = depth;
  }
}

function expected(what: string, value: JsonValue, walk: Walk): void {
  report(`must be ${what}, not ${kindOf(value)}`, walk);
}

function report(message: string, walk: Walk): void {
  if (walk.issues.length < maxIssues) walk.issues.push({ pointer: pointerOf(walk.at), message });
}

function pointerOf(steps: readonly Step[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string')
    return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}...` : value);
  if (typeof value === 'object') return isArray(value) ? 'a list' : 'an object';
  return String(value);
}

function isLonger(value: string, bytes: number): boolean {
  return value.length * 3 > bytes && Buffer.byteLength(value) > bytes;
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
