import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { isAllowed } from '../auth/caller.ts';
import type { Caller } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';

type Rule = {
  /** The same privileges as the commands demand that do it. */
  readonly anyOf: readonly Privilege[];
  /** Entity types that it applies to. */
  readonly types: readonly string[];
};

const glossary = ['glossaryTerm', 'glossaryNode'];
const linked = ['dataset', 'container', 'domain', ...glossary];

/** By member of the GraphQL type `EntityPrivileges`; several rules of one member are for different types. */
const rules: readonly (readonly [member: string, rule: Rule])[] = [
  ['canManageEntity', { anyOf: ['MANAGE_GLOSSARIES'], types: glossary }],
  ['canManageChildren', { anyOf: ['MANAGE_GLOSSARIES'], types: ['glossaryNode'] }],
  [
    'canEditDescription',
    { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS'], types: ['dataset', 'container', 'domain'] },
  ],
  [
    'canEditDescription',
    { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS', 'MANAGE_GLOSSARIES'], types: glossary },
  ],
  ['canEditLinks', { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOC_LINKS'], types: linked }],
  [
    'canEditGlossaryTerms',
    { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_GLOSSARY_TERMS'], types: ['dataset', 'container'] },
  ],
  ['canEditTags', { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_TAGS'], types: ['dataset'] }],
  ['canEditOwners', { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_OWNERS'], types: ['dataset'] }],
  ['canEditDeprecation', { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_STATUS'], types: ['dataset'] }],
  [
    'canEditSchemaFieldDescription',
    { anyOf: ['EDIT_ENTITY', 'EDIT_DATASET_COL_DESCRIPTION'], types: ['dataset'] },
  ],
  [
    'canEditSchemaFieldGlossaryTerms',
    { anyOf: ['EDIT_ENTITY', 'EDIT_DATASET_COL_GLOSSARY_TERMS'], types: ['dataset'] },
  ],
];

/** What the caller may do to an entity, by the names of the GraphQL type; members that do not apply are absent. */
export function entityPrivileges(caller: Caller, urn: Urn): Readonly<Record<string, boolean>> {
  const type = urnType(urn);
  return Object.fromEntries(
    rules
      .filter(([, { types }]) => types.includes(type))
      .map(([member, { anyOf }]) => [member, isAllowed(caller, [{ anyOf, on: urn }])]),
  );
}
