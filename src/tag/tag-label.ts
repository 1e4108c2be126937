import type { LabelKind } from '../association/label-kind.ts';

/** How tags are attached (contract section 7.14). */
export const tagLabel: LabelKind = {
  entityType: 'tag',
  aspect: 'globalTags',
  list: 'tags',
  reference: 'tag',
  isStamped: false,
  missing: 'ENTITY_NOT_FOUND',
  privilege: 'EDIT_ENTITY_TAGS',
  columnPrivilege: 'EDIT_DATASET_COL_TAGS',
};
