import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = dirname(import.meta.dirname);

/** A text file of this repository; `path` is relative to its root, with slashes. */
export type SourceFile = { readonly path: string; readonly text: string };

/** What one file imports: a package (`node:sqlite`, `graphql`) or a file of this repository, as a path from its root. */
export type Import = { readonly from: string; readonly target: string; readonly isFile: boolean };

const skippedFolders = new Set(['node_modules', '.git', '.cache', 'dist', 'postil-data']);

/** Every file of this repository, relative to its root; without those that .gitignore keeps out of it. */
export function repositoryPaths(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : below(path);
      return entry.isFile() && !path.endsWith('.log') ? [path] : [];
    });
  return below('.').sort();
}

export function readSource(path: string): SourceFile {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

const importForms = [
  // import x from '...', import type { x } from '...', export { x } from '...', over several lines too
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  // workers and files that are loaded by their place beside this one
  /\bnew URL\(\s*['"](\.[^'"]+\.ts)['"]/g,
];

/** All imports of a file, those of types included. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return importForms.flatMap((form) =>
    [...text.matchAll(form)].map(([, specifier = '']) => {
      const isFile = specifier.startsWith('.');
      return { from: path, target: isFile ? posix.join(posix.dirname(path), specifier) : specifier, isFile };
    }),
  );
}

/** The cycles among files that import each other, each as the list of its files; at least one of every knot. */
export function findCycles(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(
    imports.filter(({ isFile }) => isFile),
    ({ from }) => from,
  );
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file]);
    else if (!finished.has(file)) {
      for (const { target } of targets.get(file) ?? []) visit(target, [...trail, file]);
      finished.add(file);
    }
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}
