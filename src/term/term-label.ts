import type { LabelKind } from '../association/label-kind.ts';

/** How glossary terms are attached (contract section 7.3). */
export const termLabel: LabelKind = {
  entityType: 'glossaryTerm',
  aspect: 'glossaryTerms',
  list: 'terms',
  reference: 'urn',
  isStamped: true,
  missing: 'TERM_NOT_FOUND',
  privilege: 'EDIT_ENTITY_GLOSSARY_TERMS',
  columnPrivilege: 'EDIT_DATASET_COL_GLOSSARY_TERMS',
};
