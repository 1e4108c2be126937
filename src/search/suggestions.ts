import type { Caller } from '../auth/caller.ts';
import type { SearchEngine, SearchScope } from './search-engine.ts';

/** GraphQL's `SearchSuggestion`. */
type Suggestion = { readonly text: string; readonly score: number; readonly frequency: number };

const suggestionsMax = 3;

/** Names like the text of a search that found nothing, each with the number of entities that the same search would find by it. */
export async function suggestionsFor(
  scope: SearchScope,
  engine: SearchEngine,
  caller: Caller,
): Promise<readonly Suggestion[]> {
  const { suggestions } = await engine.complete({ ...scope, limit: suggestionsMax }, caller);
  const pages = await Promise.all(
    suggestions.map((text) =>
      engine.search({ ...scope, text, start: 0, count: 0, facets: [], withoutMatches: true }, caller),
    ),
  );
  return suggestions.flatMap((text, index) => {
    const frequency = pages[index]?.total ?? 0;
    return frequency === 0 ? [] : { text, score: 1 / (index + 1), frequency };
  });
}
