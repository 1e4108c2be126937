import { PostilError } from '../errors/postil-error.ts';
import type { GraphqlLimits } from './document-limits.ts';

/** What the values of one request have used up so far. */
export type InputBudget = {
  listEntries: number;
  readonly isMutation: boolean;
  readonly limits: GraphqlLimits;
};

/**
 * Measures one value as it was sent, before it is coerced: nesting, list entries, and the sizes of texts by the name of
 * the argument or member they stand in. Throws LIMIT_EXCEEDED, naming the argument or member.
 */
export function measureInput(name: string, value: unknown, budget: InputBudget, depth = 0): void {
  if (typeof value === 'string') {
    measureText(name, value, budget.limits);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= budget.limits.nesting) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `'${name}' is nested deeper than ${budget.limits.nesting} levels`,
    );
  }
  if (Array.isArray(value)) {
    countEntries(name, value.length, budget);
    for (const item of value) measureInput(name, item, budget, depth + 1);
    return;
  }
  for (const [member, below] of Object.entries(value)) measureInput(member, below, budget, depth + 1);
}

/** Counts the entries of a list, wherever it is written. Throws LIMIT_EXCEEDED. */
export function countEntries(name: string, entries: number, budget: InputBudget): void {
  const { mutationListEntries, listEntries } = budget.limits;
  if (budget.isMutation && entries > mutationListEntries) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `'${name}' has ${entries} entries; a list of a mutation may have ${mutationListEntries}`,
    );
  }
  budget.listEntries += entries;
  if (budget.listEntries > listEntries) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `The lists of the request have more than ${listEntries} entries together`,
    );
  }
}

/** Throws LIMIT_EXCEEDED when a text is larger than what the name of its argument or member allows. */
export function measureText(name: string, text: string, limits: GraphqlLimits): void {
  // A character takes at most three bytes for each of its UTF-16 units, so most texts need no counting.
  const most = text.length * 3;
  if (most <= limits.nameBytes && most <= limits.urnBytes && most <= limits.urlBytes) return;
  const limit = textLimit(name, limits);
  if (limit === undefined || most <= limit) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return;
  throw new PostilError('LIMIT_EXCEEDED', `'${name}' has ${bytes} bytes; it may have ${limit}`);
}

function textLimit(name: string, limits: GraphqlLimits): number | undefined {
  if (/(?:^urns?|Urns?)$/.test(name)) return limits.urnBytes;
  if (/(?:^name|Name)$/.test(name)) return limits.nameBytes;
  if (/(?:^description|Description)$/.test(name)) return limits.descriptionBytes;
  if (/(?:^url|Url)$/.test(name)) return limits.urlBytes;
  return undefined;
}
