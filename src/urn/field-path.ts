const version2 = '[version=2.0]';
const keyMarker = '[key=True]';

/** Where a column was found by the path somebody asked for. */
export type FieldPathResolution =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] };

/**
 * The dot-separated column names of a field path. A version 1 path is its own simple form; of a version 2 path the
 * bracketed segments are dropped, type names with dots in them included (contract section 11.2). Empty when only
 * brackets are left, as for a path that denotes an enclosing record.
 */
export function simpleFieldPath(path: string): string {
  if (!isVersion2(path)) return path;
  let simple = '';
  let index = 0;
  while (index < path.length) {
    const isMarker = path.charCodeAt(index) === 91;
    const end = isMarker ? endOfMarker(path, index) : endOfToken(path, index);
    if (!isMarker && end > index) {
      const name = path.substring(index, end);
      simple = simple === '' ? name : `${simple}.${name}`;
    }
    index = end + 1;
  }
  return simple;
}

/** Whether the column belongs to a key schema, `[version=2.0].[key=True]...` (contract section 11.1). */
export function isKeyFieldPath(path: string): boolean {
  if (!path.startsWith(keyMarker, version2.length + 1) || !isVersion2(path)) return false;
  const end = version2.length + 1 + keyMarker.length;
  return path.length === end || path[end] === '.';
}

/**
 * Finds the column that `asked` means among the stored paths (contract section 11.4, decision 11): the equal path; else
 * the one with the same simple form; of several, the only one that is no key column. Who asks for a key column in full
 * means a key column, so then the key columns are the ones to choose from. A path without a simple form is found only
 * by its exact text.
 */
export function resolveFieldPath(paths: readonly string[], asked: string): FieldPathResolution {
  if (paths.includes(asked)) return { kind: 'found', path: asked };
  const simple = simpleFieldPath(asked);
  if (simple === '') return { kind: 'missing' };
  const lastName = simple.substring(simple.lastIndexOf('.') + 1);
  const candidates = paths.filter((path) => path.includes(lastName) && simpleFieldPath(path) === simple);
  const [first] = candidates;
  if (first === undefined) return { kind: 'missing' };
  if (candidates.length === 1) return { kind: 'found', path: first };
  const wantsKey = isKeyFieldPath(asked);
  const preferred = candidates.filter((path) => isKeyFieldPath(path) === wantsKey);
  const [only] = preferred;
  if (only !== undefined && preferred.length === 1) return { kind: 'found', path: only };
  return { kind: 'ambiguous', candidates };
}

function isVersion2(path: string): boolean {
  return path.startsWith(version2) && (path.length === version2.length || path[version2.length] === '.');
}

/** The marker `[...]` that starts here ends before the next `].`, so that dots in a type name do not split it. */
function endOfMarker(path: string, start: number): number {
  const closed = path.indexOf('].', start);
  if (closed >= 0) return closed + 1;
  return path.endsWith(']') ? path.length : endOfToken(path, start);
}

function endOfToken(path: string, start: number): number {
  const dot = path.indexOf('.', start);
  return dot < 0 ? path.length : dot;
}
