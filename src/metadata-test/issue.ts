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
  MT133: { severity: 'error', title: 'Action not supported for a type' },
  MT134: { severity: 'error', title: 'Actions form a cycle' },
  MT135: { severity: 'error', title: 'Action contradicts another' },
  MT140: { severity: 'error', title: 'Definition beyond a limit' },
  MT201: { severity: 'warning', title: 'Not over several operands' },
  MT202: { severity: 'warning', title: 'Empty list decides' },
  MT203: { severity: 'warning', title: 'Pattern without anchors' },
  MT204: { severity: 'warning', title: 'Property missing for a type' },
  MT205: { severity: 'warning', title: 'Condition that never holds' },
  MT206: { severity: 'warning', title: 'Rule that always holds' },
  MT207: { severity: 'warning', title: 'Rule that repeats a condition' },
  MT208: { severity: 'warning', title: 'Reference to nothing' },
  MT209: { severity: 'warning', title: 'Percentile property' },
  MT210: { severity: 'warning', title: 'Large fan-out' },
  MT211: { severity: 'warning', title: 'Ingested description alone' },
  MT212: { severity: 'warning', title: 'Date that will expire' },
} as const satisfies Record<string, { readonly severity: 'error' | 'warning'; readonly title: string }>;

export type IssueCode = keyof typeof issueCodes;

/** One finding about a definition. `pointer` is a JSON pointer (RFC 6901) into the text as it was sent. */
export type Finding = {
  readonly code: IssueCode;
  readonly severity: 'error' | 'warning';
  readonly pointer: string;
  readonly message: string;
  /** What to write in the place of `pointer`, when there is a likely intention. */
  readonly suggestion?: string;
  /** The same as a change of the text's JSON (RFC 6902), where one can be made. */
  readonly fix?: readonly PatchOperation[];
};

export type PatchOperation =
  | { readonly op: 'replace'; readonly path: string; readonly value: string }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** A finding with the place of its value in the text, lines and columns from 1. */
export type Issue = Finding & { readonly line: number; readonly column: number };

/** What to do about a finding, where it is not to replace what stands at its pointer. */
export type Remedy = { readonly suggestion?: string; readonly fix: readonly PatchOperation[] };

/** A normalisation that was applied (metadata-test language, N1 to N13); the stored text is never rewritten. */
export type NormalisationNote = {
  readonly rule: `N${number}`;
  readonly pointer: string;
  readonly message: string;
};

/** Collects what reading a definition finds, in the order in which it is found. */
export type Findings = {
  readonly issues: Finding[];
  readonly notes: NormalisationNote[];
  /** Pointers to what DataHub would not understand as we do. */
  readonly extensions: Set<string>;
};

/** Findings beyond these are dropped, so that the answer to a hostile definition stays small. */
export const maxErrors = 100;
const maxWarnings = 100;
const maxNotes = 1_000;

/** Notes a finding; a suggestion that is a text shall stand in the place of `pointer`. */
export function report(
  findings: Findings,
  code: IssueCode,
  pointer: string,
  message: string,
  remedy?: string | Remedy,
): void {
  const { severity } = issueCodes[code];
  // What has parameters with bindings is read once for each of them.
  const isSame = (issue: Finding): boolean =>
    issue.code === code && issue.pointer === pointer && issue.message === message;
  if (findings.issues.some(isSame)) return;
  const alike = findings.issues.reduce((count, issue) => count + (issue.severity === severity ? 1 : 0), 0);
  if (alike >= (severity === 'error' ? maxErrors : maxWarnings)) return;
  const { suggestion, fix }: Partial<Remedy> =
    typeof remedy === 'string'
      ? { suggestion: remedy, fix: [{ op: 'replace', path: pointer, value: remedy }] }
      : (remedy ?? {});
  findings.issues.push({
    code,
    severity,
    pointer,
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined ? {} : { fix }),
  });
}

/** The remedy of a misspelt key: the same value under the right one; none when no name is near. */
export function renamed(holder: string, key: string, nearest: string | undefined): Remedy | undefined {
  if (nearest === undefined) return undefined;
  const fix = [{ op: 'move', from: pointerTo(holder, key), path: pointerTo(holder, nearest) }] as const;
  return { suggestion: nearest, fix };
}

export function note(
  findings: Findings,
  rule: NormalisationNote['rule'],
  pointer: string,
  message: string,
): void {
  if (findings.notes.length < maxNotes) findings.notes.push({ rule, pointer, message });
}

export function hasErrors(findings: { readonly issues: readonly Finding[] }): boolean {
  return findings.issues.some((issue) => issue.severity === 'error');
}

/** `pointer` with one more token, escaped as RFC 6901 asks. */
export function pointerTo(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** One line for people: pointer, text, suggestion, code (the wire form of `validateTest` messages). */
export function issueLine(issue: Finding): string {
  const where = issue.pointer === '' ? 'definition' : issue.pointer;
  const instead = issue.suggestion === undefined ? '' : ` Did you mean '${issue.suggestion}'?`;
  return `${where}: ${issue.message}${instead} [${issue.code}]`;
}
