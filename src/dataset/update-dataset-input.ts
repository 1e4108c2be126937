import type { OwnerUpdate } from '../association/owner.ts';
import type { Demand } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

export type LinkUpdate = {
  readonly url: string;
  readonly author: string;
  readonly description?: string | null;
  readonly createdAt?: number | null;
};

/** The names and owners of tags that the input can carry are not looked at; a tag is known by its URN. */
export type TagsUpdate = { readonly tags?: readonly { readonly tag: { readonly urn: string } }[] | null };

export type ColumnUpdate = {
  readonly fieldPath: string;
  readonly description?: string | null;
  readonly globalTags?: TagsUpdate | null;
};

export type DeprecationUpdate = {
  readonly deprecated: boolean;
  readonly note: string;
  readonly decommissionTime?: number | null;
};

export type PropertiesUpdate = { readonly description: string; readonly name?: string | null };

/** What to change of a dataset; a member that is absent or null is kept as it is (decision 15). */
export type DatasetUpdateInput = {
  readonly ownership?: { readonly owners: readonly OwnerUpdate[] } | null;
  readonly deprecation?: DeprecationUpdate | null;
  readonly institutionalMemory?: { readonly elements: readonly LinkUpdate[] } | null;
  /** Deprecated; `tags` wins when both are sent. */
  readonly globalTags?: TagsUpdate | null;
  readonly tags?: TagsUpdate | null;
  readonly editableSchemaMetadata?: { readonly editableSchemaFieldInfo: readonly ColumnUpdate[] } | null;
  readonly editableProperties?: PropertiesUpdate | null;
};

/** One dataset of a command and what to change of it. */
export type DatasetUpdate = { readonly urn: string; readonly update: DatasetUpdateInput };

type MemberRule = {
  readonly member: keyof DatasetUpdateInput;
  /** What a caller needs for it who may not edit everything. */
  readonly privileges: readonly Privilege[];
  /** What it changes or has to look at. */
  readonly aspects: readonly string[];
};

const rules: readonly MemberRule[] = [
  { member: 'institutionalMemory', privileges: ['EDIT_ENTITY_DOC_LINKS'], aspects: ['institutionalMemory'] },
  { member: 'ownership', privileges: ['EDIT_ENTITY_OWNERS'], aspects: ['ownership'] },
  { member: 'deprecation', privileges: ['EDIT_ENTITY_STATUS'], aspects: ['deprecation'] },
  { member: 'editableProperties', privileges: ['EDIT_ENTITY_DOCS'], aspects: ['editableDatasetProperties'] },
  { member: 'globalTags', privileges: ['EDIT_ENTITY_TAGS'], aspects: ['globalTags'] },
  { member: 'tags', privileges: ['EDIT_ENTITY_TAGS'], aspects: ['globalTags'] },
  {
    member: 'editableSchemaMetadata',
    privileges: ['EDIT_DATASET_COL_TAGS', 'EDIT_DATASET_COL_DESCRIPTION'],
    aspects: ['editableSchemaMetadata', 'schemaMetadata'],
  },
];

/**
 * EDIT_ENTITY, or every privilege of what is sent (contract section 7.8, with `tags` like `globalTags`). Who sends nothing
 * needs any one of them, so that nobody learns here what exists.
 */
export function updateDemands({ urn: text, update }: DatasetUpdate): readonly Demand[] {
  const urn = requireDatasetUrn(text);
  const sent = rulesOf(update);
  const needed = (sent.length === 0 ? rules : sent).flatMap(({ privileges }) => privileges);
  if (sent.length === 0) return [{ anyOf: ['EDIT_ENTITY', ...needed], on: urn }];
  return needed.map((privilege) => ({ anyOf: ['EDIT_ENTITY', privilege], on: urn }));
}

/** The aspects that these updates change or look at. */
export function aspectsNeeded(updates: readonly DatasetUpdate[]): readonly string[] {
  return [...new Set(updates.flatMap(({ update }) => rulesOf(update)).flatMap(({ aspects }) => aspects))];
}

function rulesOf(update: DatasetUpdateInput): readonly MemberRule[] {
  return rules.filter(({ member }) => update[member] !== null && update[member] !== undefined);
}

/** Throws INVALID_URN, and BAD_REQUEST for the URN of anything but a dataset. */
export function requireDatasetUrn(text: string): Urn {
  const urn = parseUrn(text);
  if (urnType(urn) === 'dataset') return urn;
  throw new PostilError('BAD_REQUEST', `Failed to update ${urn}. ${urn} is not a dataset.`);
}
