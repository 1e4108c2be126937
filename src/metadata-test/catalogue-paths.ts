import { entityTypes } from '../entity/entity-registry.ts';
import type { Shape } from '../entity/shapes/shape.ts';
import { derivedAspects } from './derived-aspects.ts';
import { virtualProperties } from './predicate.ts';
import { isAspectName, isTestable, shapeOfAspect, universalAspects } from './property-catalogue.ts';

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

function addPaths(shape: Shape, path: string, level: number, paths: Set<string>): void {
  if (shape.kind === 'list') {
    addPaths(shape.items, path, level, paths);
    return;
  }
  paths.add(path);
  if (shape.kind !== 'record' || level >= maxLevels) return;
  for (const [name, member] of shape.members) addPaths(member.shape, `${path}.${name}`, level + 1, paths);
}
