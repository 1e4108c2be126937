import fc from 'fast-check';
import type { JsonObject } from '../../aspect/json.ts';
import { pick } from './random-entities.fixture.ts';

/** What operators can be asked of. */
type Kind = 'urn' | 'string' | 'number' | 'boolean' | 'record' | 'columns' | 'any';
/** `values`: operands that often find something. */
export type Property = readonly [path: string, kind: Kind, values: readonly string[]];

export const strings = ['a', 'abc', 'VARCHAR', 'Table', 'CC-1204', '30', 'x'.repeat(20)];
export const numbers = ['0', '1', '2', '3', '30', '30.5'];

const patterns = [
  '^(?s).{20,}$',
  '(?s).{3,19}',
  '^(?s).{3}$',
  '(?s)^.*',
  '.{3,}',
  '.*a.*',
  'urn:li:.*',
  '^.*PII$',
  '^CC-[0-9]{4}$',
];

const several = (values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(pick(values.length === 0 ? ['x'] : values), { minLength: 1, maxLength: 3 });

type Operation = readonly [operator: string, values: fc.Arbitrary<string[]> | undefined];

function operationsOf(kind: Kind, values: readonly string[]): readonly Operation[] {
  const count = pick(['0', '1', '2', '3']).map((number) => [number]);
  const presence: Operation[] = [
    ['exists', undefined],
    ['is_empty', undefined],
  ];
  const counting: Operation[] = ['count_at_least', 'count_at_most', 'count_equals'].map((id) => [id, count]);
  const equality = (from: readonly string[]): Operation[] =>
    ['equals', 'not_equals', 'contains_any', 'contains_none', 'contains_all', 'subset_of'].map((id) => [
      id,
      several(from),
    ]);
  const numeric: Operation[] = [
    ...['greater_than', 'less_than', 'greater_or_equal', 'less_or_equal'].map((id): Operation => [
      id,
      pick(numbers).map((number) => [number]),
    ]),
    [
      'between',
      fc
        .tuple(pick(numbers), pick(numbers))
        .map(([low, high]) => [low, high].toSorted((a, b) => Number(a) - Number(b))),
    ],
  ];
  const textual: Operation[] = [
    ...['contains_str', 'starts_with', 'ends_with'].map((id): Operation => [
      id,
      several([...values, 'urn:li:', 'a', 'b']),
    ]),
    ['regex_match', several(patterns)],
    ...['min_length', 'max_length'].map((id): Operation => [
      id,
      pick(['0', '1', '3', '20']).map((number) => [number]),
    ]),
  ];
  const within: Operation[] = [['within', several(values)]];
  switch (kind) {
    case 'record':
      return [...presence, ...counting];
    case 'columns':
      return [...presence, ['schema_fields_have_descriptions', undefined]];
    case 'boolean':
      return [
        ...presence,
        ['is_true', undefined],
        ['is_false', undefined],
        ...equality(['true', 'false']),
        ...counting,
      ];
    case 'number':
      return [...presence, ...counting, ...equality(numbers), ...numeric];
    case 'urn':
      return [...presence, ...counting, ...equality(values), ...textual, ...within, ...within];
    case 'string':
      return [...presence, ...counting, ...equality(values), ...textual];
    case 'any':
      return [...presence, ...counting, ...equality(values), ...textual, ...numeric];
  }
}

/** A leaf about the property; most are valid. */
export function leafAbout([property, kind, values]: Property): fc.Arbitrary<JsonObject> {
  return fc
    .constantFrom(...operationsOf(kind, values))
    .chain(([operator, operands]): fc.Arbitrary<JsonObject> =>
      operands === undefined
        ? fc.constant({ property, operator })
        : operands.map((chosen) => ({ property, operator, values: chosen })),
    );
}

export function leafOf(from: readonly Property[]): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...from).chain(leafAbout);
}
