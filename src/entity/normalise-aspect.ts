import { isJsonObject } from '../aspect/json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';
import { plainClassName } from './entity-registry.ts';
import { shapeOf } from './shapes/aspect-shapes.ts';
import type { Shape } from './shapes/shape.ts';

const numberNames: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double']);

/**
 * The body as a server expects it, from what files on disk hold (wire 10, trap 26): `pegasus2avro` taken out of the class
 * names of unions, Avro's nullable unions such as `{"string": "x"}` unwrapped where the aspect's shape has a plain value
 * (real unions keep their key), and null members dropped. The same object when there was nothing to do.
 */
export function normaliseAspect(aspect: string, body: JsonValue): JsonValue {
  return normalised(shapeOf(aspect), body);
}

function normalised(shape: Shape | undefined, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return normalisedList(shape?.kind === 'list' ? shape.items : undefined, value);
  if (!isJsonObject(value)) return value;
  const inner = shape === undefined ? value : unwrapped(shape, value);
  return inner === value ? normalisedObject(shape, value) : normalised(shape, inner);
}

function normalisedList(items: Shape | undefined, list: JsonArray): JsonArray {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = normalised(items, item);
    if (changed === item) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

function normalisedObject(shape: Shape | undefined, object: JsonObject): JsonObject {
  const mayBeUnion = shape?.kind !== 'map' && onlyMember(object) !== undefined;
  const entries: [string, JsonValue][] = [];
  let isChanged = false;
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (member === undefined || member === null) {
      isChanged = true;
      continue;
    }
    const plainName = mayBeUnion ? plainClassName(name) : name;
    const changed = normalised(shape === undefined ? undefined : memberShape(shape, plainName), member);
    if (changed !== member || plainName !== name) isChanged = true;
    entries.push([plainName, changed]);
  }
  return isChanged ? Object.fromEntries(entries) : object;
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.kind === 'record') return shape.members.get(name)?.shape;
  if (shape.kind === 'map') return shape.values;
  return shape.kind === 'union' ? shape.branches.get(name) : undefined;
}

/** What is inside an Avro union that says of a plain value what it is; the value itself when it says nothing. */
function unwrapped(shape: Shape, value: JsonObject): JsonValue {
  const name = onlyMember(value);
  const inner = name === undefined ? undefined : value[name];
  if (name === undefined || inner === undefined || inner === null) return value;
  return isWrapped(shape, name, inner) ? inner : value;
}

/** The name of the one member that is not null, if there is exactly one. */
function onlyMember(object: JsonObject): string | undefined {
  let only: string | undefined;
  for (const name in object) {
    if (object[name] === undefined || object[name] === null) continue;
    if (only !== undefined) return undefined;
    only = name;
  }
  return only;
}

function isWrapped(shape: Shape, name: string, inner: JsonValue): boolean {
  switch (shape.kind) {
    case 'string':
    case 'urn':
      return typeof inner === 'string' && (name === 'string' || name === 'bytes');
    case 'enum':
      return typeof inner === 'string' && (name === 'string' || isClassName(name));
    case 'integer':
    case 'number':
      return typeof inner === 'number' && numberNames.has(name);
    case 'boolean':
      return typeof inner === 'boolean' && name === 'boolean';
    case 'list':
      return isArray(inner) && name === 'array';
    case 'map':
      return isJsonObject(inner) && name === 'map' && shape.values.kind !== 'record';
    case 'record':
      return isJsonObject(inner) && isClassName(name) && !shape.members.has(name);
    case 'any':
    case 'union':
      return false;
  }
}

function isClassName(name: string): boolean {
  return name.startsWith('com.linkedin.');
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
