import type { Aspect } from '../aspect/aspect.ts';
import type { AspectReader, Page, RelatedEntity, RelationshipQuery } from '../aspect/aspect-store.ts';
import { pageCountMax } from '../entity/page.ts';
import { createWorkPace } from '../entity/work-pace.ts';
import type { Urn } from '../urn/urn.ts';

/** What is needed of a request's context to follow relationships. */
type RelationshipSource = {
  readonly reader: Pick<AspectReader, 'relationships'>;
  load(urn: Urn, aspectName: string): Aspect | undefined | Promise<Aspect | undefined>;
};

/** As long as a query may take. */
const lookMsUsual = 10_000;

const nothing: Page<RelatedEntity> = { items: [], total: 0 };

/**
 * A page of related entities; unless `withRemoved`, without those that are marked as removed, which are not counted either. Throws
 * TIMED_OUT when there are more to look at than can be in `lookMsMax` milliseconds.
 */
export async function relatedTo(
  query: RelationshipQuery,
  withRemoved: boolean,
  context: RelationshipSource,
  lookMsMax = lookMsUsual,
): Promise<Page<RelatedEntity>> {
  if (query.kinds?.length === 0) return nothing;
  const pace = createWorkPace(lookMsMax);
  if (withRemoved) {
    // Who begins far away has everything before it counted.
    if (query.start >= pageCountMax) await pace.step();
    return context.reader.relationships(query);
  }
  // Edges say nothing of their ends, so whoever wants only what is not removed has all of them looked at.
  const kept: RelatedEntity[] = [];
  for (let start = 0; ; start += pageCountMax) {
    await pace.step();
    const page = await context.reader.relationships({ ...query, start, count: pageCountMax });
    const removed = await Promise.all(page.items.map((item) => isRemoved(item, context)));
    kept.push(...page.items.filter((_, index) => removed[index] !== true));
    if (start + pageCountMax >= page.total) break;
  }
  return { items: kept.slice(query.start, query.start + query.count), total: kept.length };
}

async function isRemoved({ urn }: RelatedEntity, context: RelationshipSource): Promise<boolean> {
  const status = await context.load(urn, 'status');
  return status?.body['removed'] === true;
}
