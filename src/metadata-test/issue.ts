/**
 * Everything that validation can find, by code. Errors block saving, warnings do not. docs/reference/metadata-test-language.md
 * has one heading per code; a test compares the two.
 */
export const issueCodes = {
  MT000: { severity: 'error', title: 'Not a JSON object' },
  MT001: { severity: 'error', title: 'Missing scope' },
  MT002: { severity: 'error', title: 'Missing entity types' },
  MT003: { severity: 'error', title: 'Unlike scopes per type' },
  MT004: { severity: 'error', title: 'Missing rules' },
  MT005: { severity: 'error', title: 'Both match and conditions' },
  MT006: { severity: 'error', title: 'Unknown entity type' },
  MT007: { severity: 'error', title: 'Extension that is not supported' },
  MT008: { severity: 'error', title: 'Key of the wrong form' },
  MT101: { severity: 'error', title: 'Missing property' },
  MT102: { severity: 'error', title: 'Missing operator' },
  MT103: { severity: 'error', title: 'Unknown operator' },
  MT104: { severity: 'error', title: 'Missing values' },
  MT105: { severity: 'error', title: 'Surplus values' },
  MT110: { severity: 'error', title: 'Not a predicate' },
  MT111: { severity: 'error', title: 'Unknown aspect' },
  MT112: { severity: 'error', title: 'Unknown field' },
  MT113: { severity: 'error', title: 'Ambiguous hop' },
  MT114: { severity: 'error', title: 'Hop target has no such aspect' },
  MT115: { severity: 'error', title: 'Too many hops' },
  MT116: { severity: 'error', title: 'URN of the wrong entity type' },
  MT120: { severity: 'error', title: 'Operator not defined for the value type' },
  MT121: { severity: 'error', title: 'Operand does not parse' },
  MT122: { severity: 'error', title: 'Invalid regular expression' },
  MT123: { severity: 'error', title: 'Ratio, count or hops out of range' },
  MT130: { severity: 'error', title: 'Unknown action' },
  MT131: { severity: 'error', title: 'Wrong number of action values' },
  MT132: { severity: 'error', title: 'Action value of the wrong type' },
  MT140: { severity: 'error', title: 'Definition beyond a limit' },
  MT201: { severity: 'warning', title: 'Not over several operands' },
  MT202: { severity: 'warning', title: 'Empty list decides' },
  MT203: { severity: 'warning', title: 'Pattern without anchors' },
  MT204: { severity: 'warning', title: 'Property missing for a type' },
} as const satisfies Record<string, { readonly severity: 'error' | 'warning'; readonly title: string }>;

export type IssueCode = keyof typeof issueCodes;

/** One finding about a definition. `pointer` is a JSON pointer (RFC 6901) into the text as it was sent. */
export type Issue = {
  readonly code: IssueCode;
  readonly severity: 'error' | 'warning';
  readonly pointer: string;
  readonly message: string;
  /** What to write in the place of `pointer`, when there is a likely intention. */
  readonly suggestion?: string;
};

/** A normalisation that was applied (metadata-test language, N1 to N13); the stored text is never rewritten. */
export type NormalisationNote = {
  readonly rule: `N${number}`;
  readonly pointer: string;
  readonly message: string;
};

/** Collects what reading a definition finds, in the order in which it is found. */
export type Findings = {
  readonly issues: Issue[];
  readonly notes: NormalisationNote[];
};

/** Findings beyond these are dropped, so that the answer to a hostile definition stays small. */
const maxErrors = 100;
const maxWarnings = 100;
const maxNotes = 1_000;

export function report(
  findings: Findings,
  code: IssueCode,
  pointer: string,
  message: string,
  suggestion?: string,
): void {
  const { severity } = issueCodes[code];
  const alike = findings.issues.reduce((count, issue) => count + (issue.severity === severity ? 1 : 0), 0);
  if (alike >= (severity === 'error' ? maxErrors : maxWarnings)) return;
  findings.issues.push(
    suggestion === undefined
      ? { code, severity, pointer, message }
      : { code, severity, pointer, message, suggestion },
  );
}

export function note(
  findings: Findings,
  rule: NormalisationNote['rule'],
  pointer: string,
  message: string,
): void {
  if (findings.notes.length < maxNotes) findings.notes.push({ rule, pointer, message });
}

export function hasErrors(findings: { readonly issues: readonly Issue[] }): boolean {
  return findings.issues.some((issue) => issue.severity === 'error');
}

/** `pointer` with one more token, escaped as RFC 6901 asks. */
export function pointerTo(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** One line for people: pointer, text, suggestion, code (the wire form of `validateTest` messages). */
export function issueLine(issue: Issue): string {
  const where = issue.pointer === '' ? 'definition' : issue.pointer;
  const instead = issue.suggestion === undefined ? '' : ` Did you mean '${issue.suggestion}'?`;
  return `${where}: ${issue.message}${instead} [${issue.code}]`;
}
