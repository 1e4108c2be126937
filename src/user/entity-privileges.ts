import { eachAllowedOn } from '../auth/authorize.ts';
import { type Caller, type Demand, isAllowed } from '../auth/caller.ts';
import { asChild, belowNode } from '../auth/glossary-alternatives.ts';
import type { Privilege } from '../auth/privilege.ts';
import type { ResourceReader } from '../auth/resource-attributes.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';

type Rule = {
  readonly member: string;
  /** What else than EDIT_ENTITY does; the same as the commands demand that do it. */
  readonly privilege: Privilege;
  /** It applies to entities that can bear this aspect, */
  readonly aspect?: string;
  /** or to those of these types. */
  readonly types?: readonly string[];
};

const glossary = ['glossaryTerm', 'glossaryNode'];
const dataset = ['dataset'];

/** By member of the GraphQL type `EntityPrivileges`. */
const rules: readonly Rule[] = [
  {
    member: 'canEditDescription',
    privilege: 'EDIT_ENTITY_DOCS',
    types: ['dataset', 'container', 'domain', 'tag', 'dataProduct', 'corpGroup', ...glossary],
  },
  { member: 'canEditLinks', privilege: 'EDIT_ENTITY_DOC_LINKS', aspect: 'institutionalMemory' },
  { member: 'canEditTags', privilege: 'EDIT_ENTITY_TAGS', aspect: 'globalTags' },
  { member: 'canEditGlossaryTerms', privilege: 'EDIT_ENTITY_GLOSSARY_TERMS', aspect: 'glossaryTerms' },
  { member: 'canEditOwners', privilege: 'EDIT_ENTITY_OWNERS', aspect: 'ownership' },
  { member: 'canEditDomains', privilege: 'EDIT_DOMAINS_PRIVILEGE', aspect: 'domains' },
  { member: 'canEditDeprecation', privilege: 'EDIT_DEPRECATION_PRIVILEGE', aspect: 'deprecation' },
  { member: 'canEditProperties', privilege: 'EDIT_ENTITY_PROPERTIES', aspect: 'structuredProperties' },
  {
    member: 'canEditDataProducts',
    privilege: 'EDIT_ENTITY_DATA_PRODUCTS',
    types: ['dataset', 'container', 'chart', 'dashboard', 'dataFlow', 'dataJob'],
  },
  {
    member: 'canEditLineage',
    privilege: 'EDIT_LINEAGE',
    types: ['dataset', 'chart', 'dashboard', 'dataJob'],
  },
  { member: 'canEditQueries', privilege: 'EDIT_ENTITY_QUERIES', types: dataset },
  { member: 'canEditAssertions', privilege: 'EDIT_ENTITY_ASSERTIONS', types: dataset },
  { member: 'canEditIncidents', privilege: 'EDIT_ENTITY_INCIDENTS', types: dataset },
  { member: 'canEditEmbed', privilege: 'EDIT_ENTITY_EMBED', aspect: 'embed' },
  { member: 'canEditSchemaFieldTags', privilege: 'EDIT_DATASET_COL_TAGS', types: dataset },
  { member: 'canEditSchemaFieldGlossaryTerms', privilege: 'EDIT_DATASET_COL_GLOSSARY_TERMS', types: dataset },
  { member: 'canEditSchemaFieldDescription', privilege: 'EDIT_DATASET_COL_DESCRIPTION', types: dataset },
  { member: 'canViewDatasetUsage', privilege: 'VIEW_DATASET_USAGE', types: dataset },
  { member: 'canViewDatasetProfile', privilege: 'VIEW_DATASET_PROFILE', types: dataset },
  { member: 'canViewDatasetOperations', privilege: 'VIEW_DATASET_OPERATIONS', types: dataset },
];

/** By member, what has to be held for it; only members that apply to the type of the entity. */
function demandsOn(urn: Urn): readonly (readonly [member: string, demand: Demand])[] {
  const type = urnType(urn);
  const aspects = entityTypeOf(type)?.aspects;
  const demands = rules
    .filter((rule) => rule.types?.includes(type) ?? aspects?.has(rule.aspect ?? '') ?? false)
    .map(({ member, privilege }): readonly [string, Demand] => [
      member,
      { anyOf: ['EDIT_ENTITY', privilege], on: urn },
    ]);
  if (!glossary.includes(type)) return demands;
  const manage: Demand = { anyOf: ['MANAGE_GLOSSARIES'], on: urn };
  return [
    ['canManageEntity', { ...manage, or: asChild(urn) }],
    ...(type === 'glossaryNode' ? [['canManageChildren', { ...manage, or: belowNode(urn) }] as const] : []),
    ...demands.map(([member, demand]): readonly [string, Demand] =>
      // Whoever may rename and delete it may describe it.
      member === 'canEditDescription'
        ? [member, { ...demand, anyOf: [...demand.anyOf, 'MANAGE_GLOSSARIES'], or: asChild(urn) }]
        : [member, demand],
    ),
  ];
}

/**
 * What the caller may do to an entity, by the names of the GraphQL type; members that do not apply are absent. At once when
 * no policy on single resources has a say.
 */
export function entityPrivileges(
  reader: ResourceReader,
  caller: Caller,
  urn: Urn,
): Readonly<Record<string, boolean>> | Promise<Readonly<Record<string, boolean>>> {
  const demands = demandsOn(urn);
  if (demands.every(([, demand]) => isAllowed(caller, [demand]))) {
    return Object.fromEntries(demands.map(([member]) => [member, true]));
  }
  return eachAllowedOn(
    reader,
    caller,
    demands.map(([, demand]) => demand),
  ).then((allowed) =>
    Object.fromEntries(demands.map(([member], index) => [member, allowed[index] === true])),
  );
}
