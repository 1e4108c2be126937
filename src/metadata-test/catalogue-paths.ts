import { entityTypes } from '../entity/entity-registry.ts';
import type { Shape } from '../entity/shapes/shape.ts';
import { derivedAspects } from './derived-aspects.ts';
import { virtualProperties } from './predicate.ts';
import {
  isAspectName,
  isTestable,
  meantBy,
  nearestAspect,
  shapeOfAspect,
  universalAspects,
} from './property-catalogue.ts';

/** Levels of records that are written out; deeper paths are valid all the same. */
const maxLevels = 6;

/** The aspects that entities with test results can have, by name. */
export function testableAspects(): readonly string[] {
  const names = new Set([...universalAspects, ...derivedAspects.keys()]);
  for (const type of entityTypes()) {
    if (!isTestable(type.name)) continue;
    for (const aspect of type.aspects) if (isAspectName(aspect)) names.add(aspect);
  }
  return [...names].toSorted();
}

/**
 * Every property that the registry and the aspect shapes name: computed ones, aspects, and their fields as deep as they
 * are described. Paths go on behind URNs and into maps with anything; that is not written out.
 */
export function propertyPaths(): readonly string[] {
  const paths = new Set<string>(virtualProperties.filter((name) => name !== 'columns'));
  for (const aspect of testableAspects()) addPaths(shapeOfAspect(aspect), aspect, 0, paths);
  return [...paths].toSorted();
}

/**
 * What was most probably meant by a path from an entity on that starts with no aspect: what a word alone stands for, the
 * shortest property that ends in these fields when there is one such, or the same path with the nearest aspect.
 */
export function suggestedPath(segments: readonly string[]): string | undefined {
  const [first = '', ...rest] = segments;
  if (rest.length === 0) return meantBy(first) ?? nearestAspect(first);
  knownPaths ??= propertyPaths();
  const ending = `.${segments.join('.')}`;
  const length = (path: string): number => path.split('.').length;
  const candidates = knownPaths
    .filter((path) => path.endsWith(ending))
    .toSorted((left, right) => length(left) - length(right));
  const [shortest, next] = candidates;
  if (shortest !== undefined && (next === undefined || length(shortest) < length(next))) return shortest;
  const nearest = nearestAspect(first);
  return nearest === undefined ? undefined : [nearest, ...rest].join('.');
}

let knownPaths: readonly string[] | undefined;

function addPaths(shape: Shape, path: string, level: number, paths: Set<string>): void {
  if (shape.kind === 'list') {
    addPaths(shape.items, path, level, paths);
    return;
  }
  paths.add(path);
  if (shape.kind !== 'record' || level >= maxLevels) return;
  for (const [name, member] of shape.members) addPaths(member.shape, `${path}.${name}`, level + 1, paths);
}
