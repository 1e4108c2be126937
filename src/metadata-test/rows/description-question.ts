import type { RowPredicate } from '../../verdict/row-predicate.ts';
import type { NumberColumn } from '../../verdict/test-row.ts';
import { descriptionPairs } from '../effective-description.ts';
import type { Leaf } from '../predicate.ts';
import { shapeOfAspect } from '../property-catalogue.ts';
import { closedOutcome, outcomeOf } from './closed-outcome.ts';
import { isFieldOf } from './node-readings.ts';
import { asksPresence } from './profile-readings.ts';
import { all, choose, compare, either, unknown } from './row-answers.ts';

/** One of the two descriptions of an entity: where it is stored, and what a row says about it. */
type Description = {
  readonly aspect: string;
  readonly raw: NumberColumn;
  readonly trimmed: NumberColumn;
};

/**
 * A leaf about the description of the entity, as far as its length decides it; `undefined` for leaves about anything
 * else. A row says 0 for a description that is empty or not there, and less than 0 for one that is no text.
 */
export function descriptionQuestion(leaf: Leaf, type: string): RowPredicate | undefined {
  const pair = descriptionPairs.get(type);
  if (pair === undefined) return undefined;
  const edited: Description = { aspect: pair.edited, raw: 'editedLength', trimmed: 'editedTrimmedLength' };
  const ingested: Description = {
    aspect: pair.ingested,
    raw: 'ingestedLength',
    trimmed: 'ingestedTrimmedLength',
  };
  const whenNone = closedOutcome(leaf, type);
  const { steps } = leaf.path;
  const [first] = steps;
  if (first?.kind === 'Virtual' && first.name === 'effective.description') {
    return answerOf(leaf, type, edited, answerOf(leaf, type, ingested, whenNone));
  }
  const named = [edited, ingested].find(({ aspect }) => isFieldOf(steps, aspect, 'description'));
  return named === undefined ? undefined : answerOf(leaf, type, named, whenNone);
}

function answerOf(leaf: Leaf, type: string, description: Description, whenNone: RowPredicate): RowPredicate {
  const { trimmed } = description;
  const isNothing = compare(trimmed, '=', 0);
  return choose(
    compare(trimmed, '>=', 1),
    textAnswer(leaf, type, description),
    isAlwaysText(description) ? whenNone : choose(isNothing, whenNone, unknown),
  );
}

/** Whether nothing but text can be stored as the description. */
function isAlwaysText({ aspect }: Description): boolean {
  const shape = shapeOfAspect(aspect);
  return shape.kind === 'record' && shape.members.get('description')?.shape.kind === 'string';
}

/** What the leaf says about a text that is not empty. */
function textAnswer(leaf: Leaf, type: string, { raw, trimmed }: Description): RowPredicate {
  if (asksPresence(leaf.operator)) return outcomeOf(leaf, type, 'text');
  const [bound] = leaf.operands;
  switch (leaf.operator) {
    case 'min_length':
      return compare(trimmed, '>=', Number(bound));
    case 'max_length':
      return compare(trimmed, '<=', Number(bound));
    case 'regex_match':
      return either(...leaf.operands.map((pattern) => lengthAnswer(String(pattern), raw)));
    default:
      return unknown;
  }
}

/** Patterns that match any text of some length: `^(?s).{20,}$` and the like. */
const anyTextPattern = /^\^?\(\?s\)\^?\.(?:\{(\d{1,4})(?:(,)(\d{1,4})?)?\}|([*+]))\$?$/;

function lengthAnswer(pattern: string, raw: NumberColumn): RowPredicate {
  const parts = anyTextPattern.exec(pattern);
  if (parts === null) return unknown;
  const [, low, comma, high, sign] = parts as readonly (string | undefined)[];
  if (sign !== undefined) return compare(raw, '>=', 1);
  const atLeast = compare(raw, '>=', Number(low));
  if (comma === undefined) return compare(raw, '=', Number(low));
  return high === undefined ? atLeast : all(atLeast, compare(raw, '<=', Number(high)));
}
