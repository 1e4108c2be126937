import type { IssueCode } from '../issue.ts';
import type { ValueTest } from '../facts.ts';
import type { Operand, Path, ValueType } from '../predicate.ts';

/**
 * One operator of the language. It is declared in a file of its own and listed in operators.ts; nothing else registers.
 * docs/reference/metadata-test-language.md has one heading per operator; a test compares the two.
 */
export type Operator = {
  /** As in the canonical text; input is read in any case. */
  readonly id: string;
  /** What it promises, in one sentence. */
  readonly description: string;
  readonly takes: 'none' | 'one' | 'several';
  /** Value types it is defined for (MT120); `any`, which the catalogue does not know, is always accepted. */
  readonly valueTypes: ReadonlySet<ValueType>;
  /** Over the non-empty values of the path: one satisfies, or there is one and all satisfy. */
  readonly quantifier: 'any' | 'every';
  /** Whether a property's declared default stands in for a missing value (S8). */
  readonly readsDefault: boolean;
  /** Checks and types one operand. */
  readonly parseOperand: (text: string, path: Path) => ParsedOperand;
  readonly compile: (operands: readonly Operand[], path: Path) => ValueTest;
};

export type ParsedOperand =
  | {
      readonly operand: Operand;
      readonly warning?: OperandProblem;
    }
  | { readonly problem: OperandProblem };

export type OperandProblem = {
  readonly code: IssueCode;
  readonly message: string;
  readonly suggestion?: string;
};

const allValueTypes: readonly ValueType[] = [
  'string',
  'number',
  'boolean',
  'timestamp',
  'urn',
  'record',
  'map',
  'column',
  'entityType',
  'any',
];

/** Value types of an operator, `any` included. */
export function valueTypes(...types: readonly ValueType[]): ReadonlySet<ValueType> {
  return new Set([...(types.length === 0 ? allValueTypes : types), 'any' as const]);
}

export function textOperand(text: string): ParsedOperand {
  return { operand: text };
}
