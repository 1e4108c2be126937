import type { AspectReader } from '../../aspect/aspect-store.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { isTestable } from '../../metadata-test/property-catalogue.ts';
import { type Urn, urnType } from '../../urn/urn.ts';

type ChangeReader = Pick<AspectReader, 'changes' | 'lastSequence' | 'existing'>;

const pageSize = 1_000;

/**
 * Existing entities that tests can be about and that were changed after `since`: a sequence of the change log, or a point in
 * time as ISO-8601 text. What was stored about tests themselves is no change. Sorted. Throws BAD_REQUEST.
 */
export async function changedEntities(reader: ChangeReader, since: string): Promise<readonly Urn[]> {
  const last = await reader.lastSequence();
  let after = await sequenceAt(reader, since, last);
  const changed = new Set<Urn>();
  while (after < last) {
    const page = await reader.changes({ after, count: pageSize });
    for (const { urn, aspect } of page) {
      if (aspect !== 'testResults' && isTestable(urnType(urn))) changed.add(urn);
    }
    after = page.at(-1)?.sequence ?? last;
  }
  const existing = await reader.existing([...changed]);
  return [...existing].toSorted();
}

/** The last sequence that does not count. */
async function sequenceAt(reader: ChangeReader, since: string, last: number): Promise<number> {
  if (/^\d{1,15}$/.test(since)) return Number(since);
  const time = /^\d{4}-\d{2}-\d{2}/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) {
    const forms = 'a sequence of the change log, or a time such as 2026-01-31T12:00Z';
    throw new PostilError('BAD_REQUEST', `--changed takes ${forms}, not ${since}`);
  }
  // Times grow with the sequence, so the first change that counts is found by halves.
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await reader.changes({ after: middle, count: 1 });
    if (next === undefined || next.time >= time) high = middle;
    else low = next.sequence;
  }
  return low;
}
