import type { JsonObject } from '../aspect/json.ts';
import { isLinkUrl, linkUrlHint } from '../entity/link-url.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import type { DeprecationUpdate, LinkUpdate, TagsUpdate } from './update-dataset-input.ts';

/** The links with those that are new behind them; the same object when all were there (decision 14). */
export function withLinks(
  urn: Urn,
  memory: JsonObject | undefined,
  updates: readonly LinkUpdate[],
  now: number,
): JsonObject | undefined {
  const links = [...objectsIn(memory, 'elements')];
  const before = links.length;
  for (const { url, author, description, createdAt } of updates) {
    if (!isLinkUrl(url)) {
      throw new PostilError(
        'BAD_REQUEST',
        `Failed to change institutional memory for resource ${urn}. Expected an url. ${linkUrlHint}`,
      );
    }
    const actor = parseUrn(author);
    if (urnType(actor) !== 'corpuser') {
      throw new PostilError('BAD_REQUEST', `Failed to update ${urn}. The author ${actor} is not a corpuser.`);
    }
    const label = description ?? '';
    if (links.some((link) => link['url'] === url && (textIn(link, 'description') ?? '') === label)) continue;
    links.push({ url, description: label, createStamp: { time: createdAt ?? now, actor } });
  }
  return links.length === before ? memory : { ...memory, elements: links };
}

/** These tags and no others; the same object when they are there already. */
export function withTags(tags: JsonObject | undefined, urns: readonly Urn[]): JsonObject | undefined {
  const known = new Map(objectsIn(tags, 'tags').map((association) => [association['tag'], association]));
  const isSame = known.size === urns.length && urns.every((urn) => known.has(urn));
  if (isSame) return tags;
  return { ...tags, tags: urns.map((urn) => known.get(urn) ?? { tag: urn }) };
}

/** Each tag once; `undefined` when no list was sent. Throws INVALID_URN. */
export function tagUrns(update: TagsUpdate | null | undefined): readonly Urn[] | undefined {
  const tags = update?.tags;
  if (tags === null || tags === undefined) return undefined;
  return [...new Set(tags.map(({ tag }) => parseUrn(tag.urn)))];
}

/** A decommission time that is not sent is kept; null takes it away. */
export function withDeprecation(
  deprecation: JsonObject | undefined,
  { deprecated, note, decommissionTime }: DeprecationUpdate,
  actor: Urn,
): JsonObject {
  const time = decommissionTime === undefined ? deprecation?.['decommissionTime'] : decommissionTime;
  const isSame =
    deprecation?.['deprecated'] === deprecated &&
    deprecation['note'] === note &&
    (deprecation['decommissionTime'] ?? null) === (time ?? null);
  if (isSame) return deprecation;
  return { ...deprecation, deprecated, note, decommissionTime: time ?? undefined, actor };
}
