import type { Aspect } from '../aspect/aspect.ts';
import type { AspectReader, Page, RelatedEntity } from '../aspect/aspect-store.ts';
import type { Caller } from '../auth/caller.ts';
import { checkPage } from '../entity/page.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { questionsAbout } from './column-kinds.ts';
import { relationshipsOfColumn } from './column-relationships.ts';
import { relatedTo } from './related-to.ts';
import { kindsVisibleTo } from './visible-kinds.ts';

/** More kinds than there are, so nobody needs more; every number of kinds is a statement of its own in the store. */
const kindsMax = 100;

type NamedRelationshipsQuery = {
  readonly urn: Urn;
  /** As clients name them, names for edges of columns included. */
  readonly kinds: readonly string[];
  /** Seen from `urn`: INCOMING are edges that point at it. */
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly start: number;
  readonly count: number;
  /** False: entities that are marked as removed are left out and not counted. */
  readonly withRemoved: boolean;
};

type RelationshipContext = {
  readonly reader: AspectReader;
  readonly caller: Caller;
  load(urn: Urn, aspectName: string): Aspect | undefined | Promise<Aspect | undefined>;
};

/**
 * A page of the relationships that a client names, as far as the caller may be told; each related entity once for each kind.
 * Throws BAD_REQUEST for negative pages, LIMIT_EXCEEDED for those that are too long and for too many kinds.
 */
export async function namedRelationships(
  { urn, kinds: asked, direction, start, count, withRemoved }: NamedRelationshipsQuery,
  context: RelationshipContext,
): Promise<Page<RelatedEntity>> {
  checkPage({ start, count });
  const kinds = [...new Set(asked)];
  if (kinds.length > kindsMax) {
    throw new PostilError('LIMIT_EXCEEDED', `There are ${kinds.length} types; ask for at most ${kindsMax}.`);
  }
  const source = sourceOf(urn, context);
  const items: RelatedEntity[] = [];
  let total = 0;
  for (const { name, ...question } of questionsAbout(kindsVisibleTo(context.caller, kinds))) {
    const page = await relatedTo(
      {
        ...question,
        urn,
        direction,
        start: Math.max(0, start - total),
        count: count - items.length,
        distinct: true,
      },
      withRemoved,
      source,
    );
    for (const item of page.items) items.push(name === undefined ? item : { ...item, kind: name });
    total += page.total;
  }
  return { items, total };
}

function sourceOf(urn: Urn, context: RelationshipContext): Parameters<typeof relatedTo>[2] {
  if (urnType(urn) !== 'schemaField') return context;
  return {
    reader: { relationships: (query) => relationshipsOfColumn(context.reader, query) },
    load: context.load,
  };
}
