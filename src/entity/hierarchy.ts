import type { AspectReader } from '../aspect/aspect-store.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, type Urn } from '../urn/urn.ts';

/** Which member of which aspect names the parent in a tree of entities, and what an inner entity is called. */
export type Hierarchy = { readonly aspect: string; readonly member: string; readonly title: string };

/**
 * Walks from the new parent to the root; ingestion may have stored a cycle above it, where the walk ends too. Throws
 * HIERARCHY_CYCLE when what is moved lies on the way.
 */
export async function checkNotBelow(
  view: Pick<AspectReader, 'read'>,
  { aspect, member, title }: Hierarchy,
  parent: Urn,
  moved: Urn,
): Promise<void> {
  const seen = new Set<Urn>();
  let above: Urn | undefined = parent;
  while (above !== undefined && !seen.has(above)) {
    if (above === moved) {
      throw new PostilError(
        'HIERARCHY_CYCLE',
        `Failed to update ${moved}. ${parent} is the ${title} itself or lies below it; choose a ${title} outside of it.`,
      );
    }
    seen.add(above);
    const next: unknown = (await view.read(above, [aspect])).get(aspect)?.body[member];
    above = isUrn(next) ? next : undefined;
  }
}
