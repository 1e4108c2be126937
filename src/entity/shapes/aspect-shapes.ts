import { entityTypes, environments } from '../entity-registry.ts';
import type { EntityType } from '../entity-registry.ts';
import { attachmentShapes } from './attachment-shapes.ts';
import { datasetShapes } from './dataset-shapes.ts';
import { flowShapes } from './flow-shapes.ts';
import { glossaryShapes } from './glossary-shapes.ts';
import { schemaShapes } from './schema-shapes.ts';
import { anyUrn, enumOf, record, required, text } from './shape.ts';
import type { Shape } from './shape.ts';

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...entityTypes().map((type): readonly [string, Shape] => [type.keyAspect, keyShapeOf(type)]),
  ...Object.entries(attachmentShapes),
  ...Object.entries(schemaShapes),
  ...Object.entries(datasetShapes),
  ...Object.entries(glossaryShapes),
  ...Object.entries(flowShapes),
]);

/** The shape of an aspect; `undefined` for those that are stored without being interpreted (decision 23). */
export function shapeOf(aspect: string): Shape | undefined {
  return shapes.get(aspect);
}

/** The key of a container may be empty in a body: there it is only in the URN. */
function keyShapeOf(type: EntityType): Shape {
  const members = type.keyFields.map((field) => {
    const shape = field.isUrn ? anyUrn : field.name === 'origin' ? enumOf(...environments) : text;
    return [field.name, type.name === 'container' ? shape : required(shape)] as const;
  });
  return record(Object.fromEntries(members));
}
