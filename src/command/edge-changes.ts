import type { Relationship } from '../aspect/aspect-store.ts';
import type { JsonArray, JsonObject, JsonValue } from '../aspect/json.ts';

type EdgesOf = (body: JsonObject) => readonly Relationship[];

/**
 * The edges that begin and end when one body takes the place of another. An edge that begins may have been there already,
 * which a store ignores; one that ends has nothing left to come from.
 */
export function edgeChanges(
  edgesOf: EdgesOf,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): { readonly added: readonly Relationship[]; readonly removed: readonly Relationship[] } {
  if (before === undefined) return { added: after === undefined ? [] : edgesOf(after), removed: [] };
  if (after === undefined) return { added: [], removed: edgesOf(before) };
  const [ours, theirs] = withoutShared(before, after);
  const [ended, begun] = [edgesOf(ours), edgesOf(theirs)];
  if (withoutEdges(ended, begun).length === 0) return { added: withoutEdges(begun, ended), removed: [] };
  // What was left out may hold the same edge once more, so now everything counts.
  const [allBefore, allAfter] = [edgesOf(before), edgesOf(after)];
  return { added: withoutEdges(allAfter, allBefore), removed: withoutEdges(allBefore, allAfter) };
}

/**
 * Both bodies without the elements that their lists have in common at either end. A decision passes on the very objects
 * that it does not change, so of a list of thousands that grew by one only that one is left.
 */
function withoutShared(before: JsonObject, after: JsonObject): readonly [JsonObject, JsonObject] {
  // By spreading, since to assign a member that is named __proto__ would give it a prototype.
  const ours: { [member: string]: JsonValue | undefined } = { ...before };
  const theirs: { [member: string]: JsonValue | undefined } = { ...after };
  for (const [member, left] of Object.entries(before)) {
    const right = after[member];
    if (!isArray(left) || !isArray(right)) continue;
    const shorter = Math.min(left.length, right.length);
    let start = 0;
    while (start < shorter && left[start] === right[start]) start += 1;
    let end = 0;
    while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
    ours[member] = left.slice(start, left.length - end);
    theirs[member] = right.slice(start, right.length - end);
  }
  return [ours, theirs];
}

/** Each list holds an edge once. What both begin with needs no keys, and is most of a long list that grew. */
function withoutEdges(
  edges: readonly Relationship[],
  without: readonly Relationship[],
): readonly Relationship[] {
  let start = 0;
  while (isSameEdge(edges[start], without[start])) start += 1;
  if (start === edges.length || start === without.length) return start === 0 ? edges : edges.slice(start);
  const keyOf = (edge: Relationship): string => `${edge.kind}\n${edge.destination}\n${edge.path}`;
  const keys = new Set(without.slice(start).map(keyOf));
  return edges.slice(start).filter((edge) => !keys.has(keyOf(edge)));
}

function isSameEdge(left: Relationship | undefined, right: Relationship | undefined): boolean {
  return (
    left !== undefined &&
    left.destination === right?.destination &&
    left.kind === right.kind &&
    left.path === right.path
  );
}

function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
