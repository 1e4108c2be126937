import type { Urn } from '../../urn/urn.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { keptVerdicts, type SettledVerdict } from './kept-verdicts.ts';
import { entityChanges } from './verdict-changes.ts';

/** The kept verdict of a test for one entity. */
export type EntityVerdict = {
  /** NONE: out of scope, or not evaluated yet. */
  readonly verdict: SettledVerdict | 'NONE';
  /** Since when, in milliseconds since the Unix epoch; null when that is too long ago to tell, or it never had another. */
  readonly since: number | null;
};

/** What is kept of an entity; `undefined` when the store never heard of it. */
export async function entityVerdict(
  reader: Pick<VerdictReader, 'numbersOf' | 'verdictsIn' | 'verdictChanges'>,
  test: Urn,
  entity: Urn,
): Promise<EntityVerdict | undefined> {
  const number = (await reader.numbersOf([entity])).get(entity);
  if (number === undefined) return undefined;
  const verdict = (await keptVerdicts(reader, [entity], [test])).get(entity)?.get(test) ?? 'NONE';
  const [last] = await entityChanges(reader, { test, number, count: 1 });
  return { verdict, since: last?.verdict === verdict ? last.time : null };
}
