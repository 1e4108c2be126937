import { isSecretAspect } from '../entity/secret-aspects.ts';
import { suggestedPath } from './catalogue-paths.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { columnShape } from './columns.ts';
import { anything, type RecordShape, type Shape } from '../entity/shapes/shape.ts';
import type { Findings, IssueCode } from './issue.ts';
import { note, report } from './issue.ts';
import { urnFieldsTo } from './omitted-urn.ts';
import type { Path, PathStep, ValueType, VirtualProperty } from './predicate.ts';
import { isAspectName, mayCarry, shapeOfAspect } from './property-catalogue.ts';

/** Each hop is a read of further entities (metadata-test language, limits). */
export const maxHops = 3;

const structuredPropertyPrefix = 'urn:li:structuredProperty:';
const ownershipTypePrefix = 'urn:li:ownershipType:';

const virtualTypes: { readonly [Name in Exclude<VirtualProperty, 'columns'>]: ValueType } = {
  urn: 'string',
  entityType: 'entityType',
  schemaFields: 'column',
  'schemaFields.length': 'number',
  __firstSynchronized: 'timestamp',
  __lastSynchronized: 'timestamp',
  __lastObserved: 'timestamp',
  'effective.description': 'string',
};

/**
 * What a path starts from: the entity under test, or, inside a `forEach`, the element it is at. `types` are the entity types
 * that are known; empty when any may come.
 */
export type PathStart =
  | { readonly kind: 'root' }
  | { readonly kind: 'entity'; readonly types: readonly string[] }
  | { readonly kind: 'value'; readonly shape: Shape };

/** What `forEach` goes over: a path, and what the paths about its elements start from. */
export type Collection = { readonly path: Path; readonly start: PathStart };

/** Longest way along the lineage. */
export const maxLineageHops = 3;

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
  readonly start: PathStart;
  readonly steps: PathStep[];
  /** The normal form, segment by segment. */
  readonly normal: string[];
};

/** `shape` is what is inside the values at the end. */
type Ending = {
  readonly valueType: ValueType;
  readonly urnTypes: readonly string[];
  readonly shape: Shape;
};

/**
 * Resolves `property` against the catalogue: aspects, their fields, hops through URNs, virtual properties. Reports
 * MT111 to MT115 at `pointer` and returns `undefined` when it names nothing.
 */
export function resolvePath(
  text: string,
  findings: Findings,
  pointer: string,
  start: PathStart = { kind: 'root' },
): Path | undefined {
  const walk = walkAlong(text, findings, pointer, start);
  const ending = readStart(walk);
  return ending === undefined ? undefined : pathOf(walk, ending);
}

/** Resolves what `forEach` names: `columns`, `lineage.upstream`, `lineage.downstream`, or any property. */
export function resolveCollection(
  text: string,
  hops: number,
  findings: Findings,
  pointer: string,
  start: PathStart,
): Collection | undefined {
  const walk = walkAlong(text, findings, pointer, start);
  const ending = readCollection(walk, hops) ?? readStart(walk);
  if (ending === undefined) return undefined;
  const path = pathOf(walk, ending);
  if (ending.valueType === 'urn') return { path, start: { kind: 'entity', types: ending.urnTypes } };
  return { path, start: { kind: 'value', shape: ending.shape } };
}

function walkAlong(text: string, findings: Findings, pointer: string, start: PathStart): Walk {
  const segments = text.split('.');
  return { text, segments, findings, pointer, start, at: 0, hops: 0, isList: false, steps: [], normal: [] };
}

function pathOf(walk: Walk, { valueType, urnTypes }: Ending): Path {
  const { steps, isList, pointer } = walk;
  return { text: walk.normal.join('.'), steps, isList, valueType, urnTypes, pointer };
}

/** Takes `$root` from the front; whether what follows is about an entity rather than inside a value. */
function readEscape(walk: Walk): boolean {
  if (walk.start.kind === 'root') return true;
  if (segmentHere(walk) !== '$root') return walk.start.kind === 'entity';
  walk.findings.extensions.add(walk.pointer);
  walk.steps.push({ kind: 'Root' });
  take(walk, 1);
  return true;
}

function readStart(walk: Walk): Ending | undefined {
  const { start } = walk;
  const isEntity = readEscape(walk);
  if (walk.at === 0 && start.kind !== 'root' && walk.text === '$value') return readElement(walk, start);
  if (isEntity) return readEntity(walk, walk.at === 0 && start.kind === 'entity' ? start.types : undefined);
  walk.steps.push({ kind: 'Element' });
  return readValue(walk, start.kind === 'value' ? start.shape : anything);
}

/** `$value`, the element itself, for collections of texts and numbers. */
function readElement(walk: Walk, start: PathStart): Ending {
  walk.steps.push({ kind: 'Element' });
  take(walk, 1);
  if (start.kind === 'value') return endingOf(start.shape);
  return { valueType: 'urn', urnTypes: start.kind === 'entity' ? start.types : [], shape: anything };
}

/** The collections that are no properties; `undefined`, with nothing taken but `$root`, when none is named. */
function readCollection(walk: Walk, hops: number): Ending | undefined {
  const rest = walk.text.startsWith('$root.') ? walk.text.slice('$root.'.length) : walk.text;
  const isLineage = rest === 'lineage.upstream' || rest === 'lineage.downstream';
  if (rest !== 'columns' && !isLineage) return undefined;
  if (walk.start.kind === 'value' && rest === walk.text) return undefined;
  readEscape(walk);
  walk.isList = true;
  take(walk, walk.segments.length - walk.at);
  if (!isLineage) {
    walk.steps.push({ kind: 'Virtual', name: 'columns' });
    return { valueType: 'record', urnTypes: [], shape: columnShape };
  }
  const direction = rest === 'lineage.upstream' ? 'upstream' : 'downstream';
  walk.steps.push({ kind: 'Lineage', direction, hops });
  return { valueType: 'urn', urnTypes: ['dataset'], shape: anything };
}

/** Reads what an entity has; `hopTypes` are the types it may be of after a hop, `undefined` at the start. */
function readEntity(walk: Walk, hopTypes: readonly string[] | undefined): Ending | undefined {
  const virtual = virtualAt(walk);
  if (virtual !== undefined) {
    walk.steps.push({ kind: 'Virtual', name: virtual });
    if (virtual === 'effective.description') walk.findings.extensions.add(walk.pointer);
    take(walk, virtual.split('.').length);
    if (walk.at < walk.segments.length) return refuseField(walk, `'${virtual}' has no fields.`, undefined);
    if (virtual === 'schemaFields') walk.isList = true;
    return { valueType: virtualTypes[virtual], urnTypes: [], shape: anything };
  }
  const aspect = segmentHere(walk);
  if (aspect === 'schemaFieldStructuredProperties') return readColumnProperty(walk);
  if (!isAspectName(aspect)) return refuseAspect(walk, aspect);
  if (hopTypes !== undefined && !mayCarry(hopTypes, aspect)) {
    return refuse(walk, 'MT114', `A ${hopTypes.join(' or ')} has no aspect '${aspect}'.`);
  }
  walk.steps.push({ kind: 'Aspect', name: aspect });
  take(walk, 1);
  const keyed = readKeyed(walk, aspect);
  return keyed === 'none' ? readValue(walk, shapeOfAspect(aspect)) : keyed;
}

/** `schemaFieldStructuredProperties.<property URN>`: the values of a structured property on any column. */
function readColumnProperty(walk: Walk): Ending | undefined {
  const at = walk.at;
  walk.steps.push(
    { kind: 'Virtual', name: 'columns' },
    { kind: 'Field', name: 'urn' },
    { kind: 'Hop', types: ['schemaField'] },
    { kind: 'Aspect', name: 'structuredProperties' },
  );
  walk.hops += 1;
  take(walk, 1);
  const keyed = readKeyed(walk, 'structuredProperties');
  if (keyed !== 'none') return keyed;
  return refuseField(
    walk,
    `'${walk.segments[at]}' is followed by the URN of a structured property.`,
    undefined,
  );
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
      return { valueType: 'urn', urnTypes: [...(shape.types ?? [])], shape };
    case 'integer':
      return { valueType: 'number', urnTypes: [], shape };
    case 'enum':
      return { valueType: 'string', urnTypes: [], shape };
    case 'union':
    case 'list':
      return { valueType: 'any', urnTypes: [], shape };
    default:
      return { valueType: shape.kind, urnTypes: [], shape };
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
  if (shape === columnShape && segment === 'structuredProperties') {
    walk.steps.push({ kind: 'Field', name: 'urn' });
    return hop(walk, ['schemaField']);
  }
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
    return keyed(walk, rest, 'structuredProperties', { valueType: 'any', urnTypes: [], shape: anything });
  }
  if (aspect === 'ownership' && rest.startsWith('ownerTypes.')) {
    take(walk, 1);
    const type = rest.substring('ownerTypes.'.length);
    if (!hasKey(type, ownershipTypePrefix)) {
      const message = `'${type}' is not the URN of an ownership type.`;
      return refuseField(walk, message, replacedRest(walk, ownershipTypePrefix + type));
    }
    return keyed(walk, type, 'ownerTypes', {
      valueType: 'urn',
      urnTypes: ['corpuser', 'corpGroup'],
      shape: anything,
    });
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

function virtualAt(walk: Walk): keyof typeof virtualTypes | undefined {
  const one = segmentHere(walk);
  const two = `${one}.${walk.segments[walk.at + 1]}`;
  if (isVirtual(two)) return two;
  return isVirtual(one) ? one : undefined;
}

function isVirtual(name: string): name is keyof typeof virtualTypes {
  return Object.hasOwn(virtualTypes, name);
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
  const suggested = suggestedPath(walk.segments.slice(walk.at));
  const suggestion = suggested === undefined ? undefined : replacedRest(walk, suggested);
  return refuse(walk, 'MT111', unknownAspect(aspect), suggestion);
}

function unknownAspect(aspect: string): string {
  if (aspect === '') return 'A property starts with the name of an aspect.';
  if (aspect === '$root' || aspect === '$value') return `'${aspect}' has a meaning inside forEach only.`;
  if (isSecretAspect(aspect)) return `'${aspect}' holds secrets, which tests cannot read.`;
  return `Unknown aspect '${aspect}'.`;
}

function refuseField(walk: Walk, message: string, suggestion: string | undefined): undefined {
  return refuse(walk, 'MT112', message, suggestion);
}

function refuse(walk: Walk, code: IssueCode, message: string, suggestion?: string): undefined {
  report(walk.findings, code, walk.pointer, message, suggestion);
  return undefined;
}
