import type { Finding, Issue } from './issue.ts';
import { type Position, positionsOf, syntaxErrorPosition } from './json-position.ts';

/** Puts line and column to each finding. */
export function located(text: string, findings: readonly Finding[]): readonly Issue[] {
  if (findings.length === 0) return [];
  const inside = findings.map(({ pointer }) => pointer).filter((pointer) => pointer !== '');
  const positions = inside.length === 0 ? undefined : positionsOf(text, inside);
  return findings.map((finding) => {
    const isSyntax = finding.code === 'MT000';
    const position = isSyntax ? syntaxErrorPosition(text) : positions?.get(finding.pointer);
    return { ...finding, ...(position ?? rootPosition(text)) };
  });
}

function rootPosition(text: string): Position {
  return positionsOf(text.slice(0, text.search(/\S/) + 1), ['']).get('') ?? { line: 1, column: 1 };
}
