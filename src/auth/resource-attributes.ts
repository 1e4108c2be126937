import type { AspectReader } from '../aspect/aspect-store.ts';
import type { EntityAspects } from '../aspect/aspect.ts';
import { filledTextIn, listIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { isUrn, type Urn, urnParts, urnType } from '../urn/urn.ts';
import { type OwnerOf, type ResourceField, urnsIn } from './policy.ts';

/** What policies can ask of one resource, as it is stored now. */
export type ResourceAttributes = {
  readonly urn: Urn;
  readonly owners: readonly OwnerOf[];
  valuesOf(field: ResourceField): readonly string[];
  /** The glossary nodes above a term or a node, the nearest first. */
  readonly nodesAbove: readonly Urn[];
};

export type ResourceReader = Pick<AspectReader, 'read' | 'readMany'>;

const decisiveAspects = [
  'ownership',
  'domains',
  'domainProperties',
  'container',
  'globalTags',
  'glossaryTerms',
  'dataPlatformInstance',
  'groupMembership',
  'nativeGroupMembership',
  'glossaryTermInfo',
  'glossaryNodeInfo',
] as const;

/** A chain of parents longer than this is a mistake in the data. */
const parentsMax = 100;

/** The attributes of several resources; those that are not stored have only what their URNs say. */
export async function attributesOf(
  reader: ResourceReader,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, ResourceAttributes>> {
  const known = new Map(await reader.readMany(urns, decisiveAspects));
  const aspectsOf = async (urn: Urn): Promise<EntityAspects> => {
    const found = known.get(urn) ?? (await reader.read(urn, decisiveAspects));
    known.set(urn, found);
    return found;
  };
  const attributes = new Map<Urn, ResourceAttributes>();
  for (const urn of urns) attributes.set(urn, await attributesOfOne(urn, aspectsOf));
  return attributes;
}

async function attributesOfOne(
  urn: Urn,
  aspectsOf: (urn: Urn) => Promise<EntityAspects>,
): Promise<ResourceAttributes> {
  const aspects = await aspectsOf(urn);
  const body = (name: (typeof decisiveAspects)[number]): EntityAspectBody => aspects.get(name)?.body;
  const type = urnType(urn);
  const above = (
    start: readonly Urn[],
    parentOf: (stored: EntityAspects) => unknown,
  ): Promise<readonly Urn[]> => withParents(start, async (each) => parentOf(await aspectsOf(each)));

  const parentDomain = (stored: EntityAspects): unknown =>
    stored.get('domainProperties')?.body['parentDomain'];
  const parentContainer = (stored: EntityAspects): unknown => stored.get('container')?.body['container'];
  const parentNode = (stored: EntityAspects): unknown =>
    (stored.get('glossaryTermInfo') ?? stored.get('glossaryNodeInfo'))?.body['parentNode'];

  const values: Readonly<Record<ResourceField, readonly string[]>> = {
    TYPE: [type],
    URN: [urn],
    OWNER: objectsIn(body('ownership'), 'owners').flatMap((owner) => textIn(owner, 'owner') ?? []),
    // A domain is in itself, so who has rights in a domain has them on the domains below it.
    DOMAIN: await above(type === 'domain' ? [urn] : urnsIn(listIn(body('domains'), 'domains')), parentDomain),
    CONTAINER: await above(urnsIn([parentContainer(aspects)]), parentContainer),
    TAG: objectsIn(body('globalTags'), 'tags').flatMap((tag) => textIn(tag, 'tag') ?? []),
    GLOSSARY_TERM: objectsIn(body('glossaryTerms'), 'terms').flatMap((term) => textIn(term, 'urn') ?? []),
    DATA_PLATFORM: platformsOf(urn, textIn(body('dataPlatformInstance'), 'platform')),
    DATA_PLATFORM_INSTANCE: [textIn(body('dataPlatformInstance'), 'instance') ?? []].flat(),
    GROUP_MEMBERSHIP: [
      ...urnsIn(listIn(body('groupMembership'), 'groups')),
      ...urnsIn(listIn(body('nativeGroupMembership'), 'nativeGroups')),
    ],
  };
  return {
    urn,
    owners: objectsIn(body('ownership'), 'owners').flatMap((owner) => ownerOf(owner)),
    valuesOf: (field) => values[field],
    nodesAbove: await above(urnsIn([parentNode(aspects)]), parentNode),
  };
}

type EntityAspectBody = Parameters<typeof textIn>[0];

function ownerOf(owner: NonNullable<EntityAspectBody>): readonly OwnerOf[] {
  const urn = textIn(owner, 'owner');
  if (urn === null) return [];
  const kind = filledTextIn(owner, 'type');
  // Older documents name the kind alone; every kind has a type of its own.
  const type = filledTextIn(owner, 'typeUrn') ?? (kind === null ? undefined : systemTypeOf(kind));
  return [{ owner: urn, type }];
}

function systemTypeOf(kind: string): string {
  return `urn:li:ownershipType:__system__${kind.toLowerCase()}`;
}

function platformsOf(urn: Urn, named: string | null): readonly string[] {
  const [first] = urnParts(urn);
  const inUrn = isUrn(first) && urnType(first) === 'dataPlatform' ? [first] : [];
  return named === null || named === inUrn[0] ? inUrn : [...inUrn, named];
}

/** These and everything above them, each once, the nearest first. */
async function withParents(
  start: readonly Urn[],
  parentOf: (urn: Urn) => Promise<unknown>,
): Promise<readonly Urn[]> {
  const found = new Set<Urn>(start);
  for (const urn of found) {
    if (found.size > parentsMax) break;
    const parent = await parentOf(urn);
    if (isUrn(parent)) found.add(parent);
  }
  return [...found];
}
