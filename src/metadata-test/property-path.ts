import { nearestName } from '../entity/nearest-name.ts';
import { anything, type RecordShape, type Shape } from '../entity/shapes/shape.ts';
import type { Findings, IssueCode } from './issue.ts';
import { note, report } from './issue.ts';
import type { Path, PathStep, ValueType, VirtualProperty } from './predicate.ts';
import { virtualProperties } from './predicate.ts';
import { isAspectName, mayCarry, nearestAspect, shapeOfAspect } from './property-catalogue.ts';

/** Each hop is a read of further entities (metadata-test language, limits). */
export const maxHops = 3;

const structuredPropertyPrefix = 'urn:li:structuredProperty:';
const ownershipTypePrefix = 'urn:li:ownershipType:';

const virtualTypes: { readonly [Name in VirtualProperty]: ValueType } = {
  urn: 'string',
  entityType: 'entityType',
  schemaFields: 'column',
  'schemaFields.length': 'number',
  __firstSynchronized: 'timestamp',
  __lastSynchronized: 'timestamp',
  __lastObserved: 'timestamp',
};

/** The walk along a path while it is resolved: what was read, what stands here, what is left. */
type Walk = {
  readonly text: string;
  readonly segments: readonly string[];
  readonly findings: Findings;
  readonly pointer: string;
  /** How far `segments` is read. */
  at: number;
  hops: number;
  isList: boolean;
  readonly steps: PathStep[];
  /** The normal form, segment by segment. */
  readonly normal: string[];
};

type Ending = { readonly valueType: ValueType; readonly urnTypes: readonly string[] };

/**
 * Resolves `property` against the catalogue: aspects, their fields, hops through URNs, virtual properties. Reports
 * MT111 to MT115 at `pointer` and returns `undefined` when it names nothing.
 */
export function resolvePath(text: string, findings: Findings, pointer: string): Path | undefined {
  const walk: Walk = {
    text,
    segments: text.split('.'),
    findings,
    pointer,
    at: 0,
    hops: 0,
    isList: false,
    steps: [],
    normal: [],
  };
  const ending = readEntity(walk, undefined);
  if (ending === undefined) return undefined;
  return { text: walk.normal.join('.'), steps: walk.steps, isList: walk.isList, ...ending };
}

/** Reads what an entity has; `hopTypes` are the types it may be of after a hop, `undefined` at the start. */
function readEntity(walk: Walk, hopTypes: readonly string[] | undefined): Ending | undefined {
  const virtual = virtualAt(walk);
  if (virtual !== undefined) {
    walk.steps.push({ kind: 'Virtual', name: virtual });
    take(walk, virtual.split('.').length);
    if (walk.at < walk.segments.length) return refuseField(walk, `'${virtual}' has no fields.`, undefined);
    if (virtual === 'schemaFields') walk.isList = true;
    return { valueType: virtualTypes[virtual], urnTypes: [] };
  }
  const aspect = walk.segments[walk.at] ?? '';
  if (!isAspectName(aspect)) return refuseAspect(walk, aspect);
  if (hopTypes !== undefined && !mayCarry(hopTypes, aspect)) {
    return refuse(walk, 'MT114', `A ${hopTypes.join(' or ')} has no aspect '${aspect}'.`);
  }
  walk.steps.push({ kind: 'Aspect', name: aspect });
  take(walk, 1);
  const keyed = readKeyed(walk, aspect);
  return keyed === 'none' ? readValue(walk, shapeOfAspect(aspect)) : keyed;
}

/** Reads on inside a value of this shape. */
function readValue(walk: Walk, shape: Shape): Ending | undefined {
  if (shape.kind === 'list') {
    walk.steps.push({ kind: 'Flatten' });
    walk.isList = true;
    return readValue(walk, shape.items);
  }
  const segment = walk.segments[walk.at];
  if (segment === undefined) return endingOf(shape);
  switch (shape.kind) {
    case 'record':
      // A record without members is one whose members nobody wrote down.
      return shape.members.size === 0 ? readUnknown(walk, segment) : readRecord(walk, shape, segment);
    case 'map':
      return readMapEntry(walk, shape.values);
    case 'urn':
      return hop(walk, [...(shape.types ?? [])]);
    case 'any':
    case 'union':
      return readUnknown(walk, segment);
    default:
      return refuseField(walk, `'${walk.normal.join('.')}' is a ${shape.kind} and has no fields.`, undefined);
  }
}

function endingOf(shape: Shape): Ending {
  switch (shape.kind) {
    case 'urn':
      return { valueType: 'urn', urnTypes: [...(shape.types ?? [])] };
    case 'integer':
      return { valueType: 'number', urnTypes: [] };
    case 'enum':
      return { valueType: 'string', urnTypes: [] };
    case 'union':
    case 'list':
      return { valueType: 'any', urnTypes: [] };
    default:
      return { valueType: shape.kind, urnTypes: [] };
  }
}

/** A name of an aspect is a hop when a URN stands there; the compiled path takes it for a field when not. */
function readUnknown(walk: Walk, segment: string): Ending | undefined {
  if (walk.steps.at(-1)?.kind !== 'Aspect' && isAspectName(segment)) return hop(walk, []);
  if (segment === '') return refuseField(walk, 'A field has no name.', undefined);
  walk.steps.push({ kind: 'Field', name: segment }, { kind: 'Flatten' });
  walk.isList = true;
  take(walk, 1);
  return readValue(walk, anything);
}

function readRecord(walk: Walk, shape: RecordShape, segment: string): Ending | undefined {
  const field = shape.members.get(segment);
  if (field !== undefined) {
    walk.steps.push({ kind: 'Field', name: segment });
    take(walk, 1);
    return readValue(walk, field.shape);
  }
  if (isAspectName(segment)) return readOmittedUrn(walk, shape, segment);
  const nearest = nearestName(segment, shape.members.keys());
  const message = `'${walk.normal.join('.')}' has no field '${segment}'.`;
  return refuseField(walk, message, nearest === undefined ? undefined : replaced(walk, nearest));
}

/** N9: the oldest dialect leaves out the URN field before a hop. */
function readOmittedUrn(walk: Walk, shape: RecordShape, aspect: string): Ending | undefined {
  const candidates = urnFieldsTo(shape, aspect);
  const [only, ...others] = candidates;
  const here = walk.normal.join('.');
  if (only === undefined) {
    return refuseField(
      walk,
      `'${here}' has no field '${segmentHere(walk)}', and no URN that leads to one.`,
      undefined,
    );
  }
  if (others.length > 0) {
    const choices = candidates.map((name) => `'${name}'`).join(', ');
    return refuse(
      walk,
      'MT113',
      `'${here}' has several URNs that could lead to '${aspect}': ${choices}; name one.`,
    );
  }
  note(walk.findings, 'N9', walk.pointer, `'${only}' was put before the hop to '${aspect}'.`);
  walk.steps.push({ kind: 'Field', name: only });
  walk.normal.push(only);
  return readValue(walk, shape.members.get(only)?.shape ?? anything);
}

/** Fields that lead to an entity with the aspect: those of declared types, and only if there is none those of any. */
function urnFieldsTo(shape: RecordShape, aspect: string): readonly string[] {
  const declared: string[] = [];
  const undeclared: string[] = [];
  for (const [name, member] of shape.members) {
    const urn = elementOf(member.shape);
    if (urn.kind !== 'urn') continue;
    if (urn.types === undefined) undeclared.push(name);
    else if (mayCarry([...urn.types], aspect)) declared.push(name);
  }
  return declared.length > 0 ? declared : undeclared;
}

function elementOf(shape: Shape): Shape {
  return shape.kind === 'list' ? elementOf(shape.items) : shape;
}

/** The rest of the path is the key: keys of string maps hold dots, and their values have no fields. */
function readMapEntry(walk: Walk, element: Shape): Ending | undefined {
  const key = walk.segments.slice(walk.at).join('.');
  walk.steps.push({ kind: 'Field', name: key });
  take(walk, walk.segments.length - walk.at);
  return readValue(walk, element);
}

function hop(walk: Walk, types: readonly string[]): Ending | undefined {
  walk.hops += 1;
  if (walk.hops > maxHops) {
    return refuse(walk, 'MT115', `'${walk.text}' hops to further entities more than ${maxHops} times.`);
  }
  walk.steps.push({ kind: 'Hop', types });
  return readEntity(walk, types);
}

/** Paths whose end is a URN with dots in it; `none` when the path is an ordinary one. */
function readKeyed(walk: Walk, aspect: string): Ending | undefined | 'none' {
  const rest = walk.segments.slice(walk.at).join('.');
  if (aspect === 'structuredProperties' && rest !== '' && rest.split('.', 1)[0] !== 'properties') {
    if (!hasKey(rest, structuredPropertyPrefix)) {
      const message = `'${rest}' is not the URN of a structured property.`;
      return refuseField(walk, message, replacedRest(walk, structuredPropertyPrefix + rest));
    }
    return keyed(walk, rest, 'structuredProperties', { valueType: 'any', urnTypes: [] });
  }
  if (aspect === 'ownership' && rest.startsWith('ownerTypes.')) {
    take(walk, 1);
    const type = rest.substring('ownerTypes.'.length);
    if (!hasKey(type, ownershipTypePrefix)) {
      const message = `'${type}' is not the URN of an ownership type.`;
      return refuseField(walk, message, replacedRest(walk, ownershipTypePrefix + type));
    }
    return keyed(walk, type, 'ownerTypes', { valueType: 'urn', urnTypes: ['corpuser', 'corpGroup'] });
  }
  return 'none';
}

function hasKey(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && text.length > prefix.length;
}

function keyed(
  walk: Walk,
  urn: string,
  entries: 'structuredProperties' | 'ownerTypes',
  ending: Ending,
): Ending {
  walk.steps.push({ kind: 'Keyed', entries, urn });
  take(walk, walk.segments.length - walk.at);
  walk.isList = true;
  return ending;
}

function virtualAt(walk: Walk): VirtualProperty | undefined {
  const one = walk.segments[walk.at];
  const two = `${one}.${walk.segments[walk.at + 1]}`;
  return virtualProperties.find((name) => name === two) ?? virtualProperties.find((name) => name === one);
}

function take(walk: Walk, count: number): void {
  walk.normal.push(...walk.segments.slice(walk.at, walk.at + count));
  walk.at += count;
}

function segmentHere(walk: Walk): string {
  return walk.segments[walk.at] ?? '';
}

function replaced(walk: Walk, segment: string): string {
  return [...walk.normal, segment, ...walk.segments.slice(walk.at + 1)].join('.');
}

function replacedRest(walk: Walk, rest: string): string {
  return [...walk.normal, rest].join('.');
}

function refuseAspect(walk: Walk, aspect: string): undefined {
  const nearest = nearestAspect(aspect);
  const suggestion = nearest === undefined ? undefined : replaced(walk, nearest);
  const message =
    aspect === '' ? 'A property starts with the name of an aspect.' : `Unknown aspect '${aspect}'.`;
  return refuse(walk, 'MT111', message, suggestion);
}

function refuseField(walk: Walk, message: string, suggestion: string | undefined): undefined {
  return refuse(walk, 'MT112', message, suggestion);
}

function refuse(walk: Walk, code: IssueCode, message: string, suggestion?: string): undefined {
  report(walk.findings, code, walk.pointer, message, suggestion);
  return undefined;
}
