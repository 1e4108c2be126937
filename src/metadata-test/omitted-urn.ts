import type { RecordShape, Shape } from '../entity/shapes/shape.ts';
import { mayCarry } from './property-catalogue.ts';

/** Fields that lead to an entity with the aspect: those of declared types, and only if there is none those of any. */
export function urnFieldsTo(shape: RecordShape, aspect: string): readonly string[] {
  const declared: string[] = [];
  const undeclared: string[] = [];
  for (const [name, member] of shape.members) {
    const urn = elementOf(member.shape);
    if (urn.kind !== 'urn') continue;
    if (urn.types === undefined) undeclared.push(name);
    else if (mayCarry([...urn.types], aspect)) declared.push(name);
  }
  return declared.length > 0 ? declared : undeclared;
}

function elementOf(shape: Shape): Shape {
  return shape.kind === 'list' ? elementOf(shape.items) : shape;
}
