import type { AspectReader } from '../../aspect/aspect-store.ts';
import { createWorkPace } from '../../entity/work-pace.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { columnEdges, columnKey, parentOf } from '../../relationship/column-edges.ts';
import { type LineageDirection, lineageEdges } from '../../relationship/lineage-edges.ts';

/** So many entities one exploration looks at. */
export const exploredMax = 50_000;
const exploredMsMax = 10_000;
/** So many entities are asked for their neighbours at a time. */
const breadth = 50;
const statusBatch = 500;
/** Of everything that leads to an entity on a shortest path, so much is remembered. */
const predecessorsMax = 10;
/** So many shortest paths to one entity are told. */
const pathsMax = 10;

/** What an exploration has found of one entity. */
export type Explored = {
  readonly urn: Urn;
  /** Steps on the shortest path from the start, at least 1. */
  readonly degree: number;
  /** Entities one step nearer to the start from which it was reached, at most 10. */
  readonly predecessors: readonly Urn[];
};

export type Exploration = {
  /** The nearest first; what does not exist is among them where somebody refers to it. */
  readonly found: ReadonlyMap<Urn, Explored>;
  /** True: there is more than was looked at. */
  readonly isTruncated: boolean;
};

export type ExplorationQuery = {
  /** A column explores columns, everything else explores entities. */
  readonly start: Urn;
  readonly direction: LineageDirection;
  /** Steps; absent: to the end. */
  readonly degreeMax?: number;
  /** False: what is marked as removed is left out, and what is only reached through it. */
  readonly includeSoftDeleted: boolean;
  /** How many entities to look at; `exploredMax` when absent. */
  readonly max?: number;
  /** How long it may take, in milliseconds; as long as a query when absent. */
  readonly msMax?: number;
};

/**
 * Goes along lineage, breadth first, so that every entity is found on a shortest path and circles end. Throws TIMED_OUT when its
 * time is over: nobody waits for the rest.
 */
export async function exploreLineage(reader: AspectReader, query: ExplorationQuery): Promise<Exploration> {
  const { start, direction, includeSoftDeleted, degreeMax = Infinity, max = exploredMax } = query;
  const pace = createWorkPace(query.msMax ?? exploredMsMax);
  const isColumn = urnType(start) === 'schemaField';
  const edgesOf = isColumn ? columnEdges : lineageEdges;
  const reached = new Reached(start, isColumn ? columnKey : (urn) => urn, max);
  let level: readonly Urn[] = [start];
  for (let degree = 1; level.length > 0 && degree <= degreeMax; degree += 1) {
    const next: Urn[] = [];
    for (let at = 0; at < level.length; at += breadth) {
      // Whoever else asks something does not wait for all of it.
      await pace.step();
      const some = level.slice(at, at + breadth);
      const around = await Promise.all(some.map(async (urn) => edgesOf(reader, urn, direction)));
      for (const [index, { edges, isTruncated }] of around.entries()) {
        reached.isTruncated ||= isTruncated;
        const from = some[index] ?? start;
        next.push(...edges.map(({ urn }) => urn).filter((urn) => reached.add(urn, degree, from)));
      }
    }
    const removed = includeSoftDeleted ? nothing : await removedAmong(reader, next);
    for (const urn of removed) reached.found.delete(urn);
    level = next.filter((urn) => !removed.has(urn));
  }
  return { found: reached.found, isTruncated: reached.isTruncated };
}

const nothing: ReadonlySet<Urn> = new Set();

/** What was reached so far. */
class Reached {
  readonly found = new Map<Urn, Explored & { readonly predecessors: Urn[] }>();
  /** There is more than was looked at. */
  isTruncated = false;
  /** By identity, the URN by which an entity was found first. */
  readonly #known: Map<string, Urn>;
  readonly #identity: (urn: Urn) => string;
  readonly #max: number;

  constructor(start: Urn, identity: (urn: Urn) => string, max: number) {
    this.#identity = identity;
    this.#known = new Map([[identity(start), start]]);
    this.#max = max;
  }

  /** Whether it was not known before. */
  add(urn: Urn, degree: number, from: Urn): boolean {
    const identity = this.#identity(urn);
    const known = this.#known.get(identity);
    if (known !== undefined) {
      this.#alsoFrom(this.found.get(known), degree, from);
      return false;
    }
    if (this.#known.size > this.#max) {
      this.isTruncated = true;
      return false;
    }
    this.#known.set(identity, urn);
    this.found.set(urn, { urn, degree, predecessors: [from] });
    return true;
  }

  #alsoFrom(
    entry: (Explored & { readonly predecessors: Urn[] }) | undefined,
    degree: number,
    from: Urn,
  ): void {
    if (entry?.degree !== degree || entry.predecessors.length >= predecessorsMax) return;
    if (!entry.predecessors.includes(from)) entry.predecessors.push(from);
  }
}

/** Which of the entities are marked as removed; a column is when its dataset is. */
async function removedAmong(reader: AspectReader, urns: readonly Urn[]): Promise<ReadonlySet<Urn>> {
  const removed = new Set<Urn>();
  for (let at = 0; at < urns.length; at += statusBatch) {
    const some = urns.slice(at, at + statusBatch);
    const asked = some.flatMap((urn) => [urn, ...parentsOf(urn)]);
    const stored = await reader.readMany([...new Set(asked)], ['status']);
    const isRemoved = (urn: Urn): boolean => stored.get(urn)?.get('status')?.body['removed'] === true;
    for (const urn of some) if ([urn, ...parentsOf(urn)].some(isRemoved)) removed.add(urn);
  }
  return removed;
}

function parentsOf(urn: Urn): readonly Urn[] {
  const parent = urnType(urn) === 'schemaField' ? parentOf(urn) : undefined;
  return parent === undefined ? [] : [parent];
}

/** The shortest paths from the start to a found entity, both included; at most 10. */
export function shortestPaths({ found }: Exploration, start: Urn, end: Urn): readonly (readonly Urn[])[] {
  let paths: readonly (readonly Urn[])[] = [[end]];
  for (let degree = found.get(end)?.degree ?? 0; degree > 0; degree -= 1) {
    paths = paths
      .flatMap((path) => {
        const [first] = path;
        const before = first === undefined ? [] : (found.get(first)?.predecessors ?? []);
        return before.map((urn) => [urn, ...path]);
      })
      .slice(0, pathsMax);
  }
  return paths.filter(([first]) => first === start);
}
