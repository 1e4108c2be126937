import type { Urn } from '../urn/urn.ts';

/** What a change is about; the names of DataHub's enum `ChangeCategoryType`. */
export const changeCategories = [
  'DOCUMENTATION',
  'DOMAIN',
  'GLOSSARY_TERM',
  'LIFECYCLE',
  'OWNERSHIP',
  'PARENT',
  'RELATED_ENTITIES',
  'STRUCTURED_PROPERTY',
  'TAG',
  'TECHNICAL_SCHEMA',
] as const;

export type ChangeCategory = (typeof changeCategories)[number];

export type ChangeOperation = 'CREATE' | 'ADD' | 'MODIFY' | 'REMOVE';

/** How much a change asks of those who use the data: what breaks them is MAJOR, what they may notice MINOR. */
export type SemanticChange = 'MAJOR' | 'MINOR' | 'PATCH';

/** One thing that a change of an aspect did, in words that people use (DataHub's `ChangeEvent` and entity change event). */
export type ChangeEvent = {
  /** The entity, or its column as a schemaField. */
  readonly urn: Urn;
  readonly category: ChangeCategory;
  readonly operation: ChangeOperation;
  /** What was added, removed or modified: a URN, a field path, a URL. */
  readonly modifier: string | undefined;
  readonly semantic: SemanticChange;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
};

export function isChangeCategory(text: string): text is ChangeCategory {
  return changeCategories.some((category) => category === text);
}
