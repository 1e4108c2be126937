import type { JsonObject } from '../aspect/json.ts';
import { integerIn, objectsIn, textIn } from './stored-member.ts';

/** The GraphQL types `MLHyperParam` and `MLMetric`. */
type TrainingValue = {
  readonly name: string | null;
  readonly description: string | null;
  readonly value: string | null;
  readonly createdAt: number | null;
};

/** The parameters or results of a training, in stored order; `null` when there are none. */
export function trainingValues(body: JsonObject, member: string): readonly TrainingValue[] | null {
  if (body[member] === undefined) return null;
  return objectsIn(body, member).map((entry) => ({
    name: textIn(entry, 'name'),
    description: textIn(entry, 'description'),
    value: textIn(entry, 'value'),
    createdAt: integerIn(entry, 'createdAt'),
  }));
}
