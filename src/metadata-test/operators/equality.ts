import type { JsonObject } from '../../aspect/json.ts';
import { isUrn, urnType } from '../../urn/urn.ts';
import { spend, type ValueTest } from '../facts.ts';
import type { Operand, Path } from '../predicate.ts';
import { entityTypeNamed, nearestTestableType } from '../property-catalogue.ts';
import { comparable } from './comparable.ts';
import { numberOperand } from './number-operand.ts';
import { numberIn, numberOf } from './number-value.ts';
import type { ParsedOperand } from './operator.ts';

/** An operand that values are compared with: typed as the property is, URNs checked for their entity type (MT116). */
export function equalityOperand(text: string, path: Path): ParsedOperand {
  switch (path.valueType) {
    case 'number':
    case 'timestamp':
      return numberOperand(text);
    case 'urn':
      return urnOperand(text, path.urnTypes);
    case 'entityType':
      return entityTypeOperand(text);
    case 'boolean':
      if (text === 'true' || text === 'false') return { operand: text };
      return { problem: { code: 'MT121', message: `'${text}' is neither 'true' nor 'false'.` } };
    default:
      return { operand: text };
  }
}

/** A URN of one of these types; any URN when the list is empty. */
export function urnOperand(text: string, types: readonly string[]): ParsedOperand {
  if (isUrn(text) && (types.length === 0 || types.includes(urnType(text)))) return { operand: text };
  const wanted = types.length === 0 ? 'a URN' : `the URN of a ${types.join(' or ')}`;
  return {
    problem: { code: 'MT116', message: `'${text}' is not ${wanted}, so it can never be a value here.` },
  };
}

function entityTypeOperand(text: string): ParsedOperand {
  const type = entityTypeNamed(text);
  if (type !== undefined) return { operand: type };
  const problem = { code: 'MT006', message: `'${text}' is not an entity type.` } as const;
  const suggestion = nearestTestableType(text);
  return { problem: suggestion === undefined ? problem : { ...problem, suggestion } };
}

/** True for a value that equals one operand: as numbers where the property or the value is one, else as text (S6). */
export function equalityTest(operands: readonly Operand[], path: Path): ValueTest {
  const texts = new Set(operands.map((operand) => comparable(String(operand))));
  const numbers = new Set(
    operands.map((operand) => (typeof operand === 'number' ? operand : numberIn(operand))),
  );
  if (path.valueType === 'number' || path.valueType === 'timestamp') {
    return (value) => {
      const number = numberOf(value);
      return number !== undefined && numbers.has(number);
    };
  }
  if (path.valueType === 'map') return entryTest([...texts]);
  return (value) => {
    if (typeof value === 'string') return texts.has(comparable(value));
    if (typeof value === 'number') return numbers.has(value);
    return typeof value === 'boolean' && texts.has(String(value));
  };
}

/**
 * Entries of a map are compared as `key=value`, the form in which search knows them; a key may hold `=`. The operands are
 * looked up, because there are fewer of them than entries.
 */
function entryTest(texts: readonly string[]): ValueTest {
  const entries = texts.flatMap(entriesFrom);
  return (value, run) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    spend(run, entries.length * entrySteps);
    const map = value as JsonObject;
    return entries.some(([key, text]) => Object.hasOwn(map, key) && String(map[key]) === text);
  };
}

/** What looking up one entry costs. */
const entrySteps = 50;

/** Every way in which a text can be `key=value`. */
function entriesFrom(text: string): readonly (readonly [key: string, value: string])[] {
  const entries: (readonly [string, string])[] = [];
  for (
    let at = text.indexOf('=');
    at !== -1 && entries.length < maxEqualsSigns;
    at = text.indexOf('=', at + 1)
  ) {
    entries.push([text.slice(0, at), text.slice(at + 1)]);
  }
  return entries;
}

const maxEqualsSigns = 20;
