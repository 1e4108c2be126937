import type { AuditStamp } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnKey, urnType, type Urn } from '../urn/urn.ts';

/** An owner as it is sent: with the URN of an ownership type, or with a kind from before types were entities. */
export type OwnerUpdate = {
  readonly owner: string;
  readonly type?: string | null;
  readonly ownershipTypeUrn?: string | null;
};

const systemTypePrefix = 'urn:li:ownershipType:__system__';
const systemKeyPrefix = '__system__';
const ownerTypes: ReadonlySet<string> = new Set(['corpuser', 'corpGroup']);

/** These owners and no others; where one is kept, so is whatever else is said about it. The same object: nothing changed. */
export function withOwners(
  urn: Urn,
  ownership: JsonObject | undefined,
  updates: readonly OwnerUpdate[],
  stamp: AuditStamp,
): JsonObject | undefined {
  const known = new Map(objectsIn(ownership, 'owners').map((owner) => [ownerKey(owner), owner]));
  const owners = new Map<string, JsonObject>();
  for (const update of updates) {
    const owner = ownerOf(urn, update);
    const key = ownerKey(owner);
    if (!owners.has(key)) owners.set(key, known.get(key) ?? owner);
  }
  const isSame = owners.size === known.size && [...owners.keys()].every((key) => known.has(key));
  return isSame ? ownership : ownershipOf([...owners.values()], stamp);
}

/** The aspect `ownership` of what somebody has just created: they are its technical owner (contract section 7.1, step 6). */
export function ownedByCreator(stamp: AuditStamp & { readonly actor: Urn }): JsonObject {
  return ownershipOf([ownerEntry(stamp.actor, { type: 'TECHNICAL_OWNER' })], stamp);
}

/** The aspect `ownership` with these owners, and with the same grouped by their types. */
export function ownershipOf(owners: readonly JsonObject[], stamp: AuditStamp): JsonObject {
  return { owners, ownerTypes: ownersByType(owners), lastModified: stamp };
}

/** The member `ownerTypes`, which DataHub keeps in step with the owners (wire 5.2): each owner once for each type. */
export function ownersByType(owners: readonly JsonObject[]): JsonObject {
  const byType = new Map<string, string[]>();
  for (const owner of owners) {
    const urn = textIn(owner, 'owner');
    if (urn === null) continue;
    const type = ownershipTypeIn(owner);
    const owners = byType.get(type) ?? [];
    if (!owners.includes(urn)) byType.set(type, [...owners, urn]);
  }
  return Object.fromEntries(byType);
}

/** One element of `ownership.owners`. Without a type it is `NONE` (contract section 7.15). Throws INVALID_URN. */
export function ownerEntry(
  owner: Urn,
  { type, ownershipTypeUrn }: Pick<OwnerUpdate, 'type' | 'ownershipTypeUrn'>,
): JsonObject {
  const source = { type: 'MANUAL' };
  if (ownershipTypeUrn === null || ownershipTypeUrn === undefined) {
    const kind = type ?? 'NONE';
    return { owner, type: kind, typeUrn: `${systemTypePrefix}${kind.toLowerCase()}`, source };
  }
  const typeUrn = parseUrn(ownershipTypeUrn);
  return { owner, type: kindOf(typeUrn), typeUrn, source };
}

/** The URN of an owner's type; of owners from before types were entities, of the type that says the same. */
export function ownershipTypeIn(owner: JsonObject): string {
  return textIn(owner, 'typeUrn') ?? `${systemTypePrefix}${(textIn(owner, 'type') ?? 'NONE').toLowerCase()}`;
}

/** An owner has one entry for each ownership type. */
function ownerKey(owner: JsonObject): string {
  return `${textIn(owner, 'owner')}\n${textIn(owner, 'typeUrn') ?? textIn(owner, 'type')}`;
}

function ownerOf(urn: Urn, update: OwnerUpdate): JsonObject {
  const owner = parseUrn(update.owner);
  if (!ownerTypes.has(urnType(owner))) {
    throw new PostilError(
      'BAD_REQUEST',
      `Failed to update ${urn}. The owner ${owner} is neither a corpuser nor a corpGroup.`,
    );
  }
  return ownerEntry(owner, update);
}

/** The kinds that DataHub had before ownership types were entities. */
function kindOf(ownershipType: Urn): string {
  const key = urnKey(ownershipType);
  return key.startsWith(systemKeyPrefix) ? key.slice(systemKeyPrefix.length).toUpperCase() : 'CUSTOM';
}
