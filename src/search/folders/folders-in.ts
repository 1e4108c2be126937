import type { Caller } from '../../auth/caller.ts';
import { combinedSeparator } from '../../search-index/search-fields.ts';
import type { SearchCriterion, SearchEngine, SearchScope } from '../search-engine.ts';

/** The field that holds the folders of an entity from the root, each with a separator before it. */
const pathField = 'browsePathV2';

export type Folder = {
  readonly name: string;
  /** How many entities are below it, at any depth. */
  readonly count: number;
  readonly hasFolders: boolean;
};

export type FolderContent = {
  /** Those with most below them first, then by name. */
  readonly folders: readonly Folder[];
  /** How many entities are in the folder, at any depth. */
  readonly total: number;
};

/** The folders directly in one, made of the paths of the entities that a search finds. */
export async function foldersIn(
  engine: SearchEngine,
  scope: SearchScope,
  path: readonly string[],
  caller: Caller,
): Promise<FolderContent> {
  const place = placeOf(path);
  const below: SearchCriterion =
    path.length === 0
      ? { field: pathField, condition: 'EXISTS', values: [], negated: false }
      : { field: pathField, condition: 'START_WITH', values: [place], negated: false };
  const [facet] = await engine.facets(withCriterion(scope, below), [pathField], Infinity, caller);
  const folders = new Map<string, { name: string; count: number; hasFolders: boolean }>();
  let total = 0;
  for (const { value, count } of facet?.counts ?? []) {
    if (value !== place && !value.startsWith(place + combinedSeparator)) continue;
    total += count;
    const [name, ...deeper] = value.slice(place.length + 1).split(combinedSeparator);
    if (value === place || name === undefined) continue;
    const folder = folders.get(name) ?? { name, count: 0, hasFolders: false };
    folder.count += count;
    folder.hasFolders ||= deeper.length > 0;
    folders.set(name, folder);
  }
  return { folders: [...folders.values()].toSorted(byCount), total };
}

/** The search for what is directly in a folder; at the root is whatever is in no folder. */
export function directlyIn(scope: SearchScope, path: readonly string[]): SearchScope {
  return withCriterion(
    scope,
    path.length === 0
      ? { field: pathField, condition: 'EXISTS', values: [], negated: true }
      : { field: pathField, condition: 'EQUAL', values: [placeOf(path)], negated: false },
  );
}

function placeOf(path: readonly string[]): string {
  return path.map((name) => combinedSeparator + name).join('');
}

function withCriterion(scope: SearchScope, criterion: SearchCriterion): SearchScope {
  const { filter = [] } = scope;
  const alternatives = filter.length === 0 ? [[]] : filter;
  return { ...scope, filter: alternatives.map((criteria) => [...criteria, criterion]) };
}

function byCount(left: Folder, right: Folder): number {
  return right.count - left.count || (left.name < right.name ? -1 : 1);
}
