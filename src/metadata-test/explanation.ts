import type { Verdict } from './compile-test.ts';
import type { Severity } from './predicate.ts';

/** Values and elements that are shown of each node; what is beyond is counted, not shown. */
export const maxShown = 5;

/**
 * Why one node of a test holds or does not: only what decides is below it. Of a conjunction that holds not, these are the
 * parts that do not hold; of a disjunction that holds, the first part that does; otherwise all parts.
 */
export type ExplainedNode = {
  readonly node: 'and' | 'or' | 'not' | 'leaf' | 'forEach';
  /** JSON pointer into the definition. */
  readonly pointer: string;
  readonly outcome: boolean;
  readonly children: readonly ExplainedNode[];
  readonly leaf?: ExplainedLeaf;
  readonly elements?: ExplainedElements;
};

export type ExplainedLeaf = {
  readonly property: string;
  readonly operator: string;
  /** The operands as texts, at most five of them. */
  readonly expected: readonly string[];
  /** The values as texts, cut at 200 characters, at most five of them. */
  readonly observed: readonly string[];
  readonly observedCount: number;
  /** MISSING: no value. EMPTY: only empty ones. DEFAULT: a default stood in. And the notes of the evaluation. */
  readonly notes: readonly string[];
};

export type ExplainedElements = {
  readonly collection: string;
  readonly considered: number;
  readonly selected: number;
  readonly satisfied: number;
  /** Elements that decide: those that are to blame when it does not hold, else those for which it does. */
  readonly shown: readonly { readonly element: string; readonly why: ExplainedNode }[];
  /** How many decide, shown or not. */
  readonly deciding: number;
};

export type ExplainedRule = {
  readonly id: string;
  readonly severity: Severity;
  readonly outcome: boolean;
  /** The rule's own message, filled in; of rules that do not hold. */
  readonly message?: string;
  readonly docs?: string;
  readonly why: ExplainedNode;
};

/** Who wrote what was looked at. */
export type Provenance = {
  readonly entity: string;
  readonly aspect: string;
  readonly version: number;
  readonly changedBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
};

export type Explanation = {
  readonly entity: string;
  readonly verdict: Verdict;
  /** One sentence. */
  readonly why: string;
  readonly scope: {
    readonly matched: boolean;
    readonly pointer: string;
    readonly observed: readonly string[];
    /** Absent where the entity type or soft deletion alone decides. */
    readonly why?: ExplainedNode;
  };
  /** Of FAIL and EXEMPT the rules that do not hold, else all; none for NONE and ERROR. */
  readonly rules: readonly ExplainedRule[];
  readonly provenance: readonly Provenance[];
  /** What would make the entity pass, as far as an edit can. */
  readonly toPass: readonly string[];
  readonly notes: readonly string[];
  /** Of EXEMPT: id of an exemption that excuses it. */
  readonly exemption?: string;
};
