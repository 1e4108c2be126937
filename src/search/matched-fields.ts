import type { IndexedEntity } from '../search-index/search-index.ts';
import { folded, wordsOf } from '../search-index/search-terms.ts';
import type { RankedWords } from './relevance.ts';
import type { MatchedField } from './search-engine.ts';

/** Of one hit. */
const fieldsMax = 20;
const valuesOfFieldMax = 3;
/** Letters of a snippet, and how many of them stand before the first word that was found. */
const snippetLetters = 200;
const lettersBefore = 60;

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Which values of an entity have words of the question: the value, or of a long text what stands around the first of them. */
export function matchedFields(entity: IndexedEntity, { words, isLastPrefix }: RankedWords): MatchedField[] {
  const isWanted = (word: string): boolean =>
    words.some((wanted, place) =>
      isLastPrefix && place === words.length - 1 ? word.startsWith(wanted) : word === wanted,
    );
  const found: MatchedField[] = [];
  const seen = new Set<string>();
  for (const { fields } of entity.entries) {
    for (const [name, values] of Object.entries(fields)) {
      let ofField = 0;
      for (const value of values) {
        if (ofField >= valuesOfFieldMax || found.length >= fieldsMax) break;
        const key = `${name}\u0000${value}`;
        if (seen.has(key) || !wordsOf(value).some(isWanted)) continue;
        seen.add(key);
        ofField += 1;
        found.push({ name, value: snippetOf(value, isWanted) });
      }
    }
  }
  return found;
}

function snippetOf(text: string, isWanted: (word: string) => boolean): string {
  if (text.length <= snippetLetters) return text;
  let from = 0;
  for (const match of text.matchAll(wordPattern)) {
    if (!isWanted(folded(match[0])) && !wordsOf(match[0]).some(isWanted)) continue;
    from = Math.max(0, match.index - lettersBefore);
    break;
  }
  // Not in the middle of a word, and not beyond the end.
  from = Math.min(from, text.length - snippetLetters);
  const blank = from === 0 ? -1 : text.indexOf(' ', from);
  if (blank !== -1 && blank - from < lettersBefore / 2) from = blank + 1;
  const cut = text.slice(from, from + snippetLetters).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + snippetLetters < text.length ? '…' : ''}`;
}
