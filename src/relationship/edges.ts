import type { Relationship } from '../aspect/aspect-store.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';
import { isUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { referenceTable } from './reference-table.ts';
import type { ReferenceRow } from './reference-table.ts';

/** The rows of one aspect as a tree, so that a body is walked once however many rows share a list. */
type ReferenceNode = {
  readonly kinds: Set<string>;
  /** A string that stands here is a reference, even where it is no edge. */
  isReference: boolean;
  readonly members: Map<string, ReferenceNode>;
  /** Where the elements of a list, or the values of a map, go on. */
  elements: ReferenceNode | undefined;
  values: ReferenceNode | undefined;
  /** The object here bears the `fieldPath` of the edges below it. */
  isColumn: boolean;
  /** When what is here was removed, what holds it has to go as well, up to the element of the innermost list. */
  takesOwnerAlong: boolean;
};

/** What a column has of other entities. */
const columnMembers: ReadonlySet<string> = new Set(['glossaryTerms', 'globalTags']);

/** A value that is to be removed. */
const removed = Symbol('removed');

const roots: ReadonlyMap<string, ReferenceNode> = new Map(
  Object.entries(referenceTable).map(([aspect, rows]) => [aspect, treeOf(rows)]),
);

/**
 * The edges that an aspect makes from its entity to others (wire 8.5), each kind, destination and path once, in the order
 * of the body. The term or tag of a column is an edge of the dataset whose `path` is the field path as it is stored
 * (contract section 7.11). What is no well-formed URN makes no edge.
 */
export function edgesOf(aspect: string, body: JsonObject): readonly Relationship[] {
  const root = roots.get(aspect);
  if (root === undefined) return [];
  const edges = new EdgeList();
  collect(root, body, '', edges);
  return edges.all;
}

/**
 * The body without any reference to `urn` that `edgesOf` finds in it: elements of lists are dropped whole, together with
 * whatever else they refer to, single members are dropped alone, lists may be left empty (wire 3.6, decision 25). The same
 * object when there was none.
 */
export function removeReferences(aspect: string, body: JsonObject, urn: Urn): JsonObject {
  const root = roots.get(aspect);
  if (root === undefined) return body;
  const rest = without(root, body, urn);
  return isJsonObject(rest) ? rest : body;
}

class EdgeList {
  readonly all: Relationship[] = [];
  /** Destinations by kind and path; the last of them at hand, because edges of one list come together. */
  #seen: Map<string, Set<Urn>> | undefined;
  #last: { readonly kind: string; readonly path: string; readonly destinations: Set<Urn> } | undefined;

  add(kind: string, destination: Urn, path: string): void {
    if (!this.#isNew(kind, destination, path)) return;
    this.all.push({ kind, destination, path });
  }

  /** A few edges are compared one by one; only many are worth sets. */
  #isNew(kind: string, destination: Urn, path: string): boolean {
    if (this.all.length < 12) {
      return !this.all.some(
        (edge) => edge.destination === destination && edge.kind === kind && edge.path === path,
      );
    }
    if (this.#seen === undefined) {
      this.#seen = new Map();
      for (const edge of this.all) this.#destinations(edge.kind, edge.path).add(edge.destination);
    }
    const destinations = this.#destinations(kind, path);
    const before = destinations.size;
    return destinations.add(destination).size > before;
  }

  #destinations(kind: string, path: string): Set<Urn> {
    if (this.#last?.kind === kind && this.#last.path === path) return this.#last.destinations;
    const key = `${kind}\n${path}`;
    const destinations = this.#seen?.get(key) ?? new Set<Urn>();
    this.#seen?.set(key, destinations);
    this.#last = { kind, path, destinations };
    return destinations;
  }
}

function collect(node: ReferenceNode, value: JsonValue, path: string, edges: EdgeList): void {
  if (typeof value === 'string') {
    if (node.kinds.size === 0 || !isUrn(value)) return;
    for (const kind of node.kinds) edges.add(kind, value, path);
    return;
  }
  if (isArray(value)) {
    if (node.elements === undefined) return;
    for (const element of value) collect(node.elements, element, path, edges);
    return;
  }
  if (!isJsonObject(value)) return;
  if (node.isColumn) {
    const own = value['fieldPath'];
    if (typeof own !== 'string') return;
    // A store keeps text in UTF-8, which has no half characters.
    path = own.toWellFormed();
  }
  for (const [name, child] of node.members) {
    const member = value[name];
    if (member !== undefined) collect(child, member, path, edges);
  }
}

function without(node: ReferenceNode, value: JsonValue, urn: Urn): JsonValue | typeof removed {
  if (typeof value === 'string') return node.isReference && value === urn ? removed : value;
  if (isArray(value)) return node.elements === undefined ? value : listWithout(node.elements, value, urn);
  if (!isJsonObject(value)) return value;
  let rest = value;
  for (const [name, child] of node.members) {
    const member = value[name];
    if (member === undefined) continue;
    const kept = without(child, member, urn);
    if (kept === removed && child.takesOwnerAlong) return removed;
    if (kept !== member) rest = withMember(rest, name, kept);
  }
  if (node.values === undefined) return rest;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const kept = without(node.values, member, urn);
    if (kept !== member) rest = withMember(rest, name, kept);
  }
  return rest;
}

function listWithout(elements: ReferenceNode, list: JsonArray, urn: Urn): JsonArray {
  let changed = false;
  const rest: JsonValue[] = [];
  for (const element of list) {
    const kept = without(elements, element, urn);
    if (kept !== element) changed = true;
    if (kept !== removed) rest.push(kept);
  }
  return changed ? rest : list;
}

/** A copy in which one member is another, or is gone; the others keep their order. */
function withMember(object: JsonObject, name: string, value: JsonValue | typeof removed): JsonObject {
  const entries = Object.entries(object);
  return Object.fromEntries(
    value === removed
      ? entries.filter(([member]) => member !== name)
      : entries.map(([member, old]) => [member, member === name ? value : old]),
  );
}

function treeOf(rows: readonly ReferenceRow[]): ReferenceNode {
  const root = newNode();
  for (const row of rows) {
    const onlyMember = row.path.endsWith('?');
    const steps = (onlyMember ? row.path.slice(0, -1) : row.path).replaceAll('[]', '.[]').split('.');
    const innermostList = steps.lastIndexOf('[]');
    let node = root;
    for (const [index, step] of steps.entries()) {
      node = childOf(node, step);
      if (index > innermostList && innermostList >= 0 && !onlyMember) node.takesOwnerAlong = true;
      if (row.column === true && columnMembers.has(steps[index + 1] ?? '')) node.isColumn = true;
    }
    node.isReference = true;
    if (row.kind !== undefined) node.kinds.add(row.kind);
  }
  return root;
}

function childOf(node: ReferenceNode, step: string): ReferenceNode {
  if (step === '[]') return (node.elements ??= newNode());
  if (step === '*') return (node.values ??= newNode());
  const child = node.members.get(step) ?? newNode();
  node.members.set(step, child);
  return child;
}

function newNode(): ReferenceNode {
  return {
    kinds: new Set(),
    isReference: false,
    members: new Map(),
    elements: undefined,
    values: undefined,
    isColumn: false,
    takesOwnerAlong: false,
  };
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
