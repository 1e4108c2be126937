import type { IssueCode } from '../issue.ts';
import type { Run, ValueTest } from '../facts.ts';
import type { Operand, Path, ValueType } from '../predicate.ts';
import type { ValueSet } from './value-set.ts';

/**
 * One operator of the language. It is declared in a file of its own and listed in operators.ts; nothing else registers.
 * docs/reference/metadata-test-language.md has one heading per operator; a test compares the two.
 */
export type Operator = {
  /** As in the canonical text; input is read in any case. */
  readonly id: string;
  /** What it promises, in one sentence. */
  readonly description: string;
  readonly takes: 'none' | 'one' | 'two' | 'several';
  /** True for operators that DataHub does not have; a definition with one is not portable. */
  readonly isExtension?: true;
  /** Value types it is defined for (MT120); `any`, which the catalogue does not know, is always accepted. */
  readonly valueTypes: ReadonlySet<ValueType>;
  /** Whether a property's declared default stands in for a missing value (S8). */
  readonly readsDefault: boolean;
  /** Checks and types one operand. */
  readonly parseOperand: (text: string, path: Path) => ParsedOperand;
  /** An operand as text that `parseOperand` reads back; `String` when absent. */
  readonly printOperand?: (operand: Operand) => string;
} & (EachValue | AllValues);

/** Looks at one non-empty value after the other: one satisfies, there is one and all satisfy, or none satisfies. */
type EachValue = {
  readonly quantifier: 'any' | 'every' | 'none';
  readonly compile: (operands: readonly Operand[], path: Path) => ValueTest;
};

/** Looks at the distinct non-empty values together. */
type AllValues = {
  readonly quantifier: 'set';
  readonly compile: (operands: readonly Operand[], path: Path) => SetTest;
};

export type SetTest = (values: ValueSet, run: Run) => boolean;

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
