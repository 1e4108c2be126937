import { RE2JS } from 're2js';
import { errorText } from '../../errors/error-text.ts';
import { spend } from '../facts.ts';
import { textOf } from './comparable.ts';
import { type Operator, type ParsedOperand, valueTypes } from './operator.ts';
import { isNarrow } from './pattern-cost.ts';

/** Longest pattern, in UTF-16 code units (metadata-test language, limits). */
export const maxPatternLength = 1_000;

/** What one visit of one instruction costs, where each character may visit all of them. */
const visitSteps = 60;
/** What a character costs where no more than one visit is needed, and what a match costs beside. */
const narrowSteps = 10;
const matchSteps = 200;

export const regexMatch: Operator = {
  id: 'regex_match',
  description: 'The whole of a text matches one of the given regular expressions (RE2 syntax).',
  takes: 'several',
  valueTypes: valueTypes('string', 'urn', 'entityType'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand,
  compile: (operands) => {
    const patterns = operands.map((operand) => compilePattern(String(operand)));
    return (value, run) => {
      const text = textOf(value);
      if (text === undefined) return false;
      return patterns.some((pattern) => {
        // Linear engine: at most one visit of each instruction per character. Counting them keeps verdicts reproducible.
        const perCharacter = isNarrow(pattern) ? narrowSteps : visitSteps * pattern.programSize();
        spend(run, matchSteps + perCharacter * (text.length + 1));
        return pattern.matches(text);
      });
    };
  },
};

function parseOperand(text: string): ParsedOperand {
  if (text.length > maxPatternLength) {
    return {
      problem: { code: 'MT122', message: `The pattern is longer than ${maxPatternLength} characters.` },
    };
  }
  try {
    compilePattern(text);
  } catch (error) {
    const reason = errorText(error);
    return { problem: { code: 'MT122', message: `'${text}' is not an RE2 pattern: ${reason}.` } };
  }
  if (!isOpenOnBothSides(text)) return { operand: text };
  const message = `The whole value has to match '${text}'; write '.*' on both sides if a part of it is enough.`;
  return { operand: text, warning: { code: 'MT203', message, suggestion: `.*${text}.*` } };
}

/** Patterns are compiled when they are checked and again when they run: the last ones are kept. */
const recentPatterns = new Map<string, RE2JS>();
const maxRecentPatterns = 500;

function compilePattern(text: string): RE2JS {
  const recent = recentPatterns.get(text);
  if (recent !== undefined) return recent;
  const pattern = RE2JS.compile(text);
  if (recentPatterns.size >= maxRecentPatterns) {
    for (const oldest of recentPatterns.keys()) {
      recentPatterns.delete(oldest);
      break;
    }
  }
  recentPatterns.set(text, pattern);
  return pattern;
}

/** Neither `^` or `.*` in front nor `$` or `.*` behind, groups and flags aside (S12). */
function isOpenOnBothSides(text: string): boolean {
  return (
    !/^(?:\(\?[a-zA-Z-]+\)|\((?:\?[a-zA-Z-]*:)?)*(?:\^|\\A|\.\*)/.test(text) &&
    !/(?:\$|\\z|\.\*)\)*$/.test(text)
  );
}
